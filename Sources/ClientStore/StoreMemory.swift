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
  var barriers: [Barrier] = []
  var attention: [AttentionItem] = []
  var observers = ObserverTable()

  /// Somebody who waits until everything before a number is on disk.
  struct Barrier {
    var before: Int64
    var continuation: CheckedContinuation<Void, any Error>
  }

  var hasWork: Bool {
    !unsaved.isEmpty || !unsavedAttention.isEmpty || !unsavedRemovals.isEmpty || !unsavedVoids.isEmpty
  }

  mutating func number() -> Int64 {
    defer { nextNumber += 1 }
    return nextNumber
  }
}
