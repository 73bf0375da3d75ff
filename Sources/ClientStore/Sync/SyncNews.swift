// The changes in a store since the client that syncs it asked last.

package import ModelTypes
package import WireFormat

package struct SyncNews: Sendable {
  /// Of the queues that have moved, where they stand.
  package var places: [QueueID: QueuePlace]
  /// All queues of pending operations, and what each of them needs.
  package var needs: [QueueID: QueueNeeds]
  /// All queues that others have added the user to, without an answer.
  package var invited: Set<QueueID>

  package init(places: [QueueID: QueuePlace], needs: [QueueID: QueueNeeds], invited: Set<QueueID> = []) {
    (self.places, self.needs, self.invited) = (places, needs, invited)
  }
}

extension ModelStore {
  /// The first ones after `takeSync` have every queue that was ever read. Only for the client that syncs: whoever is not
  /// known as `holder` any more takes nothing away.
  package func takeSyncNews(by holder: UUIDValue?) -> SyncNews {
    memory.withLock { memory in
      let places = memory.sync.takeMoved(by: holder)
      return SyncNews(places: places, needs: memory.syncNeeds, invited: memory.sync.invited)
    }
  }
}
