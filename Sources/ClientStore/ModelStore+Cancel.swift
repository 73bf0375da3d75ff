// Taking back what was performed, and putting away what was reported.

public import WireFormat

extension ModelStore {
  /// Takes an operation back, as `OperationHandle.cancel` says.
  func cancel(_ id: UUIDValue) {
    memory.withLock { $0.cancel(id) }
    startSaving()
  }

  /// Puts a reported operation away: the app has shown it, or repeated it.
  public func dismiss(_ id: UUIDValue) async throws {
    try await writer.dismiss(id)
    memory.withLock { $0.dismiss(id) }
  }
}

extension StoreMemory {
  fileprivate mutating func cancel(_ id: UUIDValue) {
    // Nothing could save it any more, and the operation would be there again.
    guard saves.closed == nil, let number = outbox.number(of: id), let operation = outbox.operations[number],
      operation.outcome == nil, !operation.isVoided
    else { return }
    if operation.isSent {
      didChange(outbox.update(number) { $0.isVoided = true })
      saves.void(number)
      return
    }
    // On its way to the disk, where it is confirmed: too late.
    if operation.queue == nil && !saves.operations.contains(number) { return }
    let numbers = Set([number] + outbox.later(than: number))
    let error = StoreError(.cancelled, "It was taken back before it was sent.")
    didChange(leave(numbers, as: { _ in .failed(error) }, saving: .reportsAndRemovals))
  }
}
