// From memory to disk: whatever was performed while one transaction ran goes into the next.

import ModelTypes
import WireFormat

extension ModelStore {
  /// Saves until nothing is left to save. One task at a time.
  func saveAll() async {
    var hasFailed = false
    while let batch = nextBatch(afterFailure: hasFailed) {
      do {
        let saved = try await writer.save(batch)
        memory.withLock { $0.didSave(batch, saved) }
        hasFailed = false
      } catch {
        memory.withLock { $0.didNotSave(batch, StoreError(reading: error)) }
        hasFailed = true
      }
    }
  }

  /// What a full disk left behind is tried again with the next operation or for somebody who waits, not over and over.
  private func nextBatch(afterFailure hasFailed: Bool) -> StoreWriter.Batch? {
    memory.withLock { memory in
      let isWanted = !hasFailed || !memory.unsaved.isEmpty || !memory.barriers.isEmpty
      guard memory.hasWork, memory.closed == nil, isWanted else {
        memory.isSaving = false
        return nil
      }
      return memory.takeBatch()
    }
  }
}

extension StoreMemory {
  mutating func takeBatch() -> StoreWriter.Batch {
    let batch = StoreWriter.Batch(
      operations: unsaved.compactMap { outbox.operations[$0] }, attention: unsavedAttention, removed: unsavedRemovals,
      voided: unsavedVoids)
    unsaved = []
    unsavedAttention = []
    unsavedRemovals = []
    unsavedVoids = []
    batchesTaken += 1
    return batch
  }

  mutating func didSave(_ batch: StoreWriter.Batch, _ saved: StoreWriter.Saved) {
    var confirmed = refuse(saved.refused)
    observers.wake(failDependents(of: Set(confirmed)) { [outbox] in outbox.objects[$0]?.confirmed != nil })
    for operation in batch.operations
    where outbox.operations[operation.number] != nil && !confirmed.contains(operation.number) {
      outbox.update(operation.number) { $0.isSaved = true }
      if operation.queue == nil {
        confirmed.append(operation.number)
        operation.record.enter(.confirmed(hadEffect: true))
      } else {
        operation.record.enter(.saved)
      }
    }
    for (id, content) in saved.contents { outbox.confirmDevice(id, content) }
    observers.wake(outbox.remove(confirmed))
    finishBatch()
    wakeSync()
  }

  /// Tells of operations that were refused while they were saved; returns their numbers.
  private mutating func refuse(_ items: [AttentionItem]) -> [Int64] {
    attention += items
    return items.compactMap { item in
      let number = outbox.number(of: item.id)
      if let number { outbox.operations[number]?.record.enter(.failed(item.reason)) }
      return number
    }
  }

  /// Nothing of the batch is on disk. A full disk may have room again later, and what another program holds is let go;
  /// after any other error nobody knows what the file holds, so the store takes nothing more until it is opened again.
  mutating func didNotSave(_ batch: StoreWriter.Batch, _ error: StoreError) {
    if error.code == .locked { return takeBack(batch) }
    if error.code == .diskFull { putBack(batch) } else { closed = error }
    // Not those that were taken back meanwhile.
    var failed = batch.operations.filter { outbox.operations[$0.number] != nil }
    if closed != nil {
      failed += unsaved.compactMap { outbox.operations[$0] }
      unsaved = []
      isSaving = false
    }
    let items = failed.map { AttentionItem($0, error) } + (closed == nil ? dependents(of: failed) : [])
    for item in items { outbox.number(of: item.id).map { outbox.operations[$0]?.record.enter(.failed(item.reason)) } }
    attention += items
    if closed == nil { unsavedAttention += items }
    let numbers = items.compactMap { outbox.number(of: $0.id) }
    unsaved.removeAll(where: Set(numbers).contains)
    observers.wake(outbox.remove(numbers))
    if let closed { for operation in outbox.operations.values { operation.record.end(closed) } }
    finishBatch()
  }

  /// What was performed meanwhile on objects that will not come about.
  private func dependents(of failed: [PendingOperation]) -> [AttentionItem] {
    let error = StoreError(.dependency, "What it was built on could not be saved.")
    return outbox.dependents(of: Set(failed.map(\.number))) { outbox.objects[$0]?.confirmed != nil }.keys.sorted()
      .compactMap { outbox.operations[$0] }.map { AttentionItem($0, error) }
  }

  /// As if the batch had never been taken: the next one has everything that there is to save.
  private mutating func takeBack(_ batch: StoreWriter.Batch) {
    unsaved = batch.operations.map(\.number).filter { outbox.operations[$0] != nil } + unsaved
    putBack(batch)
    batchesTaken -= 1
    for index in barriers.indices { barriers[index].batch = min(barriers[index].batch, lastBatch) }
  }

  /// What was taken back stays taken back, and what was refused is told after a restart as well.
  private mutating func putBack(_ batch: StoreWriter.Batch) {
    unsavedAttention = batch.attention + unsavedAttention
    unsavedRemovals = batch.removed + unsavedRemovals
    unsavedVoids = batch.voided + unsavedVoids
  }

  /// Lets those go on who waited for this batch or an earlier one; for ever, where nothing will be saved any more.
  private mutating func finishBatch() {
    batchesFinished += 1
    for barrier in barriers where closed != nil || barrier.batch <= batchesFinished {
      if let closed { barrier.continuation.resume(throwing: closed) } else { barrier.continuation.resume() }
    }
    barriers.removeAll { closed != nil || $0.batch <= batchesFinished }
  }
}
