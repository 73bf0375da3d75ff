// Everything of a store that is in memory, behind the one lock.

import ModelTypes
import WireFormat

struct StoreMemory {
  var outbox = Outbox()
  var saves = SaveQueue()
  var sync = SyncState()
  var observers = ObserverTable()
  /// The operations that did not happen, oldest first, until the app dismisses them.
  private(set) var attention: [AttentionItem] = []
  private var nextNumber: Int64 = 1

  init(_ opened: StoreDatabase.Opened) {
    sync = SyncState(opened)
    attention = opened.attention
    nextNumber = opened.nextNumber
  }

  mutating func number() -> Int64 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// Shows an operation that was just performed; it is saved next.
  mutating func append(
    _ operation: PendingOperation, confirmed: (UUIDValue) throws -> Outbox.Confirmed?
  ) rethrows {
    try outbox.append(operation, confirmed: confirmed)
    saves.append(operation.number)
    didChange(operation.changes.objects.lazy.map(\.object))
  }
}

// What did not happen.
extension StoreMemory {
  mutating func report(_ items: [AttentionItem], saving unsaved: Unsaved) {
    attention += items
    if unsaved != .nothing { saves.report(items) }
  }

  mutating func dismiss(_ id: UUIDValue) {
    attention.removeAll { $0.id == id }
    saves.dismiss(id)
    // There is nothing to send, but something to tell.
    sync.wake()
  }
}

// The one place from which observers hear that objects have changed.
extension StoreMemory {
  func didChange(_ ids: some Sequence<UUIDValue>) { observers.wake(ids) }

  /// For changes of many objects: there are few observers.
  func didChange(where hasChanged: (UUIDValue) -> Bool) { observers.wake(where: hasChanged) }
}
