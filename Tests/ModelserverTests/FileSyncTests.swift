// Files between two devices over the real server.

import Foundation
import ModelRuntime
import MomentsModels
import SyncProtocol
import TestSupport
import Testing

@Suite struct FileSyncTests {
  @Test func whatOneAddsTheOtherReads() async throws {
    let server = try LiveServer()
    let (anna, ben) = (try Device("anna", server), try Device("ben", server))
    let moment = anna.store.create(Moment(title: "Summit", startsAt: nil, cover: nil))
    let owner = Member(moment: moment.id, user: anna.store.user, name: "Anna")
    anna.store.create(owner)
    let bytes = Device.bytes(3_000_000)
    let file = try await anna.store.file(from: .bytes(bytes), name: "summit.jpg")
    #expect(file.mime == "image/jpeg" && file.size == 3_000_000)
    let photo = anna.store.create(Photo(moment: moment.id, owner: owner.id, file: file, takenAt: .now))
    try await anna.store.saved()
    #expect(anna.store.files.status(of: file, in: photo.queueID) == .uploading(sent: 0, of: 3_000_000))
    let share = anna.store.perform(Moment.Share(moment.id, photos: [photo.id], recipient: ben.store.user))
    try await anna.client.syncOnce()
    try await share.confirmed()
    #expect(anna.store.files.status(of: file, in: photo.queueID) == .uploaded)
    #expect(anna.store.files.progress.isIdle)

    try await ben.client.syncOnce()
    let seen = try #require(try ben.store.object(photo.id))
    #expect(ben.store.files.status(of: seen.file, in: seen.queueID) == .remote)
    let running = Task { [client = ben.client] in try await client.run() }
    let local = try await ben.store.files.read(seen.file, in: seen.queueID)
    #expect(try local.bytes() == bytes)
    #expect(ben.store.files.status(of: seen.file, in: seen.queueID) == .uploaded)
    running.cancel()
    try await running.value
    // Whoever added it never fetches it.
    #expect(try await anna.store.files.read(file, in: photo.queueID).bytes() == bytes)
    #expect(server.stop() == 0)
  }
}

/// A store and its client.
private struct Device {
  let store: ModelStore
  let client: SyncClient
  let folder: TemporaryFolder

  init(_ name: String, _ server: LiveServer) throws {
    folder = try TemporaryFolder()
    store = try ModelStore(
      at: folder.url("store").path, schema: MomentsSchema.self, user: UserID(SyncID.user(subject: name, issuer: nil)))
    client = SyncClient(store: store, transport: HTTPTransport(url: server.url) { _ in Token.make(name) })
  }

  static func bytes(_ count: Int) -> [UInt8] {
    var random = SeededRandom(seed: UInt64(count))
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }
}
