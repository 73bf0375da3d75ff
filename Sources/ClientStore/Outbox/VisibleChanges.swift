// What the user may see differently since lists and observers were told last. Pure.

import SyncProtocol
import WireFormat

/// Collected by the outbox while the store's lock is held. `StoreMemory.tellChanges` tells lists and observers of them.
struct VisibleChanges {
  /// Many objects that have changed at once.
  enum Batch {
    /// These objects of a queue have arrived.
    case arrived(ArrivedObjects, in: QueueID)
    /// Any object of the queue may have changed. `isGone`: none of the confirmed ones is left.
    case queue(QueueID, isGone: Bool)

    /// Whether the value with an id may have changed: an object, or the members of the queue with this root.
    func mayChange(_ id: UUIDValue) -> Bool {
      switch self {
      case .arrived(let arrived, let queue): arrived.contains(id) || id == queue.root && arrived.mayChangeMembers
      case .queue: true
      }
    }
  }

  /// In the order in which they became visible.
  var batches: [Batch] = []
  /// Single ids, as `OutboxEntry.touched` names them. Those that have arrived are here only if an operation touches
  /// them, or did just now.
  var ids: Set<UUIDValue> = []

  var isEmpty: Bool { ids.isEmpty && batches.isEmpty }
}
