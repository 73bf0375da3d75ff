// The facts by which sync is decided: the pending operations, and where queues stand. Pure.

import WireFormat

/// What a store knows of its operations and queues. Answers of the server are judged against it (`QueueStep`), and it
/// says what sync has to do (`QueueNeeds`).
struct SyncLedger {
  var outbox = Outbox()
  var sync: SyncState
}

// Hidden queues: those that the user ends, until that is taken back in time, and invitations without an answer.
extension SyncLedger {
  /// Queues of which no object is shown.
  var hiddenQueues: Set<QueueID> {
    // A short cut, because this is called at each change and mostly there are no ends.
    outbox.ending.isEmpty ? sync.invited : outbox.ending.union(sync.invited)
  }

  func isHidden(_ queue: QueueID?) -> Bool {
    guard let queue else { return false }
    return outbox.ending.contains(queue) || sync.invited.contains(queue)
  }
}
