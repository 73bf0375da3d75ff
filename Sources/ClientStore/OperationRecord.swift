// The state of one operation, shared by its handles, and the callers that wait for it.

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
  private(set) var state: OperationState
  private var waiters: [Waiter] = []
  private var lastWaiter = 0

  /// A caller that waits until the operation is on disk, or confirmed.
  private struct Waiter {
    var number: Int
    var goal: Goal
    var continuation: Effects.Waiter
  }

  enum Goal {
    case saved, confirmed
  }

  init(id: OperationID, _ state: OperationState = .performed) {
    (self.id, self.state) = (id, state)
  }

  var isAwaited: Bool { !waiters.isEmpty }

  /// Sets the state of a new record, for which nobody waits yet.
  func begin(_ state: OperationState) {
    assert(waiters.isEmpty, "nobody waits for a new record")
    self.state = state
  }

  /// Sets the state, and resumes the waiters whose goal is reached or has failed.
  func enter(_ state: OperationState, _ effects: inout Effects) {
    self.state = state
    release(&effects) { result(for: $0) }
  }

  /// Resumes all remaining waiters with the error.
  func end(_ error: any Error, _ effects: inout Effects) {
    release(&effects) { _ in .failure(error) }
    assert(waiters.isEmpty, "all waiters are resumed")
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

  func wait(_ number: Int, for goal: Goal, _ continuation: Effects.Waiter) {
    assert(result(for: goal) == nil, "a goal that is reached needs no wait")
    assert(number <= lastWaiter && !waiters.contains { $0.number == number }, "each waiter has a number of its own")
    waiters.append(Waiter(number: number, goal: goal, continuation: continuation))
  }

  func cancelWaiter(_ number: Int, _ effects: inout Effects) {
    guard let index = waiters.firstIndex(where: { $0.number == number }) else { return }
    effects.resume(waiters.remove(at: index).continuation, with: .failure(CancellationError()))
  }

  private func release(_ effects: inout Effects, _ result: (Goal) -> Result<Void, any Error>?) {
    waiters.removeAll { waiter in
      guard let result = result(waiter.goal) else { return false }
      effects.resume(waiter.continuation, with: result)
      return true
    }
  }
}

extension OutboxEntry {
  /// The state of the pending operation, as its handles show it.
  var state: OperationState { isSent ? .sent : isSaved ? .saved : .performed }
}
