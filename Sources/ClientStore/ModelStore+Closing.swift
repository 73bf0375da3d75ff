// Closes a store before its process ends.

extension ModelStore {
  /// Saves all operations and lets go of the store, which can then be opened again, here or in another process.
  ///
  /// Afterwards every call that throws throws `closed`, those of `files` the `FileError` `ended`; an operation is turned
  /// down with `closed`, and a client that syncs the store ends with it. Sequences end: those that throw by throwing
  /// `closed`, the others without another element. What cannot throw answers with what was last known: `outbox`,
  /// `failedOperations`, snapshots, and live objects, lists and files.
  ///
  /// A store without references is let go of too, but only once it has saved everything. Throws the `StoreError` that
  /// keeps the store from saving; the store is closed all the same.
  public func close() async throws {
    var failure: (any Error)?
    do {
      repeat { try await waitUntilSaved() } while !memory.withLock { $0.close() }
    } catch let error as StoreError where error.code == .closed {
      // The store was closed before.
    } catch {
      failure = error
    }
    memory.withLock { $0.endReading() }
    endReading()
    wakeWatchers()
    await writer.close()
    reader.close()
    claim.letGo()
    if let failure { throw failure }
  }

  /// Lets go of the store as the system does when a process dies, for tests in which one process plays several. Nothing
  /// that this store does afterwards may matter.
  package func abandon() { claim.letGo() }
}

extension ModelStore {
  var isClosed: Bool { memory.withLock { $0.isClosed } }

  /// Throws `closed` after `close`. For reads that could be answered from memory.
  func checkReadable() throws { if isClosed { throw StoreError.closed } }
}

extension StoreError {
  static let closed = StoreError(.closed, "The store was closed.")
}

extension StoreMemory {
  /// Ends all sequences: their consumers wake, and find the store closed.
  fileprivate mutating func endReading() {
    isClosed = true
    observers.wakeAll(&effects)
    lists.wakeAll(&effects)
  }

  /// Closes the memory if everything performed or taken back is on disk or reported; else returns false.
  fileprivate mutating func close() -> Bool {
    guard saves.isDone else { return false }
    saves.close(.closed, &effects)
    endWaiting()
    return true
  }
}
