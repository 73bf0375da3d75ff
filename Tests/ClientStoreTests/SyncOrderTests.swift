// The store keeps its promises to sync, whatever comes late, twice or out of order.

import Foundation
import ModelSupport
import SampleIDs
import StoreTestSupport
import TestSupport
import Testing

@testable import ClientStore

@Suite struct SyncOrderTests {
  private let disk = FaultDisk()
  private let tasks = HeldTasks()
  private let queue = QueueID.queue(2)
  private let server = HandServer()
  private let store: ModelStore

  init() throws {
    store = try RuntimeEnvironment.$current.withValue(.seeded(1, spawning: tasks.spawn)) { [disk] in
      try ModelStore(at: disk.folder, schema: WorkloadSchema.self, user: Workload.user)
    }
  }

  private func entry(_ text: String = "") -> Entry {
    var entry = Entry(zeroWithID: .new(in: queue))
    (entry.box, entry.text) = (queue, text)
    return entry
  }

  private func page(_ entry: Entry, revision: Int64) throws -> AnsweredDelta {
    server.page([try store.state(of: entry, revision: revision)], upTo: revision, for: store, in: queue)
  }

  private func reveal(_ entry: Entry, revision: Int64) async throws {
    try await store.receive(page(entry, revision: revision))
  }

  private struct Other: Model {
    let id: ObjectID<Other>
    var box = QueueID.zero
    var unknownFields = UnknownFields.none

    static let modelName = "other"
    var queueID: QueueID? { box }

    init(zeroWithID id: ObjectID<Other>) { self.id = id }

    static let fieldTable = FieldTable("other", unknownFields: \Self.unknownFields, Field(1, "box", \Self.box))
  }

  /// A list that was read then showed the row, which is of its type still.
  @Test func listIsToldIfPendingOperationsChangeRowType() async throws {
    let entry = entry("a")
    try await reveal(entry, revision: 3)
    store.delete(entry.id)
    var other = Other(zeroWithID: ObjectID(entry.id.rawValue))
    other.box = queue
    store.create(other)
    #expect(try store.object(other.id) != nil, "the id has another type now")
    #expect(store.memory.withLock { $0.overlaidForLists(of: Entry.modelName) }.count == 1)
  }

  @Test func olderPageDoesNotOverwriteNewerObject() async throws {
    var entry = entry("old")
    let old = try page(entry, revision: 3)
    entry.text = "new"
    try await reveal(entry, revision: 5)
    try await store.receive(old)
    #expect(try store.object(entry.id)?.text == "new")
    #expect(store.place(of: queue).cursor == 5)
  }

  @Test func answersTellTheirEffectOnTheirQueue() async throws {
    let first = try page(entry(), revision: 3)
    let loaded = try await store.receive([first])
    #expect(loaded == [queue: PullResult(before: QueuePlace(), after: store.place(of: queue))])
    #expect(try await store.receive([first]) == loaded, "the second time it is ignored")
    store.create(entry())
    await tasks.run()
    let sent = try await store.send(in: queue)
    let outcomes = sent.map { OperationOutcome(operation: $0.operation, status: .applied, at: 4) }
    let last = server.page(upTo: 4, outcomes: outcomes, for: store, in: queue)
    #expect(try await store.receive([last])[queue]?.hasSettled == true)
    let refusal = AnsweredDelta(store.question(of: queue), at: .zero, .refused(.noQueue))
    let gone = try await store.receive([refusal])
    #expect(gone[queue]?.isUnknown == true && gone[queue]?.after.load == .revoked)
  }

  @Test func olderPageDoesNotOverwriteObjectUnderEdit() async throws {
    let entry = entry("new")
    var old = entry
    old.text = "old"
    let late = try page(old, revision: 3)
    try await reveal(entry, revision: 5)
    store.update(entry.id) { $0.tags.insert("a") }
    await tasks.run()
    try await store.receive(late)
    #expect(try store.object(entry.id)?.text == "new")
  }

  @Test func olderPageDoesNotRestoreDeletedObject() async throws {
    let entry = entry("new")
    try await reveal(entry, revision: 3)
    let late = try page(entry, revision: 4)
    let gone = ObjectState(id: entry.id.rawValue, revision: 5, live: nil)
    try await server.reveal([gone], upTo: 5, to: store, in: queue)
    try await store.receive(late)
    #expect(try store.object(entry.id) == nil)
    #expect(store.place(of: queue).cursor == 5)
  }

  /// The user cancels an edit at some moment of sending. If it is sent, it stays pending and voided; if not, it has
  /// left.
  @Test func editCancelledBeforeSendingIsNotSent() throws {
    var counts = (sent: 0, takenBack: 0)
    for jobs in 0..<12 {
      let executor = SeededExecutor(seed: UInt64(jobs))
      let disk = FaultDisk()
      let store = try RuntimeEnvironment.$current.withValue(.seeded(1, spawning: { executor.spawn($0) })) {
        try ModelStore(at: disk.folder, schema: WorkloadSchema.self, user: Workload.user)
      }
      let (queue, server) = (queue, server)
      try executor.run { try await server.reveal(upTo: 0, to: store, in: queue) }
      let entry = entry()
      store.create(entry)
      let edit = store.update(entry.id) { $0.text = "mine" }
      try executor.run { try await store.waitUntilSaved() }
      let send: @Sendable () async throws -> [CommitRequest.Mutation] = { try await store.send(in: queue) }
      let sent = try executor.run(send, after: jobs) { edit.cancel() }
      executor.runUntilIdle()
      let isSent = sent.contains { $0.operation == edit.id }
      #expect(sent.count == (isSent ? 2 : 1))
      #expect(store.pendingOperations.map(\.isVoided) == (isSent ? [false, true] : [false]), "after \(jobs) jobs")
      if isSent { counts.sent += 1 } else { counts.takenBack += 1 }
    }
    #expect(counts.sent > 0 && counts.takenBack > 1, "\(counts)")
  }

  @Test func waitForConfirmationEndsOnCancelOrClose() async throws {
    let entry = entry()
    store.create(entry)
    let handles = ["one", "two"].map { text in store.update(entry.id) { $0.text = text } }
    let waiting = handles.map { handle in Task { try await handle.waitUntilConfirmed() } }
    for handle in handles { while !handle.record.isAwaited { await Task.yield() } }
    waiting[0].cancel()
    await tasks.run()
    await #expect(throws: CancellationError.self) { try await waiting[0].value }
    try await store.close()
    await #expect { try await waiting[1].value } throws: { ($0 as? StoreError)?.code == .closed }
    await #expect { try await handles[0].waitUntilConfirmed() } throws: { ($0 as? StoreError)?.code == .closed }
    try await handles[0].waitUntilSaved()
  }

  @Test func waitForConfirmationThrowsIfDiskFails() async throws {
    let entry = entry()
    store.create(entry)
    let saved = store.update(entry.id) { $0.text = "saved" }
    await tasks.run()
    let waiting = Task { try await saved.waitUntilConfirmed() }
    while !saved.record.isAwaited { await Task.yield() }
    disk.fail(.write, at: 1, lasting: true, .inputOutput)
    store.update(entry.id) { $0.text = "lost" }
    await tasks.run()
    await #expect { try await waiting.value } throws: { ($0 as? StoreError)?.code == .inputOutput }
  }

  @Test func unwrittenAnswerTakesEffectOnlyWhenRepeated() async throws {
    try await server.reveal(upTo: 0, to: store, in: queue)
    store.create(entry())
    store.create(entry())
    await tasks.run()
    let ids = try await store.send(in: queue).map(\.operation)
    let answer = CommitAnswer.Decided(
      grant: ServerPages.grant, role: .owner,
      outcomes: [OperationOutcome(operation: ids[0], status: .applied, at: 1)],
      waiting: [.init(operation: ids[1], files: [])])
    disk.fail(.write, at: 1, .diskFull)
    await #expect(throws: StoreError.self) { try await store.receive(answer, in: queue) }
    #expect(store.syncNeeds()[queue]?.waitsForFiles == false)
    disk.heal()
    try await store.receive(answer, in: queue)
    #expect(store.syncNeeds()[queue]?.waitsForFiles == true)
  }

  /// A settlement overtakes a batch on its way to the writer. Operations that leave by it are not written.
  @Test func operationThatLeavesDuringSaveIsNotWritten() async throws {
    try await server.reveal(upTo: 0, to: store, in: queue)
    let entry = entry()
    store.create(entry)
    await tasks.run()
    let create = try await store.send(in: queue)[0].operation
    store.update(entry.id) { $0.text = "built on it" }
    let batch = store.memory.withLock { $0.saves.takeBatch(of: $0.outbox) }
    try await server.answer(.rejected("forbidden"), to: create, at: 0, to: store, in: queue)
    try await store.save(batch)
    store.abandon()
    let reopened = try ModelStore(at: disk.folder, schema: WorkloadSchema.self, user: Workload.user)
    #expect(reopened.pendingOperations.isEmpty)
    #expect(reopened.failedOperations.map(\.reason.code) == [.forbidden, .dependency])
  }

  @Test func refusesPageOfQueueWithZeroID() async throws {
    let sketch = Sketch(zeroWithID: .new(in: nil))
    store.create(sketch)
    await tasks.run()
    let gone = ObjectState(id: sketch.id.rawValue, revision: 9, live: nil)
    await #expect { try await server.reveal([gone], upTo: 9, to: store, in: .zero) } throws: {
      ($0 as? StoreError)?.code == .refused
    }
    #expect(try store.object(sketch.id) == sketch)
  }

  @Test func nothingIsSentBeforeItIsOnDisk() async throws {
    try await server.reveal(upTo: 0, to: store, in: queue)
    let entry = entry()
    store.create(entry)
    #expect(try await store.send(in: queue).isEmpty && store.isPending(entry.id))
    await tasks.run()
    #expect(try await store.send(in: queue).count == 1)
  }

  @Test func cancelledSentEditIsHiddenUntilServerDecides() async throws {
    let entry = entry("theirs")
    try await reveal(entry, revision: 1)
    let edit = store.update(entry.id) { $0.text = "mine" }
    await tasks.run()
    #expect(try await store.send(in: queue).map(\.operation) == [edit.id])
    edit.cancel()
    #expect(try store.object(entry.id)?.text == "theirs")
    #expect(try await store.send(in: queue).map(\.isVoid) == [true], "the server is asked for it")
    await tasks.run()
    store.abandon()
    let reopened = try ModelStore(at: disk.folder, schema: WorkloadSchema.self, user: Workload.user)
    #expect(reopened.pendingOperations.map(\.isVoided) == [true], "after a restart as well")
    try await server.answer(.voided, to: edit.id, at: 1, to: store, in: queue)
    await #expect { try await edit.waitUntilConfirmed() } throws: { ($0 as? StoreError)?.code == .cancelled }
    #expect(try store.object(entry.id)?.text == "theirs" && !store.isPending(entry.id))
  }
}
