// The state of one operation, shared by the outbox and the handle of its caller.

import WireFormat

/// The progress of an operation.
public enum OperationState: Sendable {
  /// Visible but not on disk: lost if the process is killed or the device loses power now.
  case performed
  /// On disk: it will be sent, and survives a power cut.
  case saved
  /// It may have left the device.
  case sent
  /// Its effect is part of confirmed state. `hadEffect` is false if it changed nothing.
  case confirmed(hadEffect: Bool)
  /// It did not happen.
  case failed(StoreError)
}

/// The state of one operation, and the callers that wait for it.
///
/// `@unchecked Sendable`: everything but the id is used under the store's lock only.
final class OperationRecord: @unchecked Sendable {
  let id: OperationID
  var state = OperationState.performed
  private var waiters: [Waiter] = []
  private var lastWaiter = 0

  /// A caller that waits until the operation is on disk, or confirmed.
  private struct Waiter {
    var number: Int
    var goal: Goal
    var continuation: CheckedContinuation<Void, any Error>
  }

  enum Goal {
    case saved, confirmed
  }

  init(id: OperationID) {
    self.id = id
  }

  var isAwaited: Bool { !waiters.isEmpty }

  /// Sets the state, and resumes the waiters whose goal is reached or has failed.
  func enter(_ state: OperationState) {
    self.state = state
    release { result(for: $0) }
  }

  /// Resumes all remaining waiters with the error.
  func end(_ error: any Error) {
    release { _ in .failure(error) }
  }

  /// The result for waiters with this goal; nil while it is open.
  func result(for goal: Goal) -> Result<Void, any Error>? {
    switch (state, goal) {
    case (.performed, _), (.saved, .confirmed), (.sent, .confirmed): nil
    case (.saved, .saved), (.sent, .saved), (.confirmed, _): .success(())
    case (.failed(let error), _): .failure(error)
    }
  }

  func nextWaiter() -> Int {
    lastWaiter += 1
    return lastWaiter
  }

  func wait(_ number: Int, for goal: Goal, _ continuation: CheckedContinuation<Void, any Error>) {
    waiters.append(Waiter(number: number, goal: goal, continuation: continuation))
  }

  func cancelWaiter(_ number: Int) {
    guard let index = waiters.firstIndex(where: { $0.number == number }) else { return }
    waiters.remove(at: index).continuation.resume(throwing: CancellationError())
  }

  private func release(_ result: (Goal) -> Result<Void, any Error>?) {
    waiters.removeAll { waiter in
      guard let result = result(waiter.goal) else { return false }
      waiter.continuation.resume(with: result)
      return true
    }
  }
}
