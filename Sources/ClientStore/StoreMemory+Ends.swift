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
}

extension StoreError {
  static let ended = StoreError(.ended, "What it belongs to has ended: it was deleted for everybody.")
}
