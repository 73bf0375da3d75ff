// The queue of operations that are in memory and not on disk yet, and the callers that wait for them.

import WireFormat

/// The work of the task that saves. Knows operations by their numbers only. One batch is under way at a time.
struct SaveQueue {
  /// Numbers of performed operations to save, in order.
  private(set) var operations: [Int64] = []
  /// Reports to save, so that they outlive a restart.
  private(set) var reports: [FailedOperation] = []
  /// Numbers of operations whose rows must be deleted: taken back before they were sent, or failed with others.
  private var removals: [Int64] = []
  /// Numbers of operations that were taken back after they were sent, which is to be saved.
  private var voids: [Int64] = []
  /// Whether a task is saving. It goes on until there is no work.
  private var isSaving = false
  /// Whether the last batch could not be saved because the disk is full.
  private var hasFailed = false
  /// The number of batches that were handed to the writer, and of those that it has finished.
  private var batchesTaken = 0
  private var batchesFinished = 0
  private var barriers: [Barrier] = []
  /// The reason why nothing is saved any more; nil while saving goes on.
  private(set) var closed: StoreError?

  /// A caller that waits until a batch, and so all before it, is on disk or has failed.
  private struct Barrier {
    var batch: Int
    var continuation: Effects.Waiter
  }

  private var hasWork: Bool { !operations.isEmpty || !reports.isEmpty || !removals.isEmpty || !voids.isEmpty }

  /// The number of the batch that completes all work there is now.
  private var lastBatch: Int { batchesTaken + (hasWork ? 1 : 0) }

  var hasBatchUnderWay: Bool { batchesTaken > batchesFinished }

  /// Whether everything is on disk or reported, except for what the full disk has no room for.
  var isDone: Bool { operations.isEmpty && !hasBatchUnderWay && (!hasWork || hasFailed) }

  /// Whether a caller waits for a batch.
  var isAwaited: Bool { !barriers.isEmpty }
}

// Work for the next batch.
extension SaveQueue {
  mutating func append(_ operation: Int64) { operations.append(operation) }

  mutating func report(_ items: [FailedOperation]) {
    if closed == nil { reports += items }
  }

  mutating func void(_ operation: Int64) { voids.append(operation) }

  /// Takes out operations that are not to be saved and have no rows.
  mutating func forget(_ numbers: some Collection<Int64>) {
    operations.removeAll(where: Set(numbers).contains)
  }

  /// Takes out operations that are not to be saved, and notes that their rows must be deleted.
  mutating func remove(_ numbers: some Collection<Int64>) {
    forget(numbers)
    // Also for operations in the batch under way, because the removal is saved after them.
    removals += numbers.sorted()
  }
}

// Batches.
extension SaveQueue {
  /// If there is work and no task is saving, notes that saving starts and returns true: the caller starts the task.
  mutating func start() -> Bool {
    guard hasWork, !isSaving, closed == nil else { return false }
    isSaving = true
    return true
  }

  /// Takes the next batch; nil if the task that saves ends. After a failure it tries again only if there are new
  /// operations or callers that wait, and not over and over.
  mutating func nextBatch(of outbox: Outbox, afterFailure hasFailed: Bool) -> StoreWriter.Batch? {
    let isWanted = !hasFailed || !operations.isEmpty || isAwaited
    guard hasWork, closed == nil, isWanted else {
      isSaving = false
      return nil
    }
    return takeBatch(of: outbox)
  }

  /// Takes everything that there is to save.
  mutating func takeBatch(of outbox: Outbox) -> StoreWriter.Batch {
    let batch = StoreWriter.Batch(
      operations: operations.compactMap { outbox.operations[$0] }, failedOperations: reports, removed: removals,
      voided: voids)
    (operations, reports, removals, voids) = ([], [], [], [])
    batchesTaken += 1
    hasFailed = false
    return batch
  }

  /// Undoes the taking of a batch: the next one has its contents too.
  mutating func giveBack(_ batch: StoreWriter.Batch, of outbox: Outbox, _ effects: inout Effects) {
    assert(hasBatchUnderWay, "only a batch under way is given back")
    operations = batch.operations.map(\.number).filter { outbox.operations[$0] != nil } + operations
    putBack(batch)
    hasFailed = false
    batchesTaken -= 1
    for index in barriers.indices { barriers[index].batch = min(barriers[index].batch, lastBatch) }
    // There is nothing left to save if all of its operations have left the outbox meanwhile.
    resumeWaiters(&effects)
  }

  /// Keeps the reports, removals and cancellations of a batch that failed for the next one, so that they outlive a
  /// restart. Its operations are not kept.
  mutating func putBack(_ batch: StoreWriter.Batch) {
    reports = batch.failedOperations + reports
    removals = batch.removed + removals
    voids = batch.voided + voids
    hasFailed = true
  }

  /// Resumes waiters of this batch or earlier ones; all of them if nothing is saved any more.
  mutating func finishBatch(_ effects: inout Effects) {
    assert(hasBatchUnderWay, "only a batch under way is finished")
    batchesFinished += 1
    resumeWaiters(&effects)
  }

  private mutating func resumeWaiters(_ effects: inout Effects) {
    let result: Result<Void, any Error> = closed.map { .failure($0) } ?? .success(())
    barriers.removeAll { barrier in
      guard closed != nil || barrier.batch <= batchesFinished else { return false }
      effects.resume(barrier.continuation, with: result)
      return true
    }
  }
}

// Waiting and the end.
extension SaveQueue {
  /// Resumes the continuation once everything that there is to save now is on disk or has failed; with an error if
  /// nothing is saved any more.
  mutating func wait(_ continuation: Effects.Waiter, _ effects: inout Effects) {
    barriers.append(Barrier(batch: lastBatch, continuation: continuation))
    resumeWaiters(&effects)
  }

  /// Ends saving for good, and all waits for it. Returns the operations that are not saved.
  @discardableResult
  mutating func close(_ error: StoreError, _ effects: inout Effects) -> [Int64] {
    closed = closed ?? error
    isSaving = false
    resumeWaiters(&effects)
    defer { operations = [] }
    return operations
  }
}
