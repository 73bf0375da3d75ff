// What a list is made of: its newest snapshot, and how news and reading the disk change it. Pure, but for `read`.

import ModelTypes
import Snapshots
import WireFormat

struct ListState {
  /// All that is known, sorted.
  private(set) var snapshot: Snapshot
  /// The queue of each row that was ever in the list, by the row's number: 0 for none, else an index into `queues` and 1.
  private var queueNumbers: [UInt32] = []
  private var queues: [QueueID] = []
  private var numbersByQueue: [QueueID: UInt32] = [:]
  /// Nothing of them is shown.
  private var hidden: Set<QueueID> = []
  /// What has to be read from disk, in parts.
  private(set) var unread: [Scope] = [.everything]
  private var reading: Reading?
  private var distinct = DistinctRows()
  /// Why the last reading ended; nil where it has not failed.
  var error: StoreError?

  let rows: RowTable
  private let type: String
  private let placing: ListPlacing
  private let context: ListContext

  /// What is read at once.
  enum Scope: Hashable {
    case everything
    case queue(QueueID)
  }

  /// An object on disk that has a place in the list.
  struct Found {
    var id: UUIDValue
    var queue: QueueID?
    var place: ListPlace
  }

  /// Objects on disk, as they were when it began.
  private struct Reading {
    var scope: Scope
    /// What has happened to since, or is not as the disk has it: the disk's word counts for nothing.
    var touched: Set<UInt32> = []
    var found: Set<UInt32> = []
  }

  init(_ layout: ListLayout, type: String, _ context: ListContext, _ placing: @escaping ListPlacing) {
    (self.type, self.placing, self.context) = (type, placing, context)
    rows = layout.rows
    snapshot = Snapshot(layout)
  }
}

// News.
extension ListState {
  /// `read` reads an object as the user sees it.
  mutating func apply(
    _ news: ListLog.News, hidden: Set<QueueID>, read: (UUIDValue) throws -> Outbox.Confirmed?
  ) {
    self.hidden = hidden
    guard case .changes(let changes) = news else { return need(.everything) }
    var batch = SnapshotBatch()
    for change in changes {
      switch change {
      case .object(let id, let object): put(id, object, &batch)
      case .unread(let id):
        do {
          let object = try read(id)
          put(id, object, &batch)
        } catch {
          fail(StoreError(reading: error))
        }
      case .hidden(let queue): hide(queue, &batch)
      case .queue(let queue): need(.queue(queue))
      }
    }
    merge(batch)
  }

  private mutating func put(_ id: UUIDValue, _ object: Outbox.Confirmed?, _ batch: inout SnapshotBatch) {
    let place = object.flatMap { self.place(of: id, $0.type, $0.content, $0.queue) }
    guard let place else {
      guard let row = rows.knownRow(for: RowID(id)) else { return }
      reading?.touched.insert(row.number)
      return distinct.remove(row, in: rows, &batch)
    }
    let row = rows.row(for: RowID(id))
    reading?.touched.insert(row.number)
    note(row, in: object?.queue)
    distinct.put(row, at: place, in: rows, &batch)
  }

  /// Nil where the object is not in the list, and where its bytes are damage: reading it says so.
  private func place(of id: UUIDValue, _ type: String, _ content: [UInt8], _ queue: QueueID?) -> ListPlace? {
    guard type == self.type, queue.map(hidden.contains) != true else { return nil }
    return (try? placing(id, content, queue, context)) ?? nil
  }

  /// Walks over all rows there have been: four bytes each.
  private mutating func hide(_ queue: QueueID, _ batch: inout SnapshotBatch) {
    guard let number = numbersByQueue[queue] else { return }
    for (row, found) in queueNumbers.enumerated() where found == number {
      reading?.touched.insert(UInt32(row))
      distinct.remove(ListRow(UInt32(row)), in: rows, &batch)
    }
  }

  private mutating func note(_ row: ListRow, in queue: QueueID?) {
    let index = Int(row.number)
    if index >= queueNumbers.count {
      queueNumbers += Array(repeating: 0, count: max(index + 1, rows.count) - queueNumbers.count)
    }
    queueNumbers[index] = queue.map { number(of: $0) } ?? 0
  }

  private mutating func number(of queue: QueueID) -> UInt32 {
    if let number = numbersByQueue[queue] { return number }
    queues.append(queue)
    numbersByQueue[queue] = UInt32(queues.count)
    return UInt32(queues.count)
  }

  private mutating func merge(_ batch: SnapshotBatch) {
    if !batch.isEmpty { snapshot = snapshot.applying(batch).0 }
  }

  private mutating func fail(_ error: StoreError) {
    self.error = error
    need(.everything)
  }
}

// Reading from disk.
extension ListState {
  private mutating func need(_ scope: Scope) {
    if scope == .everything { unread = [] }
    if !unread.contains(scope), !unread.contains(.everything) { unread.append(scope) }
    snapshot.isComplete = false
  }

  var isReading: Bool { reading != nil }

  /// The objects that operations touch are as `overlaid` says, whatever the disk has. Nil where there is nothing to read.
  mutating func beginReading(_ overlaid: [UUIDValue: Outbox.Confirmed?]) -> Scope? {
    guard !unread.isEmpty, reading == nil else { return nil }
    let scope = unread.removeFirst()
    reading = Reading(scope: scope)
    error = nil
    var batch = SnapshotBatch()
    for (id, object) in overlaid { put(id, object, &batch) }
    merge(batch)
    return scope
  }

  mutating func take(_ objects: [Found]) {
    guard var reading else { return }
    var batch = SnapshotBatch()
    batch.reserveCapacity(objects.count)
    for object in objects {
      // What is to be read once more is not shown as it was before.
      if let queue = object.queue, unread.contains(.queue(queue)) { continue }
      if let queue = object.queue, hidden.contains(queue) { continue }
      let row = rows.row(for: RowID(object.id))
      guard !reading.touched.contains(row.number) else { continue }
      reading.found.insert(row.number)
      note(row, in: object.queue)
      distinct.put(row, at: object.place, in: rows, &batch)
    }
    self.reading = reading
    merge(batch)
  }

  /// What was not found is gone.
  mutating func endReading() {
    guard let ended = reading else { return }
    reading = nil
    var batch = SnapshotBatch()
    for row in queueNumbers.indices.lazy.map({ ListRow(UInt32($0)) })
    where snapshot.contains(row) || distinct.contains(row) {
      guard isIn(ended.scope, row), !ended.found.contains(row.number), !ended.touched.contains(row.number) else {
        continue
      }
      distinct.remove(row, in: rows, &batch)
    }
    merge(batch)
    snapshot.isComplete = unread.isEmpty
  }

  /// It is tried again when somebody asks, also where it has failed before it began.
  mutating func failReading(_ error: StoreError) {
    self.error = error
    guard let scope = reading?.scope else { return }
    reading = nil
    need(scope)
  }

  /// Whether the disk was asked for it, and is not to be asked again.
  private func isIn(_ scope: Scope, _ row: ListRow) -> Bool {
    let queue = queue(of: row)
    if let queue, unread.contains(.queue(queue)) { return false }
    return scope == .everything || scope == queue.map(Scope.queue)
  }

  private func queue(of row: ListRow) -> QueueID? {
    let index = Int(row.number)
    guard index < queueNumbers.count, queueNumbers[index] != 0 else { return nil }
    return queues[Int(queueNumbers[index]) - 1]
  }
}

extension RowID {
  init(_ id: UUIDValue) { self.init(high: id.high, low: id.low) }
}

extension UUIDValue {
  init(_ id: RowID) { self.init(high: id.high, low: id.low) }
}
