// What performing an operation returns: to be thrown away, or asked.

import Determinism
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

  /// Returns when the operation is on disk and survives a power cut; throws the `StoreError` for which it will not, or
  /// `CancellationError` where the task is cancelled.
  public func saved() async throws { try await wait(for: .saved) }

  /// Returns when the effect is part of confirmed state; throws the `StoreError` for which it never will, `closed` where
  /// the store is closed before, or `CancellationError` where the task is cancelled.
  public func confirmed() async throws { try await wait(for: .confirmed) }

  /// Takes the operation back. On an object that never leaves the device it is too late once it is being saved.
  ///
  /// Before it is sent it is as if it had never been, and the later ones on the same objects go with it; afterwards it
  /// is hidden, and the server decides whether it came
  /// in time: `confirmed()` then returns or throws. In a store that is closed nothing is taken back.
  public func cancel() {
    store.cancel(record.id)
  }

  private func wait(for goal: OperationRecord.Goal) async throws {
    let number = store.memory.withLock { _ in record.nextWaiter() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        store.memory.withLock { memory in
          if let result = record.result(for: goal) {
            continuation.resume(with: result)
          } else if Task.isCancelled {
            continuation.resume(throwing: CancellationError())
          } else if let closed = memory.saves.closed {
            continuation.resume(throwing: closed)
          } else {
            record.wait(number, for: goal, continuation)
          }
        }
      }
    } onCancel: { [store, record] in
      // Not here: who cancels holds a lock of the task, which whoever resumes it under the store's lock waits for.
      store.environment.spawn { store.memory.withLock { _ in record.cancelWaiter(number) } }
    }
  }
}
