// What an app relies on: visible at once, on disk when it says so, confirmed when it comes back.

import Foundation
import ModelRuntime
import MomentsModels
import Testing

@Suite struct StoreTests {
  let temporary: TemporaryStore
  let moment = Moment(title: "Hut to hut")
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

  @Test func whatIsDoneIsVisibleAtOnce() throws {
    let photo = store.create(photo())
    #expect(try store.object(photo.id) == photo)
    store.update(photo.id) { $0.caption = "Summit" }
    #expect(try store.object(photo.id)?.caption == "Summit")
    #expect(store.isPending(photo.id))
    store.delete(photo.id)
    #expect(try store.object(photo.id) == nil)
  }

  @Test func whatIsSavedIsThereAfterARestart() async throws {
    let photo = store.create(photo())
    try await store.update(photo.id) { $0.caption = "Summit" }.saved()
    let reopened = try temporary.reopen()
    #expect(try reopened.object(photo.id)?.caption == "Summit")
    #expect(reopened.isPending(photo.id))
    #expect(reopened.outgoing(in: moment.id.queueID).count == 2)
  }

  @Test func anOperationLeavesWhenOutcomeAndDeltaHaveCome() async throws {
    let photo = store.create(photo())
    let queue = moment.id.queueID
    try await store.saved()
    let operation = store.outgoing(in: queue)[0]
    try await store.markSent([operation.id])
    try await store.take([OperationOutcome(operation: operation.id, status: .applied, at: 1)], in: queue)
    #expect(store.isPending(photo.id), "the delta has not come")
    #expect(try store.object(photo.id) == photo)
    try await store.reveal(
      QueueDelta(queue: queue.rawValue, objects: [store.state(of: photo, revision: 1)], cursor: 1))
    #expect(!store.isPending(photo.id))
    #expect(try store.object(photo.id) == photo)
    #expect(try temporary.reopen().object(photo.id) == photo)
  }

  @Test func editsOfOthersAndOursMergeByField() async throws {
    let queue = moment.id.queueID
    var photo = photo()
    try await store.reveal(
      QueueDelta(queue: queue.rawValue, objects: [store.state(of: photo, revision: 1)], cursor: 1))
    store.update(photo.id) { $0.caption = "Mine" }
    photo.hidden = true
    try await store.reveal(
      QueueDelta(queue: queue.rawValue, objects: [store.state(of: photo, revision: 2)], cursor: 2))
    #expect(try store.object(photo.id)?.caption == "Mine")
    #expect(try store.object(photo.id)?.hidden == true)
  }

  @Test func aRefusedOperationIsTakenBackAndReported() async throws {
    let queue = moment.id.queueID
    let photo = store.create(photo())
    let edit = store.update(photo.id) { $0.caption = "Summit" }
    try await store.saved()
    let create = store.outgoing(in: queue)[0]
    try await store.markSent([create.id])
    try await store.take([OperationOutcome(operation: create.id, status: .rejected("forbidden"), at: 0)], in: queue)
    #expect(try store.object(photo.id) == nil)
    #expect(store.attention.map(\.reason.code) == [.rejected, .dependency])
    await #expect { try await edit.confirmed() } throws: { ($0 as? StoreError)?.code == .dependency }
    #expect(try temporary.reopen().attention.count == 2)
  }

  @Test func anEditOfWhatOthersDeletedIsMarkedAndReported() async throws {
    let queue = moment.id.queueID
    let photo = photo()
    try await store.reveal(
      QueueDelta(queue: queue.rawValue, objects: [store.state(of: photo, revision: 1)], cursor: 1))
    let edit = store.update(photo.id) { $0.caption = "Summit" }
    let delete = store.delete(photo.id)
    try await store.saved()
    #expect(store.outbox.map(\.applies) == [true, true])
    let gone = ObjectState(id: photo.id.rawValue, revision: 2, live: nil)
    try await store.reveal(QueueDelta(queue: queue.rawValue, objects: [gone], cursor: 2))
    #expect(store.outbox.map(\.applies) == [false, true])
    try await store.markSent([edit.id, delete.id])
    let outcomes = [edit, delete].map { OperationOutcome(operation: $0.id, status: .noEffect, at: 2) }
    try await store.take(outcomes, in: queue)
    #expect(store.outbox.isEmpty)
    #expect(store.attention.map(\.id) == [edit.id], "the second delete has lost nothing")
    #expect(store.attention.map(\.reason.code) == [.noEffect])
    await #expect { try await edit.confirmed() } throws: { ($0 as? StoreError)?.code == .noEffect }
    try await delete.confirmed()
    #expect(try temporary.reopen().attention.map(\.reason.code) == [.noEffect])
  }

  @Test func theSamePhotoOnceMoreIsNotReported() async throws {
    let queue = moment.id.queueID
    let photo = photo()
    store.create(photo)
    try await store.saved()
    let id = store.outgoing(in: queue)[0].id
    try await store.markSent([id])
    try await store.take([OperationOutcome(operation: id, status: .noEffect, at: 1)], in: queue)
    try await store.reveal(
      QueueDelta(queue: queue.rawValue, objects: [store.state(of: photo, revision: 1)], cursor: 1))
    #expect(store.attention.isEmpty)
    #expect(store.outbox.isEmpty)
  }

  @Test func whatCannotBeDoneIsReported() async throws {
    let handle = store.update(photo().id) { $0.caption = "Nowhere" }
    await #expect { try await handle.saved() } throws: { ($0 as? StoreError)?.code == .refused }
    #expect(store.attention.map(\.name) == ["photo.update"])
  }

  @Test func whoeverShowsHowSyncStandsLearnsThatAReportWasPutAway() async throws {
    let handle = store.update(photo().id) { $0.caption = "Nowhere" }
    try await store.saved()
    let (rings, bell) = AsyncStream.makeStream(of: Void.self)
    try await store.takeSync { bell.yield() }
    try await store.dismiss(handle.id)
    bell.finish()
    #expect(await rings.reduce(into: 0) { count, _ in count += 1 } == 1)
    #expect(store.operationCounts.attention == 0)
  }

  @Test func takingBackBeforeSendingLeavesNoTrace() async throws {
    let photo = store.create(photo())
    try await store.saved()
    let edit = store.update(photo.id) { $0.caption = "Summit" }
    let later = store.update(photo.id) { $0.hidden = true }
    edit.cancel()
    #expect(try store.object(photo.id) == photo)
    await #expect { try await later.saved() } throws: { ($0 as? StoreError)?.code == .cancelled }
    try await store.saved()
    #expect(try temporary.reopen().object(photo.id) == photo)
  }

  @Test(arguments: ["/store.sqlite", "/store.sqlite/inner/store"]) func aFileIsNoPlaceForAStore(path: String) throws {
    #expect {
      _ = try ModelStore(at: temporary.folder + path, schema: MomentsSchema.self, user: UserID(.zero))
    } throws: { "\($0)".contains("store.sqlite is a file; a store is a folder") }
  }

  @Test func nobodyElseLooksIntoAStore() throws {
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
    let photo = store.create(photo())
    var values = store.values(of: photo.id).makeAsyncIterator()
    #expect(try await values.next() == .some(photo))
    store.update(photo.id) { $0.caption = "Summit" }
    #expect(try await values.next()??.caption == "Summit")
  }
}
