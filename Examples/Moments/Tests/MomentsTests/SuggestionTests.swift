// Tests of suggestions, from photos of a library and earlier moments.
import Foundation
import ModelRuntime
import Testing

@testable import Moments

@Suite struct SuggestionTests {
  let folder: TemporaryFolder
  let device: Device
  private let lake = Photo.Place(latitude: 47.5622, longitude: 13.6493)
  private let shore = Photo.Place(latitude: 40.6333, longitude: 14.6029)

  init() throws {
    folder = try TemporaryFolder()
    device = try folder.device()
  }

  /// Adds `count` photos to the library, one an hour, each with other bytes.
  private func take(_ count: Int, day: Int, hour: Int = 9, at place: Photo.Place?) async throws -> [Photo.ID] {
    let library = try device.library()
    var photos: [Photo.ID] = []
    for number in 0..<count {
      let hours = day * 24 + hour + number
      let bytes = Array("\(hours) \(place?.latitude ?? 0)".utf8)
      let file = try await device.store.files.add(from: .bytes(bytes), mime: "image/jpeg")
      let takenAt = Timestamp(millisecondsSince1970: 1_700_000_000_000 + Int64(hours) * 3_600_000)
      let photo = Photo(
        moment: library, owner: Member.id(in: library.queueID, user: device.store.user), file: file, takenAt: takenAt,
        place: place, width: 1, height: 1)
      device.store.create(photo)
      photos.append(photo.id)
    }
    return photos
  }

  @Test func suggestionsAreSplitByTimeAndPlace() async throws {
    let morning = try await take(4, day: 0, at: lake)
    _ = try await take(2, day: 1, at: lake)
    let flight = try await take(3, day: 2, at: lake)
    let landed = try await take(3, day: 2, hour: 12, at: shore)
    let unknown = try await take(2, day: 2, hour: 15, at: nil)
    let suggestions = try await device.suggestions()
    #expect(suggestions.map(\.photos) == [landed + unknown, flight, morning], "the newest first, two photos are none")
    #expect(suggestions.allSatisfy { $0.friends.isEmpty && $0.startsAt < $0.endsAt })
    #expect(try await device.suggestions(limit: 1).map(\.photos) == [landed + unknown])
  }

  @Test func sharedPhotosAreNotSuggestedAgain() async throws {
    let photos = try await take(5, day: 0, at: lake)
    try device.share(Array(photos.prefix(2)), with: Device.user(named: "ben"), inMomentTitled: "Lake")
    #expect(try await device.suggestions().map(\.photos) == [Array(photos.suffix(3))])
    try device.share(Array(photos.suffix(1)), with: Device.user(named: "ben"), inMomentTitled: "Lake")
    #expect(try await device.suggestions().isEmpty)
  }

  @Test func suggestsFriendsOfNearbyMomentFirst() async throws {
    let trip = try await take(2, day: 0, at: lake)
    let other = try await take(2, day: 100, at: shore)
    for (photos, title, friends) in [(trip, "Lake", ["cleo"]), (other, "Shore", ["ben", "dan"])] {
      let moment = try device.share(photos, with: Device.user(named: friends[0]), inMomentTitled: title)
      for name in friends {
        device.store.create(Member(moment: moment, user: Device.user(named: name), name: name))
      }
    }
    _ = try await take(3, day: 1, at: lake)
    let suggestion = try #require(try await device.suggestions().first)
    #expect(suggestion.friends == ["cleo", "ben", "dan"])
    let faces = try await device.suggestions { _ in ["dan"] }
    #expect(faces.first?.friends == ["dan", "cleo", "ben"], "who is in the photos is likelier than anybody")
  }
}
