// Performs failed operations again.

import SyncProtocol
package import WireFormat

extension ModelStore {
  /// Performs a failed operation again, for example once the user is a member again.
  ///
  /// It goes behind the pending operations, with the changes that it had, and out of `failedOperations`. Before it go the
  /// failed operations that it needs, if they can be tried again: those that it was declared to come after, and those
  /// that create its objects. Each keeps its id: if the server has it after all, it is not applied twice. Handles from
  /// before stay failed; `pendingOperations` has new ones.
  ///
  /// Does nothing if the operation is pending already. Throws `refused` if it cannot be tried again
  /// (`FailedOperation.canRetry`) or belongs to an invitation that was not accepted, `ended` if its queue has ended, and
  /// the error that keeps the store from saving it. It has then stayed in `failedOperations`.
  public func retry(_ failed: FailedOperation) async throws { try await retry(failed.id) }

  package func retry(_ id: OperationID) async throws {
    bring(
      try await writer.retry {
        try memory.withLock { try $0.entries(retrying: id) }
      } moved: { operations in
        takeIn { $0.didRetry(operations) }
      })
    tellLiveValues()
  }
}

extension StoreMemory {
  fileprivate mutating func entries(retrying id: OperationID) throws -> [OutboxEntry] {
    guard outbox.number(of: id) == nil else { return [] }
    guard let failed = failedOperations.first(where: { $0.id == id }), failed.canRetry else {
      throw StoreError(.refused, "There is no such failed operation, or it cannot be tried again.")
    }
    try check(failed.changes, in: failed.queue)
    return try withNeeded(failed).map { try OutboxEntry(retrying: $0, number: number()) }
  }

  /// A failed operation, after those that it needs and that can be tried again, each after what it needs in turn.
  private func withNeeded(_ failed: FailedOperation) -> [FailedOperation] {
    let others = failedOperations.filter { other in
      other.canRetry && other.wasPerformed && (try? check(other.changes, in: other.queue)) != nil
    }
    let byID = Dictionary(others.map { ($0.id, $0) }) { first, _ in first }
    var creators: [UUIDValue: [FailedOperation]] = [:]
    for other in others { for id in other.createdObjects { creators[id, default: []].append(other) } }
    var ordered: [FailedOperation] = []
    var (begun, done): (Set<OperationID>, Set<OperationID>) = ([], [])
    // A stack of our own, because a chain may be as long as the outbox was.
    var stack = [failed]
    while let item = stack.last {
      if begun.insert(item.id).inserted {
        let needed = item.dependencies.compactMap { byID[$0] } + item.neededObjects.flatMap { creators[$0] ?? [] }
        stack += needed.reversed().filter { !begun.contains($0.id) }
      } else {
        stack.removeLast()
        if done.insert(item.id).inserted { ordered.append(item) }
      }
    }
    return ordered
  }

  fileprivate mutating func didRetry(_ operations: [OutboxEntry]) {
    removeReports(of: Set(operations.map(\.id)))
    outbox.putBack(operations)
  }
}

extension FailedOperation {
  /// False for an operation that this device turned down, because its user lacked a right: nothing was built on it.
  fileprivate var wasPerformed: Bool { reason.code != .forbidden || firstSent != nil }

  fileprivate var createdObjects: [UUIDValue] { changes.objects.filter(\.isCreate).map(\.object) }

  /// The objects that have to be there before it: those that it changes, and the root of its queue.
  fileprivate var neededObjects: [UUIDValue] {
    let created = createdObjects
    let changed = changes.objects.map(\.object) + (queue.map { [$0.root] } ?? [])
    return changed.filter { !created.contains($0) }
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
