// The objects that pending operations touch, as the user sees them. Pure.

import SyncProtocol
import WireFormat

/// Each object that a pending operation touches. The user sees the confirmed state of all others.
struct Overlay {
  private(set) var objects: [UUIDValue: OverlaidObject] = [:]
  /// Objects whose confirmed state on disk may be newer: they must be read again before use.
  private(set) var stale: Set<UUIDValue> = []
  /// Deletes that creates in the outbox may not have seen.
  private(set) var tombstones: [UUIDValue: Tombstone]

  /// `count`: about how many objects are going to be added.
  init(tombstones: [UUIDValue: Tombstone] = [:], count: Int = 0) {
    self.tombstones = tombstones
    objects.reserveCapacity(count)
  }

  subscript(id: UUIDValue) -> OverlaidObject? { objects[id] }
}

// Operations that come, leave, and are shown or hidden.
extension Overlay {
  /// Applies the changes of the newest operation. Reads its objects that no other operation touches; if that throws,
  /// nothing has changed.
  mutating func append(
    _ operation: OutboxEntry, _ confirmed: (UUIDValue) throws -> ObjectVersion?
  ) rethrows {
    var read: [(UUIDValue, OverlaidObject)] = []
    for change in operation.changes.objects where !objects.keys.contains(change.object) {
      read.append((change.object, OverlaidObject(try confirmed(change.object))))
    }
    for (id, object) in read { objects[id] = object }
    for change in operation.changes.objects {
      // In place, without copies: an outbox of ten thousand is appended while a store is opened.
      guard let index = objects.index(forKey: change.object) else { continue }
      objects.values[index].append(operation.pending(change), tombstones[change.object])
    }
  }

  /// Applies the changes of operations that come back between others. Objects that no other operation touches become
  /// stale.
  mutating func putBack(_ operations: [OutboxEntry]) {
    let returned = operations.flatMap { operation in operation.changes.objects.map(operation.pending) }
    let changes = Dictionary(grouping: returned, by: \.change.object)
    for (id, changes) in changes {
      if objects[id] == nil { stale.insert(id) }
      objects[id, default: OverlaidObject()].insert(changes, tombstones[id])
    }
  }

  /// Takes operations out. `ids` are all objects that they touch.
  mutating func remove(_ leaving: Set<Int64>, touching ids: Set<UUIDValue>) {
    for id in ids {
      // In place, without copies: ten thousand may leave at once, while the main thread waits.
      guard let index = objects.index(forKey: id) else { continue }
      objects.values[index].remove(leaving, tombstones[id])
      if objects.values[index].changes.isEmpty {
        objects.remove(at: index)
        stale.remove(id)
      }
    }
  }

  /// Shows or hides operations, by their numbers. `ids` are all objects that they touch.
  mutating func show(_ isShown: [Int64: Bool], touching ids: Set<UUIDValue>) {
    for id in ids { objects[id]?.show(isShown, tombstones[id]) }
  }
}

// Confirmed state that is read or arrives.
extension Overlay {
  /// Sets the confirmed state of an object, if a pending operation touches the object.
  mutating func confirm(_ id: UUIDValue, _ state: ObjectVersion?) { objects[id]?.confirm(state, tombstones[id]) }

  /// Sets the confirmed state of an object that never leaves the device; nil if the object is deleted.
  mutating func confirmDevice(_ id: UUIDValue, _ saved: DeviceObjects.Saved?) {
    guard let type = objects[id]?.type else { return }
    confirm(id, saved.map { ObjectVersion(queue: nil, type: type, content: $0.content, system: $0.system) })
  }

  /// Replaces the tombstones of a queue, and replays the objects whose tombstone has changed. Returns these.
  mutating func keep(_ kept: [UUIDValue: Tombstone], of queue: QueueID) -> [UUIDValue] {
    let before = tombstones.filter { $0.value.queue == queue }
    for id in before.keys { tombstones[id] = nil }
    tombstones.merge(kept) { $1 }
    let replayed = Set(before.keys).union(kept.keys).filter { objects[$0] != nil && before[$0] != kept[$0] }
    for id in replayed { objects[id]?.replay(tombstones[id]) }
    return Array(replayed)
  }

  /// Makes the objects of a queue stale, and those without confirmed state, when it is not known which have changed.
  /// Objects of other queues change in steps of their own.
  mutating func doubtObjects(of queue: QueueID) {
    stale.formUnion(objects.lazy.filter { $0.value.confirmed.map { $0.queue == queue } ?? true }.map(\.key))
  }

  /// The object, read again first if it is stale; nil if no operation touches it.
  mutating func refreshedObject(
    _ id: UUIDValue, _ confirmed: (UUIDValue) throws -> ObjectVersion?
  ) rethrows -> OverlaidObject? {
    try refresh(id, confirmed)
    return objects[id]
  }

  mutating func refreshObjects(_ confirmed: (UUIDValue) throws -> ObjectVersion?) rethrows {
    for id in stale { try refresh(id, confirmed) }
  }

  /// Reads an object again if it is stale. If reading throws, the object stays stale.
  private mutating func refresh(_ id: UUIDValue, _ confirmed: (UUIDValue) throws -> ObjectVersion?) rethrows {
    guard stale.contains(id) else { return }
    let state = try confirmed(id)
    stale.remove(id)
    if objects[id]?.confirmed != state { confirm(id, state) }
  }
}

extension OutboxEntry {
  fileprivate func pending(_ change: ObjectChange) -> OverlaidObject.PendingChange {
    OverlaidObject.PendingChange(
      operation: number, queue: queue, performedAt: performedAt, isShown: isShown, change: change)
  }
}
