// Queues of which nothing is shown: those that end, gone at once and back if that is taken back in time, and those that
// nobody has accepted.

import ModelTypes
import WireFormat

extension StoreMemory {
  /// Queues of which nothing is shown.
  var hiddenQueues: Set<QueueID> {
    // Asked at each change: mostly none, or invitations only.
    if outbox.ending.isEmpty, sync.endsInDoubt.isEmpty { return sync.invited }
    return outbox.ending.union(sync.endsInDoubt).union(sync.invited)
  }

  func isHidden(_ queue: QueueID?) -> Bool {
    guard let queue else { return false }
    return isEnding(queue) || sync.invited.contains(queue)
  }

  /// Whether the user has ended the queue, or it is not known whether a restored server has lost that.
  func isEnding(_ queue: QueueID) -> Bool {
    outbox.ending.contains(queue) || sync.endsInDoubt.contains(queue)
  }

  /// Throws where nothing may be done in a queue any more, or not yet. To leave what was not accepted is to decline.
  func check(_ changes: OperationChanges, in queue: QueueID?) throws {
    guard let queue else { return }
    if isEnding(queue) || sync.place(of: queue).load == .ended { throw StoreError.ended }
    if sync.invited.contains(queue), !changes.objects.isEmpty { throw StoreError.notAccepted }
  }

  /// Fails operations that the user performed while the end of the queue was being written; returns their objects.
  mutating func failWhatCameTooLate(in queue: QueueID) -> Set<UUIDValue> {
    let late = (outbox.queues[queue]?.numbers ?? []).compactMap { outbox.operations[$0] }
      .filter { !$0.isEnd && !$0.isSent }
    return fail(late.map { AttentionItem($0, .ended) }, saving: .reportsAndRemovals)
  }
}

extension StoreError {
  fileprivate static let notAccepted = StoreError(
    .refused, "It belongs to an invitation that was not accepted yet: accept that first.")
  static let ended = StoreError(.ended, "What it belongs to has ended: it was deleted for everybody.")
}
