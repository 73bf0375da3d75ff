// The promises to an app: changes are visible at once, on disk when saved, and confirmed when they come back.

import Foundation
import GRDB
import ModelSupport
import MomentsModels
import StoreTestSupport
import TestSupport
import Testing

@Suite struct StoreTests {
  let temporary: TemporaryStore
  let server = HandServer()
  let moment = Moment(title: "Hut to hut")
  var queue: QueueID { moment.id.queueID }
  var store: ModelStore { temporary.store }

  init() throws {
    temporary = try TemporaryStore()
  }

  private func photo(_ hash: UInt64 = 1) -> Photo {
    Photo(
      moment: moment.id, owner: .zero,
      file: FileReference(hash: ContentHash(words: (hash, 2, 3, 4)), size: 1, mime: "image/jpeg", name: "a.jpg"),
      takenAt: Timestamp(millisecondsSince1970: 5))
  }

  @Test func operationsAreVisibleAtOnce() throws {
    let photo = photo()
    store.create(photo)
    #expect(try store.object(photo.id) == photo)
    store.update(photo.id) { $0.caption = "Summit" }
    #expect(try store.object(photo.id)?.caption == "Summit")
    #expect(store.isPending(photo.id))
    store.delete(photo.id)
    #expect(try store.object(photo.id) == nil)
  }

  @Test func savedOperationsSurviveRestart() async throws {
    try await server.reveal(upTo: 0, to: store, in: queue)
    let photo = photo()
    store.create(photo)
    try await store.update(photo.id) { $0.caption = "Summit" }.waitUntilSaved()
    let reopened = try temporary.reopen()
    #expect(try reopened.object(photo.id)?.caption == "Summit")
    #expect(reopened.isPending(photo.id))
    #expect(try await reopened.send(in: queue).count == 2)
  }

  @Test func handleOfAnEarlierLaunchFollowsItsOperation() async throws {
    try await server.reveal(upTo: 0, to: store, in: queue)
    let photo = photo()
    try await store.create(photo).waitUntilSaved()
    let reopened = try temporary.reopen()
    let handle = try #require(reopened.pendingOperations.first).handle
    #expect("\(handle.state)" == "saved")
    _ = try await reopened.send(in: queue)
    let listedLater = try #require(reopened.pendingOperations.first)
    #expect("\(handle.state)" == "sent" && "\(listedLater.state)" == "sent")
    try await server.answer(.applied, to: handle.id, at: 1, to: reopened, in: queue)
    try await server.reveal([reopened.state(of: photo, revision: 1)], upTo: 1, to: reopened, in: queue)
    try await handle.waitUntilConfirmed()
    try await listedLater.handle.waitUntilConfirmed()
    #expect("\(handle.state)" == "confirmed(hadEffect: true)" && reopened.pendingOperations.isEmpty)
  }

  @Test func createCanBeAwaitedAndCancelled() async throws {
    try await server.reveal(upTo: 0, to: store, in: queue)
    let photo = photo()
    let creation = store.create(photo)
    let tag = store.perform(Photo.Label(photo.id, tag: "hut"), after: [creation])
    try await store.waitUntilSaved()
    #expect(try await store.send(in: queue).map(\.operation) == [creation.id], "the tag comes after it")
    try await server.answer(.applied, to: creation.id, at: 1, to: store, in: queue)
    try await server.reveal([store.state(of: photo, revision: 1)], upTo: 1, to: store, in: queue)
    try await creation.waitUntilConfirmed()
    #expect(try await store.send(in: queue).map(\.operation) == [tag.id])

    let other = self.photo(2)
    store.create(other)
    // As an app does that has been started again since.
    try #require(store.pendingOperations.first { $0.objects == [other.id.rawValue] }).handle.cancel()
    #expect(try store.object(other.id) == nil && store.pendingOperations.map(\.id) == [tag.id])
  }

  @Test func opensStoreAtFileURLOnly() async throws {
    let elsewhere = try #require(URL(string: "https://example.org/store"))
    let error = #expect(throws: StoreError.self) {
      try ModelStore(at: elsewhere, schema: MomentsSchema.self, user: .zero)
    }
    #expect(error?.message.contains("example.org") == true)
    #expect(throws: StoreError.self) {
      try ModelStore.salvage(at: elsewhere, schema: MomentsSchema.self, user: .zero)
    }
    #expect(throws: StoreError.self) {
      try ModelStore.temporary(MomentsSchema.self, files: FileOptions(cacheFolder: elsewhere))
    }
    let refusal = await #expect(throws: FileError.self) {
      try await StoreFiles.add(from: .bytes([1]), toStoreAt: elsewhere)
    }
    #expect(refusal?.message.contains("example.org") == true)
    let folder = try TemporaryFolder()
    let store = try ModelStore(at: folder.url("a store"), schema: MomentsSchema.self, user: .zero)
    #expect(FileManager.default.fileExists(atPath: folder.url("a store/store.sqlite").path))
    withExtendedLifetime(store) {}
  }

  /// For readers without the schema, such as `modelinspect`.
  @Test func storesFieldNamesOfSyncObjects() throws {
    let database = try DatabaseQueue(path: temporary.folder + "/store.sqlite")
    let fields = try database.read { database in
      try ["sync.member", "sync.membership", "home.acceptance"].map { name in
        try String.fetchOne(database, sql: "SELECT fields FROM type WHERE name = ?", arguments: [name]) ?? ""
      }
    }
    let names = [["user", "role", "since"], ["queue", "role", "grant"], ["queue", "history"]]
    for (fields, names) in zip(fields, names) {
      for name in names { #expect(fields.contains("\"name\":\"\(name)\"")) }
    }
  }

  @Test func anOperationLeavesWhenOutcomeAndDeltaHaveCome() async throws {
    try await server.reveal(upTo: 0, to: store, in: queue)
    let photo = photo()
    store.create(photo)
    try await store.waitUntilSaved()
    let sent = try await store.send(in: queue)[0].operation
    try await server.answer(.applied, to: sent, at: 1, to: store, in: queue)
    #expect(store.isPending(photo.id), "the delta has not come")
    #expect(try store.object(photo.id) == photo)
    // The store knows the outcome, so the page does not bring it again.
    try await server.reveal([store.state(of: photo, revision: 1)], upTo: 1, asking: 0, to: store, in: queue)
    #expect(!store.isPending(photo.id))
    #expect(try store.object(photo.id) == photo)
    #expect(try temporary.reopen().object(photo.id) == photo)
  }

  @Test func editsOfOthersAndOursMergeByField() async throws {
    var photo = photo()
    try await server.reveal([store.state(of: photo, revision: 1)], upTo: 1, to: store, in: queue)
    store.update(photo.id) { $0.caption = "Mine" }
    photo.hidden = true
    try await server.reveal([store.state(of: photo, revision: 2)], upTo: 2, to: store, in: queue)
    #expect(try store.object(photo.id)?.caption == "Mine")
    #expect(try store.object(photo.id)?.hidden == true)
  }

  @Test func aRefusedOperationIsTakenBackAndReported() async throws {
    try await server.reveal(upTo: 0, to: store, in: queue)
    let photo = photo()
    store.create(photo)
    let edit = store.update(photo.id) { $0.caption = "Summit" }
    try await store.waitUntilSaved()
    let create = try await store.send(in: queue, limit: 1)[0].operation
    try await server.answer(.rejected("forbidden"), to: create, at: 0, to: store, in: queue)
    #expect(try store.object(photo.id) == nil)
    #expect(store.failedOperations.map(\.reason.code) == [.forbidden, .dependency])
    await #expect { try await edit.waitUntilConfirmed() } throws: { ($0 as? StoreError)?.code == .dependency }
    #expect(try temporary.reopen().failedOperations.count == 2)
  }

  @Test func editOfDeletedObjectIsMarkedAndReported() async throws {
    let photo = photo()
    try await server.reveal([store.state(of: photo, revision: 1)], upTo: 1, to: store, in: queue)
    let edit = store.update(photo.id) { $0.caption = "Summit" }
    let delete = store.delete(photo.id)
    try await store.waitUntilSaved()
    #expect(store.pendingOperations.map(\.applies) == [true, true])
    let gone = ObjectState(id: photo.id.rawValue, revision: 2, live: nil)
    try await server.reveal([gone], upTo: 2, to: store, in: queue)
    #expect(store.pendingOperations.map(\.applies) == [false, true])
    #expect(try await store.send(in: queue).map(\.operation) == [edit.id, delete.id])
    let outcomes = [edit, delete].map { OperationOutcome(operation: $0.id, status: .noEffect, at: 2) }
    try await server.answer(outcomes, to: store, in: queue)
    #expect(store.pendingOperations.isEmpty)
    #expect(store.failedOperations.map(\.id) == [edit.id], "the second delete has lost nothing")
    #expect(store.failedOperations.map(\.reason.code) == [.noEffect])
    await #expect { try await edit.waitUntilConfirmed() } throws: { ($0 as? StoreError)?.code == .noEffect }
    try await delete.waitUntilConfirmed()
    #expect(try temporary.reopen().failedOperations.map(\.reason.code) == [.noEffect])
  }

  @Test func createOfExistingObjectIsNotReported() async throws {
    try await server.reveal(upTo: 0, to: store, in: queue)
    let photo = photo()
    store.create(photo)
    try await store.waitUntilSaved()
    let id = try await store.send(in: queue)[0].operation
    try await server.answer(.noEffect, to: id, at: 1, to: store, in: queue)
    try await server.reveal([store.state(of: photo, revision: 1)], upTo: 1, to: store, in: queue)
    #expect(store.failedOperations.isEmpty)
    #expect(store.pendingOperations.isEmpty)
  }

  @Test func editOfAbsentObjectIsReported() async throws {
    let handle = store.update(photo().id) { $0.caption = "Nowhere" }
    await #expect { try await handle.waitUntilSaved() } throws: { ($0 as? StoreError)?.code == .refused }
    #expect(store.failedOperations.map(\.name) == ["photo.update"])
  }

  @Test func dismissingReportWakesSyncClient() async throws {
    let handle = store.update(photo().id) { $0.caption = "Nowhere" }
    try await store.waitUntilSaved()
    let (rings, bell) = AsyncStream.makeStream(of: Void.self)
    try await store.takeSync { bell.yield() }
    try await store.dismiss(handle.id)
    bell.finish()
    #expect(await rings.reduce(into: 0) { count, _ in count += 1 } == 1)
    #expect(store.operationCounts.failed == 0)
  }

  @Test func cancelBeforeSendingLeavesNoTrace() async throws {
    let photo = photo()
    store.create(photo)
    try await store.waitUntilSaved()
    let edit = store.update(photo.id) { $0.caption = "Summit" }
    let later = store.update(photo.id) { $0.hidden = true }
    edit.cancel()
    #expect(try store.object(photo.id) == photo)
    await #expect { try await later.waitUntilSaved() } throws: { ($0 as? StoreError)?.code == .cancelled }
    try await store.waitUntilSaved()
    #expect(try temporary.reopen().object(photo.id) == photo)
  }

  @Test(arguments: ["/store.sqlite", "/store.sqlite/inner/store"]) func refusesStoreAtPathOfAFile(path: String) throws {
    #expect {
      _ = try ModelStore(at: temporary.folder + path, schema: MomentsSchema.self, user: UserID(.zero))
    } throws: { "\($0)".contains("store.sqlite is a file; a store is a folder") }
  }

  @Test(
    .enabled(if: Program.keepsLocks),
    arguments: [
      ("locked/store", "You may not write to FOLDER/locked. Name"),
      ("locked/inner/store", "There is no folder FOLDER/locked/inner, and it cannot be made: You may not write to"),
    ]) func errorNamesFolderThatMayNotBeWritten(path: String, message: String) throws
  {
    let folder = try TemporaryFolder()
    for permissions in [0o555, 0o000] {
      try FileManager.default.createDirectory(at: folder.url("locked"), withIntermediateDirectories: true)
      try folder.setPermissions(permissions, of: "locked")
      defer { try? folder.setPermissions(0o755, of: "locked") }
      let outcome = try Program.built("StoreVictim").runWithoutPrivileges(
        [folder.url(path).path, "1", "1"], in: folder.url)
      #expect(outcome.errors.contains(message.replacing("FOLDER", with: folder.url.path)), "\(outcome.text)")
    }
  }

  @Test func storeFolderHasPrivatePermissions() throws {
    let folder = temporary.folder + "/inner"
    _ = try ModelStore(at: folder, schema: MomentsSchema.self, user: UserID(.zero))
    let permissions = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
    #expect(permissions == 0o700)
  }

  @Test func aStoreBelongsToOneUser() throws {
    store.abandon()
    #expect { _ = try ModelStore(at: temporary.folder, schema: MomentsSchema.self, user: UserID(.zero)) } throws: {
      ($0 as? StoreError)?.code == .foreign
    }
  }

  @Test func observersSeeEveryNewestValue() async throws {
    let photo = photo()
    store.create(photo)
    var values = store.updates(of: photo.id).makeAsyncIterator()
    #expect(try await values.next() == .some(photo))
    store.update(photo.id) { $0.caption = "Summit" }
    #expect(try await values.next()??.caption == "Summit")
  }
}
