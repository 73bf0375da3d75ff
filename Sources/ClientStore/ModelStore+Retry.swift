// Performs failed operations again.

import SyncProtocol
package import WireFormat

extension ModelStore {
  /// Performs a failed operation again, for example once the user is a member again.
  ///
  /// It goes behind the pending operations, with the changes that it had, and out of `failedOperations`. It keeps its
  /// id: if the server has it after all, it is not applied twice. Throws `refused` if it cannot be tried again
  /// (`FailedOperation.canRetry`) or belongs to an invitation that was not accepted, `ended` if its queue has ended.
  public func retry(_ failed: FailedOperation) async throws { try await retry(failed.id) }

  package func retry(_ id: OperationID) async throws {
    let (failed, isUnsaved) = try memory.withLock { memory in
      guard let failed = memory.failedOperations.first(where: { $0.id == id }), failed.canRetry else {
        throw StoreError(.refused, "There is no such failed operation, or it cannot be tried again.")
      }
      try memory.check(failed.changes, in: failed.queue)
      memory.takeBack([id])
      return (failed, memory.saves.dismiss(id))
    }
    do {
      let operation = try OutboxEntry(retrying: failed, number: memory.withLock { $0.number() })
      let uploads = try await writer.retry(operation) { uploads in
        takeIn { $0.didRetry(operation) }
        addUploads(uploads)
      }
      keepAgain(uploads)
    } catch {
      // A report that is on disk has stayed there.
      memory.withLock { $0.report([failed], saving: isUnsaved ? .reports : .nothing) }
      throw error
    }
    tellLiveValues()
  }
}

extension StoreMemory {
  fileprivate mutating func didRetry(_ operation: OutboxEntry) {
    outbox.putBack([operation])
    wakeSync()
  }
}

extension OutboxEntry {
  fileprivate init(retrying failed: FailedOperation, number: Int64) throws {
    self.init(
      number: number, id: failed.id, queue: failed.queue, name: failed.name, parameters: failed.parameters,
      changes: failed.changes, bytes: try failed.changes.encoded(), performedAt: failed.performedAt,
      dependencies: failed.dependencies, isSaved: true, firstSent: failed.firstSent, attempt: failed.attempt + 1)
  }
}
