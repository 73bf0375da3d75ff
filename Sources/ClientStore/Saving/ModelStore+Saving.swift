// Saves operations from memory to disk. Those performed while one transaction runs go into the next.

import WireFormat

extension ModelStore {
  /// Saves batches until nothing is left to save. Only one task runs this at a time.
  func saveAll() async {
    var hasFailed = false
    while var batch = nextBatch(afterFailure: hasFailed) {
      let (named, reported) = (filesNamed(by: batch.operations), filesNamed(by: batch.failedOperations))
      let all = named.union(reported)
      if !all.isEmpty { fileFolder.beginKeeping(all) }
      defer { fileFolder.endKeeping(all) }
      do {
        batch.sizes = try keep(named)
        // Of operations that found no room on the disk, or else their users could try them again without their files
        // only. Where the disk fails, the report is saved all the same.
        _ = try? keep(reported)
        try await save(batch)
        hasFailed = false
      } catch {
        memory.withLock { $0.didNotSave(batch, StoreError(reading: error)) }
        hasFailed = true
      }
    }
  }

  /// Writes a batch, and takes in that it is on disk.
  func save(_ batch: StoreWriter.Batch) async throws {
    try await writer.save(batch) {
      Set(failedOperations.map(\.id))
    } written: { saved in
      memory.withLock { $0.didSave(batch, saved) }
    }
  }

  private func nextBatch(afterFailure hasFailed: Bool) -> StoreWriter.Batch? {
    memory.withLock { $0.saves.nextBatch(of: $0.outbox, afterFailure: hasFailed) }
  }
}

extension StoreMemory {
  mutating func didSave(_ batch: StoreWriter.Batch, _ saved: StoreWriter.Saved) {
    let unmerged = Set(saved.unmerged.compactMap { outbox.number(of: $0.id) })
    let dependents = causes(of: unmerged) { outbox.isConfirmed($0) }
    fail(saved.unmerged, saving: .nothing)
    fail(dependents)
    var confirmed: [Int64] = []
    for operation in batch.operations where outbox.operations[operation.number] != nil {
      outbox.update(operation.number) { $0.isSaved = true }
      records[operation.number]?.enter(.saved, &effects)
      if operation.queue == nil { confirmed.append(operation.number) }
    }
    for (id, object) in saved.deviceObjects { outbox.confirmDevice(id, object) }
    leave(confirmed, as: { _ in .confirmed(hadEffect: true) }, saving: .nothing)
    saves.finishBatch(&effects)
    wakeSync()
  }

  /// Takes in that nothing of a batch is on disk. After `locked` the whole batch is saved again. After `diskFull`
  /// its operations fail, and the store goes on, since there may be room later. After any other error nobody knows what
  /// the file holds, so the store saves nothing more until it is opened again.
  mutating func didNotSave(_ batch: StoreWriter.Batch, _ error: StoreError) {
    defer { wakeSync() }
    if error.code == .locked { return saves.giveBack(batch, of: outbox, &effects) }
    // Operations that were taken back meanwhile do not fail.
    var failed = batch.operations.filter { outbox.operations[$0.number] != nil }
    var items: [FailedOperation] = []
    if error.code == .diskFull {
      saves.putBack(batch)
      items = dependents(of: failed)
    } else {
      failed += saves.close(error, &effects).compactMap { outbox.operations[$0] }
    }
    fail(failed.map { FailedOperation($0, error) } + items, saving: .reports)
    endWaiting()
    saves.finishBatch(&effects)
  }

  /// Reports of the operations that depend on the failed ones.
  private func dependents(of failed: [OutboxEntry]) -> [FailedOperation] {
    let error = StoreError(.dependency, "A change that it was built on could not be saved.")
    return outbox.dependents(of: Set(failed.map(\.number)), isConfirmed: outbox.isConfirmed).keys.sorted()
      .compactMap { outbox.operations[$0] }.map { FailedOperation($0, error) }
  }

  /// If the store saves nothing more, ends all waits for its operations with the error, and wakes the client that syncs
  /// it, which then ends.
  mutating func endWaiting() {
    guard let closed = saves.closed else { return }
    for record in records.values { record.end(closed, &effects) }
    wakeSync()
  }
}
