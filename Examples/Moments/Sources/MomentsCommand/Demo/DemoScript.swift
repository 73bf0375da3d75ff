// The demo without a person: shares photos offline, goes online, and checks that they arrive.
import Foundation
import ModelRuntime
import Moments

struct DemoScript {
  static let fewestPhotos = 6

  let anna: Device
  let ben: Device

  func play() async throws {
    let trip = try await shareOffline()
    try await reconnect(trip)
    try await editBothSides(trip)
    try await measure(trip)
    say("ok: anna and ben see the same, and nothing waits")
  }

  private func shareOffline() async throws -> Moment.ID {
    try await until("everything imported is on the server") { isSettled(anna) && isSettled(ben) }
    say("\nAnna is in a tunnel. She shares three photos with ben, gives one a caption and hides another.")
    anna.network.set(.offline)
    let photos = try await anna.store.objects(in: Photo.timeline).map(\.id)
    // Files of the folder may be duplicates, or no pictures.
    try check(photos.count >= Self.fewestPhotos, "anna has \(Self.fewestPhotos) photos")
    anna.store.perform(Photo.Rename(photos[0], caption: "Above the lake"))
    anna.store.perform(Photo.Hide(photos[5]))
    let trip = try anna.share(Array(photos.prefix(3)), with: ben.store.user, inMomentTitled: "By the lake")
    say("  visible to her at once; \(anna.store.pendingOperations.count) changes wait on her device")
    try await Task.sleep(for: .milliseconds(300))
    try check(anna.store.pendingOperations.count > 0, "changes wait while there is no network")
    try check(try ben.store.object(trip) == nil, "ben has heard of nothing")
    return trip
  }

  private func reconnect(_ trip: Moment.ID) async throws {
    say("\nAnna is back.")
    anna.network.set(.on)
    let begin = ContinuousClock.now
    let unread = ben.store.list(MomentNotification.unread)
    try await until("ben has news, and the photos") {
      try unread.snapshot.count == 1 && photos(in: trip, ben).count == 3
    }
    say("  ben has news and three photos after \(milliseconds(since: begin)) ms")
    try await until("nothing waits on anna's device") { isSettled(anna) }
    say("  nothing is marked as pending on anna's device after \(milliseconds(since: begin)) ms")
    try check(try photos(in: trip, anna).allSatisfy { !anna.store.isPending($0.id) }, "no photo is pending")
    let photo = try photos(in: trip, ben)[0]
    let file = try await ben.store.files.read(photo.file, in: photo.queueID)
    try check(file.size == photo.file.size, "ben has the whole picture")
    say("  ben fetches a picture of \(file.size) bytes")
    try check(try photos(in: trip, ben).contains { $0.caption == "Above the lake" }, "the caption came along")
  }

  private func editBothSides(_ trip: Moment.ID) async throws {
    say("\nBoth are offline and change the same photo: a caption, tags, likes.")
    anna.network.set(.offline)
    ben.network.set(.offline)
    let photo = try photos(in: trip, ben)[1].id
    anna.store.perform(Photo.Rename(photo, caption: "The ferry"))
    anna.store.perform(Photo.Label(photo, tag: "ferry"))
    ben.store.perform(Photo.Label(photo, tag: "lake"))
    ben.store.perform(Photo.Like(photo))
    anna.network.set(.on)
    ben.network.set(.on)
    try await until("both have all of it") {
      try [anna, ben].allSatisfy { device in
        guard let seen = try device.store.object(photo) else { return false }
        return seen.caption == "The ferry" && seen.tags == ["ferry", "lake"] && seen.likedBy == [ben.store.user]
          && isSettled(device)
      }
    }
    say("  both have the caption, both tags and the like")
  }

  private func measure(_ trip: Moment.ID) async throws {
    let photo = try photos(in: trip, anna)[2].id
    var times: [Int] = []
    for number in 0..<21 {
      let begin = ContinuousClock.now
      let hides = number.isMultiple(of: 2)
      if hides { anna.store.perform(Photo.Hide(photo)) } else { anna.store.perform(Photo.Show(photo)) }
      try await until("ben sees what anna does") { try ben.store.object(photo)?.hidden == hides }
      times.append(milliseconds(since: begin))
    }
    say("\nOnline, hiding a photo reaches ben's device in \(times.sorted()[10]) ms (median of 21).")
  }

  private func photos(in moment: Moment.ID, _ device: Device) throws -> [Photo] {
    try device.store.objects(Photo.self, orderedBy: .ascending(\.takenAt)).filter { $0.moment == moment }
  }

  private func isSettled(_ device: Device) -> Bool {
    device.store.pendingOperations.isEmpty && device.store.files.progress.isIdle
      && device.store.failedOperations.isEmpty
  }

  private func check(_ holds: Bool, _ what: String) throws {
    guard holds else { throw CommandError("It does not hold that \(what).") }
  }

  private func until(_ what: String, _ holds: () throws -> Bool) async throws {
    for _ in 0..<15_000 {
      if try holds() { return }
      try await Task.sleep(for: .milliseconds(2))
    }
    let waiting = [anna, ben].map {
      "\($0.name) has \($0.store.pendingOperations.count) waiting, \($0.store.failedOperations.map(\.reason))"
    }
    throw CommandError("It does not come that \(what): \(waiting.joined(separator: "; ")).")
  }

  private func milliseconds(since begin: ContinuousClock.Instant) -> Int {
    Int((ContinuousClock.now - begin) / .milliseconds(1))
  }
}
