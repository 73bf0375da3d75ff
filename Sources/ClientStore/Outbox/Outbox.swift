// The pending operations in order, indexed by what the store looks them up by. Pure.

import SyncProtocol
import WireFormat

/// The pending operations in order, and the objects that they touch.
struct Outbox {
  private(set) var operations: [Int64: OutboxEntry] = [:]
  /// The objects that the operations touch, as the user sees them.
  private(set) var overlay: Overlay
  private var numbersByID: [OperationID: Int64] = [:]
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
  /// What has changed since the last `takeChanges`.
  private(set) var changes = VisibleChanges()

  /// `count`: how many operations are about to be appended.
  init(tombstones: [UUIDValue: Tombstone] = [:], count: Int = 0) {
    overlay = Overlay(tombstones: tombstones, count: count)
    operations.reserveCapacity(count)
    numbersByID.reserveCapacity(count)
    numbers.reserveCapacity(count)
  }

  func number(of id: OperationID) -> Int64? { numbersByID[id] }

  /// Returns, and forgets, what has changed since the last call.
  mutating func takeChanges() -> VisibleChanges {
    defer { changes = VisibleChanges() }
    return changes
  }

  /// Appends an operation and applies its changes. Calls `confirmed` for each object that no other operation touches;
  /// if that throws, nothing has changed.
  mutating func append(
    _ operation: OutboxEntry, confirmed: (UUIDValue) throws -> ObjectVersion?
  ) rethrows {
    precondition(numbers.last.map { $0 < operation.number } ?? true, "operations come in the order of their numbers")
    try overlay.append(operation, confirmed)
    add(operation)
    // A saved operation is loaded while the store is opened: nobody has seen the store without it.
    if !operation.isSaved { changes.ids.formUnion(operation.touched) }
  }

  /// Puts operations that had left back in their places, but for those that are here. Objects that no other operation
  /// touches become stale.
  mutating func putBack(_ operations: [OutboxEntry]) {
    var returned: [OutboxEntry] = []
    for operation in operations where self.operations[operation.number] == nil {
      add(operation)
      returned.append(operation)
    }
    numbers.sort()
    for queue in Set(returned.compactMap(\.queue)) { queues[queue]?.sort() }
    overlay.putBack(returned)
    for operation in returned where operation.isShown { changes.ids.formUnion(operation.touched) }
    assert(numbers.count == self.operations.count, "each operation has its place in the order")
  }

  private mutating func add(_ operation: OutboxEntry) {
    operations[operation.number] = operation
    numbersByID[operation.id] = operation.number
    numbers.append(operation.number)
    if operation.outcome != nil { settled.insert(operation.number) }
    if !operation.changes.files.isEmpty { requiring.insert(operation.number) }
    undecidedFiles.add(operation)
    if let queue = operation.queue {
      queues[queue, default: QueueOperations()].add(operation)
      updateEnding(queue)
    }
  }

  /// Returns, and forgets, the files whose answer from `undecidedFiles` has changed since the last call.
  mutating func takeChangedFiles() -> Set<FileKey> { undecidedFiles.takeChanged() }

  private mutating func updateEnding(_ queue: QueueID) {
    let isEnding = queues[queue]?.isEnding == true
    guard isEnding != ending.contains(queue) else { return }
    if isEnding { ending.insert(queue) } else { ending.remove(queue) }
    // Even by an operation that is not replayed: the whole queue is hidden, or shown again.
    changes.ids.insert(queue.root)
  }

  mutating func remove(_ leaving: some Sequence<Int64>) {
    let leaving = Set(leaving)
    guard !leaving.isEmpty else { return }
    numbers.removeAll(where: leaving.contains)
    settled.subtract(leaving)
    requiring.subtract(leaving)
    for queue in Set(leaving.compactMap { operations[$0]?.queue }) {
      queues[queue]?.remove(leaving)
      if queues[queue]?.numbers.isEmpty == true { queues[queue] = nil }
      updateEnding(queue)
    }
    var touched = Set<UUIDValue>(minimumCapacity: leaving.count)
    for number in leaving {
      guard let operation = operations.removeValue(forKey: number) else { continue }
      numbersByID[operation.id] = nil
      undecidedFiles.remove(operation)
      touched.formUnion(operation.touched)
    }
    overlay.remove(leaving, touching: touched)
    changes.ids.formUnion(touched)
    assert(numbers.count == self.operations.count, "each operation has its place in the order")
  }

  /// Lets `body` change the progress of an operation. If that shows or hides the operation, replays its objects.
  mutating func update(_ number: Int64, _ body: (inout OutboxEntry) -> Void) {
    update(CollectionOfOne(number), body)
  }

  /// Updates several operations. An object that several of them touch is replayed once.
  mutating func update(_ numbers: some Sequence<Int64>, _ body: (inout OutboxEntry) -> Void) {
    var touched: Set<UUIDValue> = []
    var isShown: [Int64: Bool] = [:]
    for number in numbers {
      guard let index = operations.index(forKey: number) else { continue }
      let wasShown = operations.values[index].isShown
      undecidedFiles.remove(operations.values[index])
      body(&operations.values[index])
      let operation = operations.values[index]
      undecidedFiles.add(operation)
      if operation.outcome != nil { settled.insert(number) } else { settled.remove(number) }
      if let queue = operation.queue { queues[queue]?.update(operation) }
      if let queue = operation.queue, operation.isEnd { updateEnding(queue) }
      guard operation.isShown != wasShown else { continue }
      isShown[number] = operation.isShown
      touched.formUnion(operation.touched)
    }
    overlay.show(isShown, touching: touched)
    changes.ids.formUnion(touched)
  }

  /// Whether every change of an operation can be applied.
  func applies(_ number: Int64) -> Bool {
    let changes = operations[number]?.changes.objects ?? []
    return changes.allSatisfy { overlay[$0.object]?.inapplicable.contains(number) != true }
  }
}

// Confirmed state that is read or arrives: passed on to the overlay, which says more.
extension Outbox {
  /// Takes in objects of a queue that have arrived.
  mutating func confirm(_ arrived: ArrivedObjects, in queue: QueueID) {
    guard arrived.count > 0 else { return }
    let touched = arrived.ids(among: overlay.objects.keys)
    for id in touched { overlay.confirm(id, arrived[id]?.live.map { ObjectVersion($0, in: queue) }) }
    // The batch names the others, and lists would read them twice.
    changes.ids.subtract(arrived.ids(among: changes.ids))
    changes.ids.formUnion(touched)
    changes.batches.append(.arrived(arrived, in: queue))
  }

  /// Notes that any object of a queue may have changed. `isGone`: none of the confirmed ones is left.
  mutating func doubtObjects(of queue: QueueID, isGone: Bool) {
    overlay.doubtObjects(of: queue)
    changes.batches.append(.queue(queue, isGone: isGone))
  }

  mutating func confirmDevice(_ id: UUIDValue, _ saved: DeviceObjects.Saved?) { overlay.confirmDevice(id, saved) }

  /// A create may bring an object back once the delete that it has not seen is gone.
  mutating func keep(_ kept: [UUIDValue: Tombstone], of queue: QueueID) {
    changes.ids.formUnion(overlay.keep(kept, of: queue))
  }

  mutating func refreshObjects(_ confirmed: (UUIDValue) throws -> ObjectVersion?) rethrows {
    try overlay.refreshObjects(confirmed)
  }

  mutating func refreshedObject(
    _ id: UUIDValue, _ confirmed: (UUIDValue) throws -> ObjectVersion?
  ) rethrows -> OverlaidObject? {
    try overlay.refreshedObject(id, confirmed)
  }
}
