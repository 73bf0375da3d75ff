// What sync may rely on, whatever comes late, twice or out of order.

import Foundation
import ModelRuntime
import StoreTestSupport
import TestSupport
import Testing

@testable import ClientStore

@Suite struct SyncOrderTests {
  private let disk = FaultDisk()
  private let tasks = HeldTasks()
  private let queue = QueueID(UUIDValue(high: 2, low: 2))
  private let store: ModelStore

  init() throws {
    store = try RuntimeEnvironment.$current.withValue(.seeded(1, spawning: tasks.spawn)) { [disk] in
      try ModelStore(at: disk.folder, schema: WorkloadSchema.self, user: Workload.user)
    }
  }

  private func entry(_ text: String = "") -> Entry {
    var entry = Entry(zeroWithID: .new())
    (entry.box, entry.text) = (queue, text)
    return entry
  }

  private func delta(_ entry: Entry, revision: Int64) throws -> QueueDelta {
    QueueDelta(queue: queue.rawValue, objects: [try store.state(of: entry, revision: revision)], cursor: revision)
  }

  @Test func anOlderDeltaTakesNothingBack() async throws {
    var entry = entry("old")
    let old = try delta(entry, revision: 3)
    entry.text = "new"
    try await store.reveal(delta(entry, revision: 5))
    try await store.reveal(old)
    #expect(try store.object(entry.id)?.text == "new")
    #expect(try await store.cursor(of: queue) == 5)
  }

  @Test func anOlderDeltaTakesNothingBackBelowAnEdit() async throws {
    let entry = entry("new")
    var old = entry
    old.text = "old"
    try await store.reveal(delta(entry, revision: 5))
    store.update(entry.id) { $0.tags.insert("a") }
    await tasks.run()
    try await store.reveal(delta(old, revision: 3))
    #expect(try store.object(entry.id)?.text == "new")
  }

  @Test func anOlderDeltaBringsNothingBackThatWasDeleted() async throws {
    let entry = entry("new")
    try await store.reveal(delta(entry, revision: 3))
    let gone = ObjectState(id: entry.id.rawValue, revision: 5, live: nil)
    try await store.reveal(QueueDelta(queue: queue.rawValue, objects: [gone], cursor: 5))
    try await store.reveal(delta(entry, revision: 3))
    #expect(try store.object(entry.id) == nil)
    #expect(try await store.cursor(of: queue) == 5)
  }

  @Test func whatWasTakenBackBeforeItWasMarkedMayNotBeSent() async throws {
    let entry = store.create(entry())
    await tasks.run()
    let edit = store.update(entry.id) { $0.text = "mine" }
    await tasks.run()
    let ids = store.outgoing(in: queue).map(\.id)
    edit.cancel()
    #expect(try await store.markSent(ids).map(\.id) == Array(ids.prefix(1)))
  }

  @Test func whoWaitsForTheServerCanGo() async throws {
    let entry = store.create(entry())
    let handles = ["one", "two"].map { text in store.update(entry.id) { $0.text = text } }
    let waiting = handles.map { handle in Task { try await handle.confirmed() } }
    for handle in handles { while !handle.record.isAwaited { await Task.yield() } }
    waiting[0].cancel()
    await tasks.run()
    await #expect(throws: CancellationError.self) { try await waiting[0].value }
    try await store.close()
    await #expect { try await waiting[1].value } throws: { ($0 as? StoreError)?.code == .closed }
    await #expect { try await handles[0].confirmed() } throws: { ($0 as? StoreError)?.code == .closed }
    try await handles[0].saved()
  }

  @Test func whoWaitsForTheServerIsToldWhereTheDiskFails() async throws {
    let entry = store.create(entry())
    let saved = store.update(entry.id) { $0.text = "saved" }
    await tasks.run()
    let waiting = Task { try await saved.confirmed() }
    while !saved.record.isAwaited { await Task.yield() }
    disk.fail(.write, at: 1, lasting: true, .inputOutput)
    store.update(entry.id) { $0.text = "lost" }
    await tasks.run()
    await #expect { try await waiting.value } throws: { ($0 as? StoreError)?.code == .inputOutput }
  }

  /// The same answer comes again, and says it again.
  @Test func anAnswerThatCannotBeWrittenLetsNothingWait() async throws {
    store.create(entry())
    store.create(entry())
    await tasks.run()
    let ids = store.outgoing(in: queue).map(\.id)
    try await store.markSent(ids)
    let answer = CommitAnswer.Decided(
      epoch: ServerPages.epoch, grant: ServerPages.grant,
      outcomes: [OperationOutcome(operation: ids[0], status: .applied, at: 1)],
      waiting: [.init(operation: ids[1], files: [])])
    disk.fail(.write, at: 1, .diskFull)
    await #expect(throws: StoreError.self) { try await store.receive(answer, from: store.place(of: queue), in: queue) }
    #expect(store.syncNeeds()[queue]?.waitsForFiles == false)
    disk.heal()
    try await store.receive(answer, from: store.place(of: queue), in: queue)
    #expect(store.syncNeeds()[queue]?.waitsForFiles == true)
  }

  /// A settlement of a higher priority overtakes a batch that was handed to the writer before it.
  @Test func whatLeavesOnItsWayToTheDiskIsNotWritten() async throws {
    let entry = store.create(entry())
    await tasks.run()
    let create = store.outgoing(in: queue)[0].id
    try await store.markSent([create])
    store.update(entry.id) { $0.text = "built on it" }
    let batch = store.memory.withLock { $0.takeBatch() }
    try await store.take([OperationOutcome(operation: create, status: .rejected("forbidden"), at: 0)], in: queue)
    let contents = try await store.writer.save(batch)
    store.memory.withLock { $0.didSave(batch, contents) }
    store.abandon()
    let reopened = try ModelStore(at: disk.folder, schema: WorkloadSchema.self, user: Workload.user)
    #expect(reopened.outbox.isEmpty)
    #expect(reopened.attention.map(\.reason.code) == [.rejected, .dependency])
  }

  /// The answer to a commit and a delta at the same time: whichever is settled last lets the operation go.
  @Test(arguments: 0..<40 as Range<UInt64>) func anAnswerAndADeltaSideBySide(seed: UInt64) throws {
    let executor = SeededExecutor(seed: seed)
    let disk = FaultDisk()
    let store = try RuntimeEnvironment.$current.withValue(.seeded(1, spawning: { executor.spawn($0) })) {
      try ModelStore(at: disk.folder, schema: WorkloadSchema.self, user: Workload.user)
    }
    let (queue, entry) = (queue, store.create(entry()))
    try executor.run { try await store.saved() }
    let id = store.outgoing(in: queue)[0].id
    let delta = try delta(entry, revision: 1)
    try executor.run {
      _ = try await store.markSent([id])
      try await withThrowingTaskGroup { group in
        group.addTask { try await store.take([OperationOutcome(operation: id, status: .applied, at: 1)], in: queue) }
        group.addTask { try await store.reveal(delta) }
        try await group.waitForAll()
      }
    }
    #expect(store.outbox.isEmpty, "seed \(seed)")
  }

  @Test func noQueueHasTheIDOfTheDevice() async throws {
    let sketch = store.create(Sketch(zeroWithID: .new()))
    await tasks.run()
    let gone = ObjectState(id: sketch.id.rawValue, revision: 9, live: nil)
    await #expect { try await store.reveal(QueueDelta(queue: .zero, objects: [gone], cursor: 9)) } throws: {
      ($0 as? StoreError)?.code == .refused
    }
    #expect(try store.object(sketch.id) == sketch)
  }

  @Test func nothingIsSentBeforeItIsOnDisk() async throws {
    let entry = store.create(entry())
    #expect(store.outgoing(in: queue).isEmpty && store.isPending(entry.id))
    await tasks.run()
    #expect(store.outgoing(in: queue).count == 1)
  }

  @Test func takingBackWhatWasSentHidesItUntilTheServerHasDecided() async throws {
    let entry = entry("theirs")
    try await store.reveal(delta(entry, revision: 1))
    let edit = store.update(entry.id) { $0.text = "mine" }
    await tasks.run()
    try await store.markSent([edit.id])
    edit.cancel()
    #expect(try store.object(entry.id)?.text == "theirs")
    #expect(store.outgoing(in: queue).map(\.isVoided) == [true], "the server is asked for it")
    await tasks.run()
    store.abandon()
    let reopened = try ModelStore(at: disk.folder, schema: WorkloadSchema.self, user: Workload.user)
    #expect(reopened.outbox.map(\.isVoided) == [true], "after a restart as well")
    try await store.take([OperationOutcome(operation: edit.id, status: .voided, at: 1)], in: queue)
    await #expect { try await edit.confirmed() } throws: { ($0 as? StoreError)?.code == .cancelled }
    #expect(try store.object(entry.id)?.text == "theirs" && !store.isPending(entry.id))
  }
}
