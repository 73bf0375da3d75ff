// Suggests photos to share: those that were taken together, with friends from earlier moments.
import Foundation
import ModelRuntime

/// An outing: photos near each other in time and place that nobody else has, and friends who may want them.
public struct Suggestion: Sendable, Encodable {
  /// By the clock of the place, as `takenAt` of a photo.
  public var startsAt: Timestamp
  public var endsAt: Timestamp
  public var photos: [Photo.ID]
  /// The names of at most three friends, the likeliest first.
  public var friends: [String]
}

extension Device {
  /// Returns the names of the people in a photo. Moments does not recognise faces; an app that does can give them here.
  public typealias Faces = @Sendable (Photo) -> [String]

  /// Outings of the library, the newest first: at least three photos that are not shared yet, with less than six hours
  /// and 50 km from each photo to the next. Friends are members of earlier moments; members of a moment near the outing
  /// come first.
  public func suggestions(limit: Int = 4, faces: Faces = { _ in [] }) async throws -> [Suggestion] {
    let home = store.homeQueueID
    guard let library = try store.object(Library.id(in: home, user: store.user))?.moment else { return [] }
    let past = try await pastMoments()
    let shared = Set(past.flatMap(\.photos).map(\.file.hash))
    let photos = try await store.snapshot(of: Photo.outings(moment: library))
    var suggestions: [Suggestion] = []
    for section in (0..<photos.sectionCount).reversed() where suggestions.count < limit {
      let taken = try photos.positions(ofSection: section).compactMap { try store.object(photos.id(at: $0)) }
      for outing in taken.outings.reversed() where suggestions.count < limit {
        let new = outing.filter { !shared.contains($0.file.hash) }
        guard new.count >= 3, let first = new.first, let last = new.last else { continue }
        suggestions.append(
          Suggestion(
            startsAt: first.takenAt, endsAt: last.takenAt, photos: new.map(\.id),
            friends: friends(of: outing, past, faces)))
      }
    }
    return suggestions
  }

  private func pastMoments() async throws -> [PastMoment] {
    let members = Dictionary(grouping: try store.objects(Member.self).filter { $0.user != store.user }, by: \.moment)
    var past: [PastMoment] = []
    for moment in try await store.objects(in: Moment.shared) {
      let photos = try await store.objects(in: Photo.inMoment(moment: moment.id))
      past.append(PastMoment(photos: photos, friends: members[moment.id, default: []].map(\.name)))
    }
    return past
  }

  private func friends(of outing: [Photo], _ past: [PastMoment], _ faces: Faces) -> [String] {
    var scores: [String: Int] = [:]
    for name in outing.flatMap(faces) { scores[name, default: 0] += 10 }
    for moment in past {
      for name in moment.friends { scores[name, default: 0] += moment.isNear(outing) ? 5 : 1 }
    }
    return scores.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3).map(\.key)
  }
}

/// A moment that was shared: its photos, and its members besides the user.
private struct PastMoment {
  var photos: [Photo]
  var friends: [String]

  /// Whether a photo of the moment is within three days and 50 km of one of the outing.
  func isNear(_ outing: [Photo]) -> Bool {
    photos.contains { photo in
      outing.contains { other in
        let days = abs(photo.takenAt.millisecondsSince1970 - other.takenAt.millisecondsSince1970) / 86_400_000
        return days < 3 && areNear(photo.place, other.place)
      }
    }
  }
}

extension [Photo] {
  /// Splits the photos where the place jumps.
  fileprivate var outings: [[Photo]] {
    var outings: [[Photo]] = []
    var place: Photo.Place?
    for photo in self {
      if outings.isEmpty || !areNear(photo.place, place) { outings.append([]) }
      outings[outings.count - 1].append(photo)
      place = photo.place ?? place
    }
    return outings
  }
}

/// Whether two places are within 50 km of each other; true if one is unknown.
private func areNear(_ place: Photo.Place?, _ other: Photo.Place?) -> Bool {
  guard let place, let other else { return true }
  let kilometres = 111.2
  let north = (place.latitude - other.latitude) * kilometres
  let turn = (place.longitude - other.longitude).remainder(dividingBy: 360)
  let east = turn * kilometres * cos(place.latitude * .pi / 180)
  return north * north + east * east < 50 * 50
}
