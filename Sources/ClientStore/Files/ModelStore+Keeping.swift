// Keeps the files that operations name, and sweeps those that nothing names.

import Determinism
import SyncProtocol
import WireFormat

extension ModelStore {
  /// Moves files that operations name into `pending`, before the operations are saved. Returns the sizes in bytes of
  /// those that are on this device.
  func keep(_ hashes: Set<ContentHash>) throws -> [ContentHash: Int64] {
    guard !hashes.isEmpty else { return [:] }
    let absent = try fileFolder.keep(hashes.sorted(), at: environment.nowMilliseconds)
    var sizes: [ContentHash: Int64] = [:]
    for hash in hashes where !absent.contains(hash) {
      sizes[hash] = try fileFolder.disk.state(of: fileFolder.pending(hash))?.size
    }
    return sizes
  }

  func filesNamed(by operations: [OutboxEntry]) -> Set<ContentHash> {
    Set(operations.lazy.filter(\.changes.namesFiles).flatMap(\.changes.objectsByFile.keys))
  }

  func filesNamed(by reports: [FailedOperation]) -> Set<ContentHash> {
    Set(reports.lazy.filter(\.changes.namesFiles).flatMap(\.changes.objectsByFile.keys))
  }

  /// Moves files that have become uploads into `pending`, since they may only be in the cache by now, and wakes sync.
  func bring(_ uploads: StoredFiles.Uploads) {
    guard !uploads.isEmpty else { return }
    keepAgain(Set(uploads.keys.map(\.hash)))
    memory.withLock { $0.wakeSync() }
  }

  /// Moves files that are only in the cache into `pending`. If the disk fails, the next sweep tries again.
  private func keepAgain(_ hashes: Set<ContentHash>) {
    guard !hashes.isEmpty else { return }
    // Before looking, so that removals under way are finished, and no other begins.
    fileFolder.beginKeeping(hashes)
    defer { fileFolder.endKeeping(hashes) }
    let cached = hashes.filter(fileFolder.isOnlyCached).sorted()
    if !cached.isEmpty { _ = try? fileFolder.keep(cached, at: environment.nowMilliseconds) }
  }

  /// Moves the bytes of files whose rows a step of a queue has changed. If the queue has gone, removes them.
  func moveFiles(of step: QueueStep, _ advanced: StoreWriter.Advanced) {
    bring(advanced.uploads)
    guard step.endsRights else { return }
    removeUnnamed(advanced.forgottenFiles)
    try? fileFolder.removeParts(but: Set(fileTable.withLock { $0.fetches.keys.map(\.hash) }))
  }

  /// Removes files that nothing names, even if somebody holds them, because the right to them has gone. The next sweep
  /// removes those that cannot be removed now.
  func removeUnnamed(_ hashes: [ContentHash]) {
    for hash in hashes {
      try? fileFolder.unlessNeeded(hash, isFileNamed) { try fileFolder.remove(hash) }
    }
  }

  /// Whether a row, a pending operation or a report names the file. Operations that could not be saved have no row.
  func isFileNamed(_ hash: ContentHash) throws -> Bool {
    if try reader.isFileNamed(hash) { return true }
    if memory.withLock({ $0.namedFiles.contains(hash) }) { return true }
    return failedOperations.contains { $0.changes.objectsByFile[hash] != nil }
  }

  /// Ends all waits for files with an error, when the store is closed.
  func endReading() {
    fileTable.withLock { table in
      table.watchers.wakeAll(&table.effects)
      for place in table.fetchOrder { table.endFetch(place, .ended) }
    }
  }

  /// Sweeps once, when the app has had time for its first screen: a look at 100,000 files takes half a second.
  func sweepFilesLater() {
    guard fileFolder.isThere else { return }
    environment.spawn { [weak self, environment] in
      guard (try? await environment.sleep(milliseconds: 5_000)) != nil else { return }
      await self?.sweepFiles()
    }
  }

  /// Removes files that crashes and cancelled work left behind, and evicts files of the cache over its limit.
  func sweepFiles() async {
    guard memory.withLock({ $0.saves.closed == nil }) else { return }
    let now = Timestamp(millisecondsSince1970: environment.nowMilliseconds())
    // Pending operations count too: if their queue has gone, they will be reported.
    let named = Set(failedOperations.flatMap(\.changes.objectsByFile.keys)).union(memory.withLock { $0.namedFiles })
    do {
      for (number, place) in fileTable.withLock({ Array($0.uploads.keys) }).enumerated() {
        if number.isMultiple(of: 100) { await Task.yield() }
        keepAgain([place.hash])
      }
      let unnamed = try await writer.sweepFiles(keptBefore: now.oldestRetired, named: named)
      removeUnnamed(unnamed)
      try await fileFolder.sweep(at: now, isNamed: isFileNamed)
      try fileFolder.evict(unless: reader.isFileNeeded)
    } catch {
      // The next opening sweeps again.
    }
  }
}
