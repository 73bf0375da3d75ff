// From memory to disk: whatever was performed while one transaction ran goes into the next.

import ModelTypes
import WireFormat

extension ModelStore {
  /// Saves until nothing is left to save. One task at a time.
  func saveAll() async {
    var hasFailed = false
    while var batch = nextBatch(afterFailure: hasFailed) {
      let named = filesNamed(by: batch.operations)
      if !named.isEmpty { fileFolder.beginKeeping(named) }
      defer { fileFolder.endKeeping(named) }
      do {
        batch.sizes = try keepFiles(of: batch.operations)
        let saved = try await writer.save(batch)
        memory.withLock { $0.didSave(batch, saved) }
        noteUploads(saved.uploads)
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
    let refused = Set(saved.refused.compactMap { outbox.number(of: $0.id) })
    let dependents = causes(of: refused) { outbox.objects[$0]?.confirmed != nil }
    var changed = fail(saved.refused, saving: .nothing)
    changed.formUnion(fail(dependents))
    var confirmed: [Int64] = []
    for operation in batch.operations where outbox.operations[operation.number] != nil {
      outbox.update(operation.number) { $0.isSaved = true }
      if operation.queue == nil { confirmed.append(operation.number) } else { operation.record.enter(.saved) }
    }
    for (id, content) in saved.contents { outbox.confirmDevice(id, content) }
    changed.formUnion(leave(confirmed, as: { _ in .confirmed(hadEffect: true) }, saving: .nothing))
    didChange(changed)
    saves.finishBatch()
    sync.wake()
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
    didChange(fail(failed.map { AttentionItem($0, error) } + items, saving: .reports))
    endWaiting()
    saves.finishBatch()
  }

  /// Operations that were performed meanwhile on objects that will not come about.
  private func dependents(of failed: [PendingOperation]) -> [AttentionItem] {
    let error = StoreError(.dependency, "What it was built on could not be saved.")
    return outbox.dependents(of: Set(failed.map(\.number))) { outbox.objects[$0]?.confirmed != nil }.keys.sorted()
      .compactMap { outbox.operations[$0] }.map { AttentionItem($0, error) }
  }

  /// Ends waits for operations of a store that saves nothing more, and wakes the client that syncs it, which ends.
  mutating func endWaiting() {
    guard let closed = saves.closed else { return }
    for operation in outbox.operations.values { operation.record.end(closed) }
    sync.wake()
  }
}
