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

  private func nextBatch(afterFailure hasFailed: Bool) -> StoreWriter.Batch? {
    memory.withLock { $0.saves.nextBatch(of: $0.outbox, afterFailure: hasFailed) }
  }
}

extension StoreMemory {
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
    saves.finishBatch()
    sync.wake()
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
    if error.code == .locked { return saves.takeBack(batch, of: outbox) }
    // Not those that were taken back meanwhile.
    var failed = batch.operations.filter { outbox.operations[$0.number] != nil }
    var items: [AttentionItem] = []
    if error.code == .diskFull {
      saves.putBack(batch)
      items = dependents(of: failed)
    } else {
      failed += saves.close(error).compactMap { outbox.operations[$0] }
    }
    items = failed.map { AttentionItem($0, error) } + items
    for item in items { outbox.number(of: item.id).map { outbox.operations[$0]?.record.enter(.failed(item.reason)) } }
    attention += items
    saves.report(items)
    let numbers = items.compactMap { outbox.number(of: $0.id) }
    saves.forget(numbers)
    observers.wake(outbox.remove(numbers))
    endWaiting()
    saves.finishBatch()
  }

  /// What was performed meanwhile on objects that will not come about.
  private func dependents(of failed: [PendingOperation]) -> [AttentionItem] {
    let error = StoreError(.dependency, "What it was built on could not be saved.")
    return outbox.dependents(of: Set(failed.map(\.number))) { outbox.objects[$0]?.confirmed != nil }.keys.sorted()
      .compactMap { outbox.operations[$0] }.map { AttentionItem($0, error) }
  }

  /// Whoever waits for an operation has waited in vain.
  mutating func endWaiting() {
    guard let closed = saves.closed else { return }
    for operation in outbox.operations.values { operation.record.end(closed) }
  }
}
