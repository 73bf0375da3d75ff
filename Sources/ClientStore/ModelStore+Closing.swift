// The end of a store that comes before the end of its process.

extension ModelStore {
  /// Saves what was performed, and lets go of the store: from then on it can be opened again, here or in another process.
  ///
  /// Performing and reading afterwards is refused with `closed`, and a client that syncs the store ends with it. A
  /// store that nobody refers to any more is let go of too, but only once it has saved everything. Throws the
  /// `StoreError` for which the store could not save any more; it is closed all the same.
  public func close() async throws {
    var failure: (any Error)?
    do {
      repeat { try await saved() } while !memory.withLock { $0.close() }
    } catch let error as StoreError where error.code == .closed {
      // Closed before.
    } catch {
      failure = error
    }
    endReading()
    await writer.close()
    reader.close()
    claim.letGo()
    if let failure { throw failure }
  }

  /// Lets go of the store as the system does for a process that dies: for tests in which one process plays several.
  /// The rest of what the store does must not matter.
  package func abandon() { claim.letGo() }
}

extension StoreMemory {
  /// Returns whether everything that was performed or taken back is on disk or told.
  fileprivate mutating func close() -> Bool {
    guard saves.isDone else { return false }
    saves.close(StoreError(.closed, "The store was closed."))
    endWaiting()
    return true
  }
}
