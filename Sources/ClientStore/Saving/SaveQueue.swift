// Operations that are in memory and not on disk yet, in batches, and those who wait for them.

import ModelTypes
import WireFormat

/// The work of the task that saves. Knows operations by their numbers only; one batch is under way at a time.
struct SaveQueue {
  /// Numbers of operations that were performed, in order.
  private(set) var operations: [Int64] = []
  /// Operations that did not happen, to be reported after a restart as well.
  private(set) var reports: [AttentionItem] = []
  /// Numbers of operations whose rows are to go: taken back before they were sent, or failed with others.
  private var removals: [Int64] = []
  /// Numbers of operations that were taken back after they were sent.
  private var voids: [Int64] = []
  /// A task is writing; it goes on until there is no work.
  private var isSaving = false
  /// The last batch is still to be saved: the disk is full.
  private var hasFailed = false
  /// How many batches were handed to the writer, and how many it is done with.
  private var batchesTaken = 0
  private var batchesFinished = 0
  private var barriers: [Barrier] = []
  /// Why nothing can be saved any more, once that is so.
  private(set) var closed: StoreError?

  /// Somebody who waits until some batch, and so all before it, is on disk or has failed.
  private struct Barrier {
    var batch: Int
    var continuation: CheckedContinuation<Void, any Error>
  }

  private var hasWork: Bool { !operations.isEmpty || !reports.isEmpty || !removals.isEmpty || !voids.isEmpty }

  /// The batch after which nothing is left of what there is to save now.
  private var lastBatch: Int { batchesTaken + (hasWork ? 1 : 0) }

  var hasBatchUnderWay: Bool { batchesTaken > batchesFinished }

  /// Everything is on disk or told, or what is left found no room.
  var isDone: Bool { operations.isEmpty && !hasBatchUnderWay && (!hasWork || hasFailed) }

  /// Somebody waits for a batch.
  var isAwaited: Bool { !barriers.isEmpty }
}

// The next batch.
extension SaveQueue {
  mutating func append(_ operation: Int64) { operations.append(operation) }

  mutating func report(_ items: [AttentionItem]) {
    if closed == nil { reports += items }
  }

  /// The app has put a report away.
  mutating func dismiss(_ id: UUIDValue) { reports.removeAll { $0.id == id } }

  mutating func void(_ operation: Int64) { voids.append(operation) }

  /// Operations are not to be saved, and have never been.
  mutating func forget(_ numbers: some Collection<Int64>) {
    operations.removeAll(where: Set(numbers).contains)
  }

  /// Operations are not to be saved, and their rows are to go.
  mutating func remove(_ numbers: some Collection<Int64>) {
    forget(numbers)
    // Also of those that are being saved just now: the removal is saved after them.
    removals += numbers.sorted()
  }
}

// Batches.
extension SaveQueue {
  /// Returns whether a task has to start that saves.
  mutating func start() -> Bool {
    guard hasWork, !isSaving, closed == nil else { return false }
    isSaving = true
    return true
  }

  /// The next batch; nil where the task that saves ends. What a full disk left behind is tried again with the next
  /// operation or for somebody who waits, not over and over.
  mutating func nextBatch(of outbox: Outbox, afterFailure hasFailed: Bool) -> StoreWriter.Batch? {
    let isWanted = !hasFailed || !operations.isEmpty || isAwaited
    guard hasWork, closed == nil, isWanted else {
      isSaving = false
      return nil
    }
    return takeBatch(of: outbox)
  }

  /// Everything that there is to save.
  mutating func takeBatch(of outbox: Outbox) -> StoreWriter.Batch {
    let batch = StoreWriter.Batch(
      operations: operations.compactMap { outbox.operations[$0] }, attention: reports, removed: removals, voided: voids)
    (operations, reports, removals, voids) = ([], [], [], [])
    batchesTaken += 1
    hasFailed = false
    return batch
  }

  /// As if a batch had never been taken: the next one has everything that there is to save.
  mutating func takeBack(_ batch: StoreWriter.Batch, of outbox: Outbox) {
    operations = batch.operations.map(\.number).filter { outbox.operations[$0] != nil } + operations
    putBack(batch)
    hasFailed = false
    batchesTaken -= 1
    for index in barriers.indices { barriers[index].batch = min(barriers[index].batch, lastBatch) }
  }

  /// The operations of a batch were not saved. What was taken back stays taken back, and what was refused is reported
  /// after a restart as well.
  mutating func putBack(_ batch: StoreWriter.Batch) {
    reports = batch.attention + reports
    removals = batch.removed + removals
    voids = batch.voided + voids
    hasFailed = true
  }

  /// Resumes waiters of this batch or earlier ones; all, where nothing will be saved any more.
  mutating func finishBatch() {
    batchesFinished += 1
    for barrier in barriers where closed != nil || barrier.batch <= batchesFinished {
      if let closed { barrier.continuation.resume(throwing: closed) } else { barrier.continuation.resume() }
    }
    barriers.removeAll { closed != nil || $0.batch <= batchesFinished }
  }
}

// Waiting and the end.
extension SaveQueue {
  /// Resumes the continuation when everything that there is to save now is on disk, or has failed.
  mutating func wait(_ continuation: CheckedContinuation<Void, any Error>) {
    if let closed {
      continuation.resume(throwing: closed)
    } else if lastBatch > batchesFinished {
      barriers.append(Barrier(batch: lastBatch, continuation: continuation))
    } else {
      continuation.resume()
    }
  }

  /// Nothing is saved any more. Returns the operations that are not saved.
  @discardableResult
  mutating func close(_ error: StoreError) -> [Int64] {
    closed = closed ?? error
    isSaving = false
    defer { operations = [] }
    return operations
  }
}
