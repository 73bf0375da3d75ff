// What is known of one operation, shared by the outbox and by whoever performed it.

import WireFormat

/// How far an operation has come.
public enum OperationState: Sendable {
  /// Visible, and lost if the device loses power now.
  case performed
  /// On disk: it will be sent, and survives a power cut.
  case saved
  /// It may have left the device.
  case sent
  /// Its effect is part of confirmed state, or was there already.
  case confirmed(hadEffect: Bool)
  /// It did not happen.
  case failed(StoreError)
}

/// The state of one operation and who waits for it.
///
/// `@unchecked Sendable`: everything but the id is reached under the store's lock only.
final class OperationRecord: @unchecked Sendable {
  let id: UUIDValue
  var state = OperationState.performed
  var savedWaiters: [CheckedContinuation<Void, any Error>] = []
  var confirmedWaiters: [CheckedContinuation<Void, any Error>] = []

  init(id: UUIDValue) {
    self.id = id
  }

  /// Moves on, and lets those go on who waited for that.
  func enter(_ state: OperationState) {
    self.state = state
    switch state {
    case .performed: break
    case .saved, .sent: release(&savedWaiters, .success(()))
    case .confirmed:
      release(&savedWaiters, .success(()))
      release(&confirmedWaiters, .success(()))
    case .failed(let error):
      release(&savedWaiters, .failure(error))
      release(&confirmedWaiters, .failure(error))
    }
  }

  private func release(_ waiters: inout [CheckedContinuation<Void, any Error>], _ result: Result<Void, any Error>) {
    for waiter in waiters { waiter.resume(with: result) }
    waiters = []
  }
}
