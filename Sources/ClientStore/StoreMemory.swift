// Everything of a store that is in memory, behind the one lock.

import ModelTypes
import WireFormat

struct StoreMemory {
  var outbox = Outbox()
  /// Numbers of what is not on disk yet, in order.
  var unsaved: [Int64] = []
  /// Operations that were refused when they were performed, to be written with what is saved next.
  var unsavedAttention: [AttentionItem] = []
  /// Numbers of operations that were taken back: before they were sent, and after.
  var unsavedRemovals: [Int64] = []
  var unsavedVoids: [Int64] = []
  /// A task is writing; it goes on until nothing is unsaved.
  var isSaving = false
  var nextNumber: Int64 = 1
  /// Why nothing can be saved any more, once that is so.
  var closed: StoreError?
  /// How many batches were handed to the writer, and how many it is done with.
  var batchesTaken = 0
  var batchesFinished = 0
  var barriers: [Barrier] = []
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

  /// Somebody who waits until some batch, and so all before it, is on disk or has failed.
  struct Barrier {
    var batch: Int
    var continuation: CheckedContinuation<Void, any Error>
  }

  var hasWork: Bool {
    !unsaved.isEmpty || !unsavedAttention.isEmpty || !unsavedRemovals.isEmpty || !unsavedVoids.isEmpty
  }

  /// The batch after which nothing is left of what there is to save now.
  var lastBatch: Int { batchesTaken + (hasWork ? 1 : 0) }

  mutating func number() -> Int64 {
    defer { nextNumber += 1 }
    return nextNumber
  }
}
