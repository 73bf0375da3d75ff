// The pending operations, and the objects that they touch, as the user sees them. Pure.

import ModelTypes
import SyncProtocol
import WireFormat

/// The pending operations in order, and each object that they touch: its confirmed state, and its view after the
/// replay.
///
/// An object that no operation touches is not in here, because the user sees its confirmed state.
struct Outbox {
  private(set) var operations: [Int64: PendingOperation] = [:]
  private(set) var objects: [UUIDValue: OverlaidObject] = [:]
  private var numbersByID: [UUIDValue: Int64] = [:]
  /// By the id of an operation, how many pending operations were declared to come after it.
  private var dependentCounts: [UUIDValue: Int] = [:]
  /// The numbers of the operations, in order.
  private(set) var numbers: [Int64] = []
  /// The numbers of operations whose outcome is known: they only wait for the cursor.
  private(set) var settled: Set<Int64> = []
  /// The operations of each queue, so that sync looks at no others.
  private(set) var queues: [QueueID: QueueOperations] = [:]
  /// The numbers of operations that require files on the server before they are applied.
  private(set) var requiring: Set<Int64> = []
  /// The files that operations without an outcome name.
  private(set) var undecidedFiles = UndecidedFiles()
  /// Queues that a pending operation of the user ends.
  private(set) var ending: Set<QueueID> = []
  /// Objects whose confirmed state on disk may be newer: they must be read again before use.
  private(set) var stale: Set<UUIDValue> = []

  /// Deletes that creates in the outbox may not have seen.
  private(set) var tombstones: [UUIDValue: Tombstone] = [:]

  /// A delete, in the queue of the object.
  struct Tombstone: Hashable {
    var queue: QueueID
    var revision: Int64
    /// The epoch of the rows that are shown, to which the revision belongs.
    var epoch: UUIDValue?
  }

  /// The state of an object, as the database has it or as replaying the operations makes it.
  struct Confirmed: Hashable {
    var queue: QueueID?
    var type: String
    var content: [UInt8]
    /// Nil if the store's user created it: an object that is only in the outbox, or never leaves the device.
    var createdBy: UUIDValue?
  }

  struct OverlaidObject {
    var confirmed: Confirmed?
    /// `confirmed` with the operations replayed on top; nil if there is no object.
    var view: Confirmed?
    /// The changes of this object, in the order in which they were performed.
    fileprivate(set) var changes: [(operation: Int64, index: Int)] = []
    /// The operations whose change cannot be applied, for example because others have deleted the object.
    fileprivate(set) var inapplicable: Set<Int64> = []
  }

  /// `count`: how many operations are about to be appended.
  init(tombstones: [UUIDValue: Tombstone] = [:], count: Int = 0) {
    self.tombstones = tombstones
    operations.reserveCapacity(count)
    objects.reserveCapacity(count)
    numbersByID.reserveCapacity(count)
    numbers.reserveCapacity(count)
  }

  func number(of id: UUIDValue) -> Int64? { numbersByID[id] }

  var hasDependencies: Bool { !dependentCounts.isEmpty }

  /// Whether an operation was declared to come after this one.
  func isDependedOn(_ id: UUIDValue) -> Bool { dependentCounts[id] != nil }

  /// Appends an operation and applies its changes. Calls `confirmed` once for each object that no other one touches.
  mutating func append(
    _ operation: PendingOperation, confirmed: (UUIDValue) throws -> Confirmed?
  ) rethrows {
    for change in operation.changes.objects where objects[change.object] == nil {
      let state = try confirmed(change.object)
      objects[change.object] = OverlaidObject(confirmed: state, view: state)
    }
    precondition(numbers.last.map { $0 < operation.number } ?? true, "operations come in the order of their numbers")
    add(operation)
    for (index, change) in operation.changes.objects.enumerated() {
      objects[change.object]?.changes.append((operation.number, index))
      apply(change, of: operation)
    }
  }

  /// Puts operations that had left back in their places, and replays their objects. Objects that no other operation
  /// touches become stale.
  mutating func putBack(_ returned: [PendingOperation]) {
    var touched: Set<UUIDValue> = []
    for operation in returned where operations[operation.number] == nil {
      for (index, change) in operation.changes.objects.enumerated() {
        if objects[change.object] == nil {
          objects[change.object] = OverlaidObject()
          stale.insert(change.object)
        }
        objects[change.object]?.changes.append((operation.number, index))
        touched.insert(change.object)
      }
      add(operation)
    }
    numbers.sort()
    for queue in Set(returned.compactMap(\.queue)) { queues[queue]?.sort() }
    for id in touched {
      objects[id]?.changes.sort { $0.operation < $1.operation }
      replay(id)
    }
  }

  private mutating func add(_ operation: PendingOperation) {
    operations[operation.number] = operation
    numbersByID[operation.id] = operation.number
    for id in operation.dependencies { dependentCounts[id, default: 0] += 1 }
    numbers.append(operation.number)
    if operation.outcome != nil { settled.insert(operation.number) }
    if !operation.changes.files.isEmpty { requiring.insert(operation.number) }
    undecidedFiles.add(operation)
    if let queue = operation.queue {
      queues[queue, default: QueueOperations()].add(operation)
      noteEnding(queue)
    }
  }

  /// Returns, and forgets, the files whose answer from `undecidedFiles` has changed since the last call.
  mutating func takeChangedFiles() -> Set<FilePlace> { undecidedFiles.takeChanged() }

  private mutating func noteEnding(_ queue: QueueID) {
    if queues[queue]?.isEnding == true { ending.insert(queue) } else { ending.remove(queue) }
  }

  /// Takes operations out, and returns the ids that they touched.
  @discardableResult
  mutating func remove(_ leaving: some Sequence<Int64>) -> Set<UUIDValue> {
    let leaving = Set(leaving)
    guard !leaving.isEmpty else { return [] }
    numbers.removeAll(where: leaving.contains)
    settled.subtract(leaving)
    requiring.subtract(leaving)
    for queue in Set(leaving.compactMap { operations[$0]?.queue }) {
      queues[queue]?.remove(leaving)
      if queues[queue]?.numbers.isEmpty == true { queues[queue] = nil }
      noteEnding(queue)
    }
    var touched = Set<UUIDValue>(minimumCapacity: leaving.count)
    var remaining: [UUIDValue] = []
    for number in leaving {
      guard let operation = operations.removeValue(forKey: number) else { continue }
      numbersByID[operation.id] = nil
      undecidedFiles.remove(operation)
      for id in operation.dependencies {
        dependentCounts[id] = dependentCounts[id].flatMap { $0 > 1 ? $0 - 1 : nil }
      }
      touched.formUnion(operation.touched)
    }
    for id in touched {
      // In place, without copies: ten thousand may leave at once, while the main thread waits.
      guard let index = objects.index(forKey: id) else { continue }
      objects.values[index].changes.removeAll { leaving.contains($0.operation) }
      if objects.values[index].changes.isEmpty {
        objects.remove(at: index)
        stale.remove(id)
      } else {
        remaining.append(id)
      }
    }
    for id in remaining { replay(id) }
    return touched
  }

  /// Sets the confirmed state of an object and replays it, if a pending operation touches the object.
  mutating func confirm(_ id: UUIDValue, _ state: Confirmed?) {
    objects[id]?.confirmed = state
    replay(id)
  }

  /// Replaces the tombstones of a queue, and replays the objects whose tombstone has changed.
  mutating func keep(_ kept: [UUIDValue: Tombstone], of queue: QueueID) {
    let before = tombstones.filter { $0.value.queue == queue }
    for id in before.keys { tombstones[id] = nil }
    tombstones.merge(kept) { $1 }
    for id in Set(before.keys).union(kept.keys) where before[id] != kept[id] { replay(id) }
  }

  /// Makes the objects of a queue stale, and those without confirmed state, when it is not known which have changed.
  /// Objects of other queues change in steps of their own.
  mutating func doubtObjects(of queue: QueueID) {
    stale.formUnion(objects.lazy.filter { $0.value.confirmed.map { $0.queue == queue } ?? true }.map(\.key))
  }

  /// Reads an object again if it is stale. If reading throws, the object stays stale.
  mutating func refresh(_ id: UUIDValue, _ confirmed: (UUIDValue) throws -> Confirmed?) rethrows {
    guard stale.contains(id) else { return }
    let state = try confirmed(id)
    stale.remove(id)
    guard objects[id]?.confirmed != state else { return }
    objects[id]?.confirmed = state
    replay(id)
  }

  /// The object with its operations replayed, read again first if it is stale; nil if no operation touches it.
  mutating func overlaid(
    _ id: UUIDValue, _ confirmed: (UUIDValue) throws -> Confirmed?
  ) rethrows -> OverlaidObject? {
    try refresh(id, confirmed)
    return objects[id]
  }

  mutating func refreshAll(_ confirmed: (UUIDValue) throws -> Confirmed?) rethrows {
    for id in stale { try refresh(id, confirmed) }
  }

  /// Sets the confirmed content of an object that never leaves the device; nil if the object is deleted.
  mutating func confirmDevice(_ id: UUIDValue, _ content: [UInt8]?) {
    guard let object = objects[id], let type = (object.confirmed ?? object.view)?.type ?? createdType(id) else {
      return
    }
    confirm(id, content.map { Confirmed(queue: nil, type: type, content: $0) })
  }

  private func createdType(_ id: UUIDValue) -> String? {
    for (number, index) in objects[id]?.changes ?? [] {
      if case .create(let type, _, _)? = operations[number]?.changes.objects[index].action { return type }
    }
    return nil
  }

  /// Lets `body` change the progress of an operation. If that shows or hides the operation, replays its objects and
  /// returns the ids that it touches.
  @discardableResult
  mutating func update(_ number: Int64, _ body: (inout PendingOperation) -> Void) -> Set<UUIDValue> {
    update(CollectionOfOne(number), body)
  }

  /// Updates several operations. An object that several of them touch is replayed once.
  @discardableResult
  mutating func update(
    _ numbers: some Sequence<Int64>, _ body: (inout PendingOperation) -> Void
  ) -> Set<UUIDValue> {
    var touched: Set<UUIDValue> = []
    for number in numbers {
      guard let index = operations.index(forKey: number) else { continue }
      let wasShown = operations.values[index].isShown
      undecidedFiles.remove(operations.values[index])
      body(&operations.values[index])
      let operation = operations.values[index]
      undecidedFiles.add(operation)
      if operation.outcome != nil { settled.insert(number) } else { settled.remove(number) }
      if let queue = operation.queue { queues[queue]?.note(operation) }
      guard operation.isShown != wasShown else { continue }
      touched.formUnion(operation.touched)
      if let queue = operation.queue { noteEnding(queue) }
    }
    for id in touched { replay(id) }
    return touched
  }

  /// Computes the view of an object anew, from its confirmed state and the operations.
  private mutating func replay(_ id: UUIDValue) {
    guard var object = objects[id] else { return }
    if object.changes.isEmpty {
      objects[id] = nil
      stale.remove(id)
      return
    }
    object.view = object.confirmed
    object.inapplicable = []
    objects[id] = object
    for (number, index) in object.changes {
      guard let operation = operations[number] else { continue }
      apply(operation.changes.objects[index], of: operation)
    }
  }

  /// Whether every change of an operation can be applied.
  func applies(_ number: Int64) -> Bool {
    let changes = operations[number]?.changes.objects ?? []
    return changes.allSatisfy { objects[$0.object]?.inapplicable.contains(number) != true }
  }

  /// Applies a change to the view of its object. A change that cannot be applied leaves the object as it is and is
  /// marked, so that replay never drops an operation and never stops.
  private mutating func apply(_ change: ObjectChange, of operation: PendingOperation) {
    guard operation.isShown, let object = objects[change.object] else { return }
    if case .patch = change.action, object.view == nil { return mark(change, of: operation) }
    if object.view == nil, staysDeleted(change, object) { return mark(change, of: operation) }
    do throws(WireError) {
      let content = try change.applied(to: object.view?.content)
      objects[change.object]?.view = content.flatMap { content in
        if var view = object.view {
          view.content = content
          return view
        }
        guard case .create(let type, _, _) = change.action else { return nil }
        return Confirmed(queue: operation.queue, type: type, content: content)
      }
    } catch {
      mark(change, of: operation)
    }
  }

  /// Whether a create leaves the object deleted, as on the server: its author did not know of the delete.
  private func staysDeleted(_ change: ObjectChange, _ object: OverlaidObject) -> Bool {
    guard case .create(_, _, let revival) = change.action, object.confirmed == nil,
      let tombstone = tombstones[change.object]
    else { return false }
    return !revival.overcomes(tombstone: tombstone.revision, epoch: tombstone.epoch)
  }

  private mutating func mark(_ change: ObjectChange, of operation: PendingOperation) {
    objects[change.object]?.inapplicable.insert(operation.number)
  }
}

extension Outbox.Confirmed {
  init(_ live: ObjectState.Live, in queue: QueueID) {
    self.init(queue: queue, type: live.type, content: live.content, createdBy: live.createdBy)
  }
}
