// One object that pending operations touch: what is confirmed, and what the user sees. Pure.

import SyncProtocol
import WireFormat

/// An object with the pending changes of it, which are replayed on top of its confirmed state.
struct OverlaidObject {
  private(set) var confirmed: ObjectVersion?
  /// `confirmed` with the changes replayed on top; nil if there is no object.
  private(set) var view: ObjectVersion?
  /// The changes of this object, in the order in which they were performed.
  private(set) var changes: [PendingChange] = []
  /// The operations whose change cannot be applied, for example because others have deleted the object.
  private(set) var inapplicable: Set<Int64> = []

  /// A change, and what replay needs to know of its operation.
  struct PendingChange {
    /// The number of the operation.
    var operation: Int64
    /// Nil for objects that never leave the device.
    var queue: QueueID?
    var performedAt: Timestamp
    /// `OutboxEntry.isShown`. `Outbox.update` keeps it the same.
    var isShown: Bool
    var change: ObjectChange
  }

  init(_ confirmed: ObjectVersion? = nil) { (self.confirmed, view) = (confirmed, confirmed) }

  /// The type of the object; nil if there was none, and no change creates one.
  var type: String? {
    if let type = (confirmed ?? view)?.type { return type }
    for pending in changes {
      if case .create(let type, _, _) = pending.change.action { return type }
    }
    return nil
  }
}

// Whatever changes, the view follows.
extension OverlaidObject {
  /// Adds the newest change.
  mutating func append(_ change: PendingChange, _ tombstone: Tombstone?) {
    changes.append(change)
    apply(change, tombstone)
  }

  /// Puts changes in their places among the others.
  mutating func insert(_ returned: [PendingChange], _ tombstone: Tombstone?) {
    changes += returned
    changes.sort { $0.operation < $1.operation }
    replay(tombstone)
  }

  /// Takes out the changes of operations.
  mutating func remove(_ operations: Set<Int64>, _ tombstone: Tombstone?) {
    changes.removeAll { operations.contains($0.operation) }
    replay(tombstone)
  }

  /// Shows or hides operations, by their numbers.
  mutating func show(_ isShown: [Int64: Bool], _ tombstone: Tombstone?) {
    for index in changes.indices {
      if let isShown = isShown[changes[index].operation] { changes[index].isShown = isShown }
    }
    replay(tombstone)
  }

  mutating func confirm(_ state: ObjectVersion?, _ tombstone: Tombstone?) {
    confirmed = state
    replay(tombstone)
  }

  /// Computes the view anew.
  mutating func replay(_ tombstone: Tombstone?) {
    view = confirmed
    inapplicable = []
    for change in changes { apply(change, tombstone) }
  }

  /// Applies a change to the view. A change that cannot be applied leaves the object as it is and is marked, so that
  /// replay never drops an operation and never stops.
  private mutating func apply(_ pending: PendingChange, _ tombstone: Tombstone?) {
    guard pending.isShown else { return }
    if view == nil, !appliesToNothing(pending.change, tombstone) {
      inapplicable.insert(pending.operation)
      return
    }
    do throws(WireError) {
      let content = try pending.change.applied(to: view?.content)
      if let content, case .create(let type, _, _) = pending.change.action, view == nil {
        view = ObjectVersion(
          queue: pending.queue, type: type, content: content, system: StoredSystemFields(at: pending.performedAt))
      } else if let content {
        if view?.content != content { view?.system.update(at: pending.performedAt) }
        view?.content = content
      } else {
        view = nil
      }
    } catch {
      inapplicable.insert(pending.operation)
    }
  }

  /// Whether a change can be applied where there is no object: no patch, and no create whose author did not know of the
  /// tombstone, as on the server.
  private func appliesToNothing(_ change: ObjectChange, _ tombstone: Tombstone?) -> Bool {
    switch change.action {
    case .patch: return false
    case .delete: return true
    case .create(_, _, let revival):
      guard confirmed == nil, let tombstone else { return true }
      return revival.overcomes(tombstone: tombstone.revision, history: tombstone.history)
    }
  }
}
