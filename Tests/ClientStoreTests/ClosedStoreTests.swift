// After `close` every call that throws throws `closed`, every sequence ends, and the rest shows what was last known.

import Foundation
import ModelSupport
import MomentsModels
import SampleIDs
import TestSupport
import Testing

@Suite struct ClosedStoreTests {
  private let folder: TemporaryFolder
  private let store: ModelStore
  private let moment: Moment

  init() async throws {
    folder = try TemporaryFolder()
    let user = UserID(high: 1, low: 1)
    store = try ModelStore(at: folder.url("store").path, schema: MomentsSchema.self, user: user)
    // Pending, so that it could be answered from memory.
    moment = Moment(title: "Summer")
    store.create(moment)
  }

  private func expectClosed(_ what: String, _ body: () async throws -> Void) async {
    do {
      try await body()
      Issue.record("\(what) does not throw")
    } catch {
      #expect((error as? StoreError)?.code == .closed, "\(what) throws \(error)")
    }
  }

  @Test func everyReadThrowsClosed() async throws {
    let cells = store.list(Photo.timeline, as: Photo.Cell.self)
    let list = store.list(Moment.all)
    let snapshot = list.snapshot
    try await store.close()
    let (id, queue) = (moment.id, moment.id.queueID)
    let photo = Photo.ID.new(in: queue)
    await expectClosed("object") { _ = try store.object(id) }
    await expectClosed("objects") { _ = try store.objects(Moment.self) }
    await expectClosed("systemFields") { _ = try store.systemFields(of: id) }
    await expectClosed("members") { _ = try store.members(of: queue) }
    await expectClosed("invitations") { _ = try store.invitations() }
    await expectClosed("view") { _ = try store.view(Photo.Cell.self, of: photo) }
    await expectClosed("view of a list") { _ = try cells.view(photo) }
    await expectClosed("object of a list") { _ = try list.object(at: 0, of: snapshot) }
    await expectClosed("snapshot(of:)") { _ = try await store.snapshot(of: Moment.all) }
    await expectClosed("objects(in:)") { _ = try await store.objects(in: Moment.all) }
    await expectClosed("saved") { try await store.waitUntilSaved() }
    await expectClosed("an operation") { try await store.delete(id).waitUntilSaved() }
    await expectClosed("dismiss") { try await store.dismiss(.zero) }
    let file = FileReference(hash: ContentHash(of: [1]), size: 1, mime: "", name: "")
    await #expect { _ = try await store.files.read(file, in: queue) } throws: { ($0 as? FileError)?.code == .ended }
    await #expect { _ = try await store.files.add(from: .bytes([1])) } throws: { ($0 as? FileError)?.code == .ended }
  }

  @Test func showsLastKnownStateAfterClose() async throws {
    let list = store.list(Moment.all)
    #expect(list.snapshot.count == 1)
    try await store.close()
    #expect(list.snapshot.count == 1 && store.isPending(moment.id) && store.pendingOperations.count == 1)
    #expect(store.failedOperations.isEmpty && !store.can(.delete, moment.id))
  }

  @MainActor @Test func liveObjectKeepsItsValue() async throws {
    let live = store.live(moment.id)
    #expect(live.value == moment)
    try await store.close()
    #expect(live.value == moment && live.error?.code == .closed)
  }

  @Test(.hangGuard) func everySequenceEnds() async throws {
    let (store, id) = (store, moment.id)
    let file = FileReference(hash: ContentHash(of: [1]), size: 1, mime: "", name: "")
    let list = store.list(Moment.all)
    let ends: [(String, @Sendable () async throws -> Void)] = [
      ("updates(of:)", { for try await _ in store.updates(of: id) {} }),
      ("memberUpdates(of:)", { for try await _ in store.memberUpdates(of: id.queueID) {} }),
      ("invitationUpdates()", { for try await _ in store.invitationUpdates() {} }),
      ("failedOperationUpdates()", { for try await _ in store.failedOperationUpdates() {} }),
      ("updates", { for await _ in list.updates {} }),
      ("statuses of a file", { for await _ in store.files.statusUpdates(of: file, in: id.queueID) {} }),
      ("progressUpdates of files", { for await _ in store.files.progressUpdates {} }),
    ]
    let tasks = ends.map { (name, body) in (name, Task { try await body() }) }
    for _ in 0..<100 { await Task.yield() }
    try await store.close()
    for (number, (name, task)) in tasks.enumerated() {
      let result = await task.result
      if number < 4 {
        #expect(throws: StoreError.self, "\(name)") { try result.get() }
      } else {
        #expect(throws: Never.self, "\(name)") { try result.get() }
      }
    }
    // One that begins now ends at once.
    for await _ in list.updates { Issue.record("an update of a closed store") }
  }
}
