// The views of one open list. They are derived when they are asked for, and again when they are out of date.

import ModelTypes
import Snapshots
import WireFormat

/// Lock order: the memo's lock, then those of the lists of children, then the store's.
final class ViewCore<View: ModelView>: Sendable {
  private let store: ModelStore
  private let list: ListCore
  private let shared: ViewShare
  private let memo: Locked<Followed>
  /// The number of this reader in the store's log. It wakes nobody: each change wakes the list's consumers.
  private let reader: Int

  private struct Followed {
    var memo = ViewMemo<View>()
    /// The snapshots of the lists of children at the last look.
    var children: [ObjectIdentifier: Snapshot] = [:]
  }

  init(_ list: ListCore) {
    (store, self.list) = (list.store, list)
    memo = Locked(Followed())
    shared = ViewShare { [consumers = list.consumers] in consumers.wake() }
    reader = store.memory.withLock { $0.lists.add() }
  }

  deinit { store.memory.withLock { [reader] in $0.lists.remove(reader) } }

  func view(_ id: ObjectID<View.Object>) throws -> View? {
    try store.checkReadable()
    // While an operation is evaluated, this thread has the store's lock. A thread that has the memo's lock may wait for
    // it, so the memo is not used.
    if store.memory.isHeldHere { return try ViewReading(store, shared).view(id) }
    let (known, generation) = memo.withLock { followed in
      catchUp(&followed)
      return (followed.memo.fresh(id.rawValue), followed.memo.generation)
    }
    if let known { return known }
    return try put(id, begunIn: generation)
  }

  /// Derives a view outside of all locks, because that reads the disk, and keeps it.
  private func put(_ id: ObjectID<View.Object>, begunIn generation: UInt64) throws -> View? {
    let reading = ViewReading(store, shared)
    let result: Result<View?, any Error> = Result { try reading.view(id) }
    let isPending = store.isPending(id)
    memo.withLock { followed in
      catchUp(&followed)
      switch result {
      case .success(let view):
        followed.memo.put(id.rawValue, view, isPending: isPending, reading, begunIn: generation)
      case .failure: followed.memo.putUnreadable(id.rawValue, isPending: isPending, reading)
      }
    }
    return try result.get()
  }

  private func catchUp(_ followed: inout Followed) {
    switch store.memory.withLock({ $0.lists.take(reader) }) {
    case .everything: followed.memo.markEverythingChanged()
    case .changes(let changes):
      for change in changes {
        switch change {
        case .object(let id, _), .unread(let id): followed.memo.markChanged(id)
        case .arrived(let objects, _): followed.memo.markChanged(objects)
        case .hidden, .queue: followed.memo.markEverythingChanged()
        }
      }
    }
    let children = shared.snapshots()
    if children.isEmpty { return }
    if children.contains(where: { followed.children[$0]?.revision != $1.revision }) {
      followed.memo.setAnswers { asked in
        children[ObjectIdentifier(asked.list)].map {
          shared.answer(asked.question, of: asked.parent, in: asked.list, $0)
        }
      }
    }
    followed.children = children
  }
}

// Updates.
extension ViewCore: ViewUpdates {
  /// Lists of children that no view has asked yet are not looked at.
  var isComplete: Bool { shared.snapshots().values.allSatisfy(\.isComplete) }

  /// The same changes, with those rows updated whose view or pending mark has changed since the consumer's last look.
  func refine(
    _ changes: SnapshotChanges, from old: Snapshot, to new: Snapshot, since seen: inout UInt64
  ) -> SnapshotChanges {
    let rows = refreshed(in: new)
    let before = seen
    seen = rows.count
    var changes = changes
    changes.updates.removeAll { update in
      guard let known = rows.byID[UUIDValue(new.layout.rows.id(of: update.row))] else { return false }
      return !known.isStale && known.changedAt <= before
    }
    let named = Set(changes.updates.map(\.row) + changes.moves.map(\.row))
    for (id, known) in rows.byID where known.changedAt > before {
      guard let row = new.layout.rows.knownRow(for: RowID(id)), !named.contains(row),
        let from = old.path(of: row), let to = new.path(of: row), !changes.names(from, to)
      else { continue }
      changes.updates.append(SnapshotChanges.Move(row: row, from: from, to: to))
    }
    changes.updates.sort { $0.to < $1.to }
    return changes
  }

  /// Derives stale views again that are still in the list, and drops the others.
  private func refreshed(in snapshot: Snapshot) -> (byID: [UUIDValue: ViewMemo<View>.Row], count: UInt64) {
    let stale = memo.withLock { followed in
      catchUp(&followed)
      return followed.memo.rows.filter { $0.value.isStale }.keys
    }
    for id in stale {
      if snapshot.layout.rows.knownRow(for: RowID(id)).map(snapshot.contains) == true {
        // A view that cannot be read stays stale, and fails when it is asked for.
        _ = try? view(ObjectID(id))
      } else {
        memo.withLock { _ = $0.memo.remove(id) }
      }
    }
    return memo.withLock { ($0.memo.rows, $0.memo.changeCount) }
  }
}

extension SnapshotChanges {
  /// Whether the old section of a row is deleted as a whole, or its new one inserted.
  fileprivate func names(_ from: SnapshotPath, _ to: SnapshotPath) -> Bool {
    deletedSections.contains(from.section) || insertedSections.contains(to.section)
  }
}
