// The handle that performing an operation returns. Callers may ignore it.

import Determinism
public import WireFormat

/// One operation that was performed. Its effect is visible at once, whether the handle is kept or not.
public struct OperationHandle: Sendable {
  let record: OperationRecord
  let store: ModelStore

  /// The id of the operation, under which the server remembers its outcome.
  public var id: OperationID { record.id }

  /// How far the operation has come.
  public var state: OperationState {
    store.memory.withLock { _ in record.state }
  }

  /// Returns when the operation is on disk and survives a power cut.
  ///
  /// Throws the `StoreError` that prevents it, or `CancellationError` if the task is cancelled.
  public func waitUntilSaved() async throws { try await wait(for: .saved) }

  /// Returns when the effect is part of confirmed state.
  ///
  /// Throws the `StoreError` that prevents it, `closed` if the store is closed first, or `CancellationError` if the
  /// task is cancelled.
  public func waitUntilConfirmed() async throws { try await wait(for: .confirmed) }

  /// Takes the operation back. Does nothing once an operation on objects that never leave the device is being saved.
  ///
  /// An operation that was not sent yet is undone, together with later ones on the same objects or declared to come
  /// after it. One that was sent is hidden, and the server decides: `waitUntilConfirmed()` returns if it was applied
  /// before the cancellation came to the server, and throws if not. A closed store takes nothing back.
  public func cancel() {
    store.cancel(record.id)
  }

  private func wait(for goal: OperationRecord.Goal) async throws {
    let number = store.memory.withLock { _ in record.nextWaiter() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        store.memory.withLock { memory in
          if let result = record.result(for: goal) {
            memory.effects.resume(continuation, with: result)
          } else if Task.isCancelled {
            memory.effects.resume(continuation, with: .failure(CancellationError()))
          } else if let closed = memory.saves.closed {
            memory.effects.resume(continuation, with: .failure(closed))
          } else {
            record.wait(number, for: goal, continuation)
          }
        }
      }
    } onCancel: { [store, record] in
      store.memory.withLock { record.cancelWaiter(number, &$0.effects) }
    }
  }
}
