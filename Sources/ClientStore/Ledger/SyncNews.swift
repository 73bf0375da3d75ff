// The changes in a store since the client that syncs it asked last.

package import WireFormat

package struct SyncNews: Sendable {
  /// The places of the queues that have moved.
  package var places: [QueueID: QueuePlace]
  /// The needs of all queues with pending operations.
  package var needs: [QueueID: QueueNeeds]
  /// All invitations without an answer.
  package var invited: Set<QueueID>
  /// The server's history; nil before its first answer.
  package var history: HistoryID?

  package init(
    places: [QueueID: QueuePlace], needs: [QueueID: QueueNeeds], invited: Set<QueueID> = [], history: HistoryID? = nil
  ) {
    (self.places, self.needs, self.invited, self.history) = (places, needs, invited, history)
  }
}
