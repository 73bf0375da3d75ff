// Calls that come while a batch is on its way to the disk, in orders that a few seeds give.

import ModelSupport
import SampleIDs
import StoreTestSupport
import TestSupport
import Testing

@testable import ClientStore

@Suite struct SavingInFlightTests {
  private let disk = FaultDisk()

  private func open(_ executor: SeededExecutor) throws -> ModelStore {
    try RuntimeEnvironment.$current.withValue(.seeded(1, spawning: { executor.spawn($0) })) {
      try ModelStore(at: disk.folder, schema: WorkloadSchema.self, user: Workload.user)
    }
  }

  private func entry(_ number: UInt64) -> Entry {
    var entry = Entry(zeroWithID: .object(number, in: QueueID.queue(2)))
    entry.box = QueueID.queue(2)
    return entry
  }

  @Test(arguments: 0..<16 as Range<UInt64>) func dismissedReportStaysDismissed(seed: UInt64) throws {
    let executor = SeededExecutor(seed: seed)
    let store = try open(executor)
    let handle = store.update(entry(1).id) { $0.text = "nowhere" }
    for _ in 0..<seed % 4 { executor.runOne() }
    try executor.run { try await store.dismiss(handle.id) }
    executor.runUntilIdle()
    #expect(store.failedOperations.isEmpty)
    store.abandon()
    #expect(try open(executor).failedOperations.isEmpty)
  }

  @Test(arguments: 0..<16 as Range<UInt64>) func savedReturnsEvenIfDiskIsFull(seed: UInt64) throws {
    let executor = SeededExecutor(seed: seed)
    let store = try open(executor)
    store.create(entry(1))
    let edit = store.update(entry(1).id) { $0.text = "Summit" }
    try executor.run { try await store.waitUntilSaved() }
    disk.fail(.write, at: 1, .diskFull)
    store.create(entry(2))
    for _ in 0..<seed % 4 { executor.runOne() }
    edit.cancel()
    // Throws `Stalled` if no task is left that could resume this call.
    try executor.run { try await store.waitUntilSaved() }
    #expect(disk.failures == 1)
    #expect(try store.object(entry(1).id)?.text == "")
  }

  /// The database was locked, and the batch goes back into the queue after all its operations have left the outbox.
  /// Then nothing is left to wait for.
  @Test func batchWithoutOperationsResumesItsWaiters() async throws {
    var queue = SaveQueue()
    var effects = Effects()
    let outbox = Outbox()
    queue.append(1)
    let batch = queue.takeBatch(of: outbox)
    try await withCheckedThrowingContinuation { continuation in
      queue.wait(continuation, &effects)
      #expect(queue.isAwaited && effects.isEmpty)
      queue.giveBack(batch, of: outbox, &effects)
      #expect(!queue.isAwaited)
      if queue.isAwaited { continuation.resume() } else { effects.perform() }
    }
  }

  @Test func operationInSavedStateSurvivesPowerCut() throws {
    var seen: Set<Bool> = []
    for jobs in 0..<12 {
      let executor = SeededExecutor(seed: 1)
      var store: ModelStore? = try open(executor)
      let id = entry(UInt64(jobs) + 1).id
      store?.create(entry(UInt64(jobs) + 1))
      try executor.run { [store] in try await store?.waitUntilSaved() }
      let edit = store?.update(id) { $0.text = "Summit" }
      for _ in 0..<jobs { executor.runOne() }
      let isSaved = if case .saved? = edit?.state { true } else { false }
      seen.insert(isSaved)
      disk.cut(seed: UInt64(jobs))
      store?.abandon()
      store = nil
      disk.restart()
      if isSaved { #expect(try open(executor).object(id)?.text == "Summit", "after \(jobs) jobs") }
    }
    #expect(seen == [true, false])
  }
}
