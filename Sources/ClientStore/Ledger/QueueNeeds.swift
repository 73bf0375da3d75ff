// What sync has to do for a queue.

import SyncProtocol
import WireFormat

/// The reasons for sync to work on a queue.
package struct QueueNeeds: Hashable, Sendable {
  /// An operation may be sent.
  package var canSend = false
  /// The outcome of an operation is known, and the cursor has not reached it.
  package var awaitsCursor = false
  package var hasOperations = false
  /// The queue was never read, and must be read before its operations are sent: none of them creates its root.
  package var isWithheld = false
  /// The server lacks files of an operation.
  package var waitsForFiles = false

  package init() {}
}

extension SyncLedger {
  /// The queues of pending operations, and what each of them needs.
  var needs: [QueueID: QueueNeeds] {
    var needs: [QueueID: QueueNeeds] = [:]
    for (queue, operations) in outbox.queues {
      let place = sync.place(of: queue)
      var need = QueueNeeds()
      need.hasOperations = true
      let mayBeSent = place.mayBeSentTo(isMaker: outbox.isMade(queue))
      need.isWithheld = place.load == .unread && !mayBeSent
      need.canSend = mayBeSent && !outbox.sendable(in: queue, limit: 1).isEmpty
      need.awaitsCursor = !operations.settled.isEmpty
      need.waitsForFiles = !operations.waiting.isEmpty
      needs[queue] = need
    }
    return needs
  }

  /// The first operations of a queue that may be sent, as the outbox and the place of the queue say.
  func sendable(in queue: QueueID, limit: Int) -> [OutboxEntry] {
    guard limit > 0, sync.place(of: queue).mayBeSentTo(isMaker: outbox.isMade(queue)) else { return [] }
    return outbox.sendable(in: queue, limit: limit)
  }
}
