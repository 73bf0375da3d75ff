// Everything of a store that is in memory, behind the one lock.

import ModelTypes
import WireFormat

struct StoreMemory {
  var outbox = Outbox()
  var saves = SaveQueue()
  var nextNumber: Int64 = 1
  var attention: [AttentionItem] = []
  var sync = SyncState()
  var observers = ObserverTable()

  mutating func number() -> Int64 {
    defer { nextNumber += 1 }
    return nextNumber
  }
}
