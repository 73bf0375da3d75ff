// Operations that come too late, because their queue ends, or too early, because its invitation is not accepted yet.

import SyncProtocol
import WireFormat

extension StoreMemory {
  /// Throws if the queue has ended, or if it is an invitation without an answer. Changes of members are let through
  /// there, because declining is leaving; and so is what lets the user in, which accepts it.
  func check(_ changes: OperationChanges, in queue: QueueID?) throws {
    guard let queue else { return }
    if outbox.ending.contains(queue) || sync.place(of: queue).load == .ended { throw StoreError.ended }
    if accepts(changes, in: queue) { return }
    if sync.invited.contains(queue), !changes.objects.isEmpty { throw StoreError.notAccepted }
  }

  /// Whether the changes let the user into a queue to which there is an invitation too: who wants to be in it accepts that.
  func accepts(_ changes: OperationChanges, in queue: QueueID) -> Bool {
    sync.invited.contains(queue) && changes.letUserIn(to: queue)
  }

  /// Fails operations that the user performed while the end of the queue was being written.
  mutating func failWhatCameTooLate(in queue: QueueID) {
    let late = (outbox.queues[queue]?.numbers ?? []).compactMap { outbox.operations[$0] }
      .filter { !$0.isEnd && !$0.isSent }
    fail(late.map { FailedOperation($0, .ended) }, saving: .reportsAndRemovals)
  }
}

extension StoreError {
  fileprivate static let notAccepted = StoreError(
    .refused, "It belongs to an invitation that was not accepted yet: accept that first.")
  static let ended = StoreError(.ended, "Its queue has ended: it was deleted for everybody.")
}
