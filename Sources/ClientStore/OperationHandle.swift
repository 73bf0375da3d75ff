// What performing an operation returns: to be thrown away, or asked.

public import WireFormat

/// One operation that was performed. Visible at once, whatever becomes of the handle.
public struct OperationHandle: Sendable {
  let record: OperationRecord
  let store: ModelStore

  /// The id under which the server remembers its outcome.
  public var id: UUIDValue { record.id }

  /// How far it has come.
  public var state: OperationState {
    store.memory.withLock { _ in record.state }
  }

  /// Returns when the operation is on disk and survives a power cut; throws the `StoreError` for which it will not.
  public func saved() async throws {
    try await wait(\.savedWaiters) { state in
      switch state {
      case .performed: nil
      case .saved, .sent, .confirmed: .success(())
      case .failed(let error): .failure(error)
      }
    }
  }

  /// Returns when the effect is part of confirmed state; throws the `StoreError` for which it never will.
  public func confirmed() async throws {
    try await wait(\.confirmedWaiters) { state in
      switch state {
      case .performed, .saved, .sent: nil
      case .confirmed: .success(())
      case .failed(let error): .failure(error)
      }
    }
  }

  /// Takes the operation back. On an object that never leaves the device it is too late once it is being saved.
  ///
  /// Before it is sent it is as if it had never been, and the later ones on the same objects go with it; afterwards it
  /// is hidden, and the server decides whether it came
  /// in time: `confirmed()` then returns or throws.
  public func cancel() {
    store.cancel(record.id)
  }

  private func wait(
    _ waiters: ReferenceWritableKeyPath<OperationRecord, [CheckedContinuation<Void, any Error>]>,
    until isOver: @Sendable (OperationState) -> Result<Void, StoreError>?
  ) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      store.memory.withLock { _ in
        if let result = isOver(record.state) {
          continuation.resume(with: result.mapError { $0 as any Error })
        } else {
          record[keyPath: waiters].append(continuation)
        }
      }
    }
  }
}
