// Takes operations back, and dismisses reports.

package import WireFormat

extension ModelStore {
  /// Takes an operation back; see `OperationHandle.cancel`.
  func cancel(_ id: OperationID) {
    memory.withLock { $0.cancel(id) }
    startSaving()
    tellLiveValues()
  }

  /// Removes an operation from `failedOperations`, once the app has shown it or repeated it. Throws a `StoreError` if
  /// that cannot be saved.
  public func dismiss(_ failed: FailedOperation) async throws { try await dismiss(failed.id) }

  package func dismiss(_ id: OperationID) async throws {
    try await writer.dismiss(id) { memory.withLock { $0.removeReports(of: [id]) } }
  }
}

extension StoreMemory {
  fileprivate mutating func cancel(_ id: OperationID) {
    // A closed store cannot save this, so the operation would be back after the next opening.
    guard saves.closed == nil, let number = outbox.number(of: id), let operation = outbox.operations[number],
      operation.outcome == nil, !operation.isVoided
    else { return }
    if operation.isSent {
      outbox.update(number) { $0.isVoided = true }
      saves.void(number)
      return
    }
    guard mayLeave(number) else { return }
    let numbers = Set(([number] + outbox.later(than: number)).filter(mayLeave))
    let error = StoreError(.cancelled, "It was taken back before it was sent.")
    leave(numbers, as: { _ in .failed(error) }, saving: .reportsAndRemovals)
  }
}
