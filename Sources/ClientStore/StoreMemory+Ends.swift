// The end of a queue on its device: gone at once, and back if it is taken back in time.

import ModelTypes
import WireFormat

extension StoreMemory {
  /// Queues of which nothing is shown: the user has ended them, or it is not known whether a restored server has lost that.
  var hiddenQueues: Set<QueueID> { outbox.ending.union(sync.endsInDoubt) }

  func isHidden(_ queue: QueueID?) -> Bool {
    guard let queue else { return false }
    return outbox.ending.contains(queue) || sync.endsInDoubt.contains(queue)
  }

  /// Throws where nothing may be done in a queue any more.
  func checkEnd(in queue: QueueID?) throws {
    guard let queue else { return }
    if isHidden(queue) || sync.place(of: queue).load == .ended { throw StoreError.ended }
  }

  /// What the user has done while it was written that the queue has ended; returns the objects.
  mutating func failWhatCameTooLate(in queue: QueueID) -> Set<UUIDValue> {
    let late = (outbox.queues[queue]?.numbers ?? []).compactMap { outbox.operations[$0] }
      .filter { !$0.isEnd && !$0.isSent }
    return fail(late.map { AttentionItem($0, .ended) }, saving: .reportsAndRemovals)
  }
}

extension StoreError {
  static let ended = StoreError(.ended, "What it belongs to has ended: it was deleted for everybody.")
}
