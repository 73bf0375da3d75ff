// Everything of a store that is in memory, behind the one lock.

import ModelTypes
import WireFormat

struct StoreMemory {
  var outbox = Outbox()
  var saves = SaveQueue()
  var nextNumber: Int64 = 1
  var attention: [AttentionItem] = []
  var places: [QueueID: QueuePlace] = [:]
  /// The user's role in each queue, as it was last heard.
  var roles: [QueueID: QueueRole] = [:]
  /// Operations that have left and that the server is to be asked for, since it has lost history.
  var doubtful: [QueueID: [UUIDValue]] = [:]
  /// Operations of the tail that others of the outbox were declared to come after, with their queues.
  var keptDependencies: [UUIDValue: QueueID] = [:]
  /// Queues whose last request has failed, as noted on disk.
  var failing: Set<QueueID> = []
  /// The one that the store syncs with, once it has answered since the store was opened.
  var server: UUIDValue?
  /// Its history, as the last answer has named it.
  var history: UUIDValue?
  /// Which client syncs, of those of this process.
  var syncHolder: UUIDValue?
  /// Called when there is something new to send; under the lock, so it must be short.
  var wakeSync: @Sendable () -> Void = {}
  var observers = ObserverTable()

  mutating func number() -> Int64 {
    defer { nextNumber += 1 }
    return nextNumber
  }
}
