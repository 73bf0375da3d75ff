// Closes a store before its process ends.

extension ModelStore {
  /// Saves all operations and lets go of the store, which can then be opened again, here or in another process.
  ///
  /// Performing and reading are refused with `closed` afterwards, and a client that syncs the store ends with that
  /// error. A store without references is let go of too, but only once it has saved everything. Throws the `StoreError`
  /// that keeps the store from saving; the store is closed all the same.
  public func close() async throws {
    var failure: (any Error)?
    do {
      repeat { try await saved() } while !memory.withLock { $0.close() }
    } catch let error as StoreError where error.code == .closed {
      // The store was closed before.
    } catch {
      failure = error
    }
    endReading()
    await writer.close()
    reader.close()
    claim.letGo()
    if let failure { throw failure }
  }

  /// Lets go of the store as the system does when a process dies, for tests in which one process plays several. Nothing
  /// that this store does afterwards may matter.
  package func abandon() { claim.letGo() }
}

extension StoreMemory {
  /// Closes the memory if everything performed or taken back is on disk or reported; else returns false.
  fileprivate mutating func close() -> Bool {
    guard saves.isDone else { return false }
    saves.close(StoreError(.closed, "The store was closed."))
    endWaiting()
    return true
  }
}
