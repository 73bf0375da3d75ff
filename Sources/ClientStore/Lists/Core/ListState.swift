// The state of a list, and how steps change it. Pure.

import ModelTypes
import Snapshots
import WireFormat

/// One change to a list.
enum ListStep {
  /// An object has this place from now on.
  case put(ListRow, ListPlace, QueueID?)
  case remove(ListRow)
  /// Removes an object that had no row number when it changed. Most objects are in no list, and get no number.
  case absent(RowID)
  /// Nothing of the queue is shown any more.
  case hide(QueueID)
  /// This part of the disk is to be read again.
  case need(ListScope)
  /// Many objects have arrived. `ListSource.placed` finds their places later.
  case arrived(ArrivedObjects, in: QueueID)
  /// The time is this moment now, in milliseconds since 1970. It is earlier than before if the clock was set back.
  case moment(Int64)
  /// Whether answers about other objects are still to come.
  case await(Bool)
}

/// A part of the disk that is read at once.
enum ListScope: Hashable {
  case everything
  case queue(QueueID)
}

struct ListState {
  /// All rows that are in the list at this moment, sorted and without the limit.
  private var whole: Snapshot
  /// The first rows of `whole`, if the list has a limit.
  private var first: FirstRows?
  /// The parts that are still to be read from disk.
  private(set) var unread: [ListScope] = [.everything]
  /// Whether all that was read and has arrived is in its place.
  private var isPlaced = false
  private(set) var awaitsAnswers = false
  private var timed = TimedRows()
  private var distinct = DistinctRows()
  private var queues = RowQueues()

  init(_ layout: ListLayout, limit: Int? = nil) {
    (whole, first) = (Snapshot(layout), limit.map { FirstRows(layout, limit: $0) })
  }

  /// The snapshot that is shown.
  var snapshot: Snapshot { first?.snapshot ?? whole }

  /// Whether the list keeps the row: shown, behind the limit, hidden by another row with the same value, or in the list
  /// at other moments only.
  func keeps(_ row: ListRow) -> Bool { whole.contains(row) || distinct.contains(row) || timed.contains(row) }

  /// The moment of the last look, in milliseconds since 1970, for a list that follows the time.
  var moment: Int64 { timed.moment }

  /// When an object may come or go next, as time passes; nil where none does.
  mutating func nextMoment() -> Int64? { timed.nextMoment() }

  func queue(of row: ListRow) -> QueueID? { queues.queue(of: row) }

  /// All rows that were put into the list with this queue last. Some may have left the list.
  func rows(of queue: QueueID) -> [ListRow] { queues.rows(of: queue) }

  /// The rows that the list keeps and that are included. Looks at every row number that was ever given.
  func rows(where isIncluded: (ListRow) -> Bool) -> [ListRow] {
    (0..<UInt32(whole.layout.rows.count)).lazy.map(ListRow.init).filter { isIncluded($0) && keeps($0) }
  }
}

// Steps.
extension ListState {
  mutating func perform(_ steps: some Collection<ListStep>) {
    var batch = ListBatch(over: whole)
    batch.reserveCapacity(steps.count)
    for step in steps {
      switch step {
      case .put(let row, let place, let queue):
        queues.set(queue, of: row)
        show(row, at: timed.put(row, at: place) ? place : nil, &batch)
      case .remove(let row): remove(row, &batch)
      case .absent(let id): if let row = whole.layout.rows.knownRow(for: id) { remove(row, &batch) }
      case .hide(let queue): for row in rows(of: queue) { remove(row, &batch) }
      case .need(let scope): need(scope)
      case .arrived: setPlaced(false)
      case .moment(let moment): for (row, place) in timed.advance(to: moment) { show(row, at: place, &batch) }
      case .await(let awaits):
        awaitsAnswers = awaits
        setPlaced(isPlaced)
      }
    }
    merge(batch)
  }

  /// Whether a step may change any row that the list keeps. False for most objects that belong to other lists.
  func mayBeChanged(by step: ListStep) -> Bool {
    switch step {
    case .put: true
    case .remove(let row): keeps(row)
    case .absent(let id): whole.layout.rows.knownRow(for: id).map(keeps) ?? false
    case .hide, .need, .moment, .await: true
    case .arrived: false
    }
  }

  mutating func remove(_ rows: [ListRow]) {
    var batch = ListBatch(over: whole)
    for row in rows { remove(row, &batch) }
    merge(batch)
  }

  private mutating func remove(_ row: ListRow, _ batch: inout ListBatch) {
    timed.remove(row)
    distinct.remove(row, &batch)
  }

  /// Shows a row at a place, or hides it if the place is nil.
  private mutating func show(_ row: ListRow, at place: ListPlace?, _ batch: inout ListBatch) {
    if let place { distinct.put(row, at: place, &batch) } else { distinct.remove(row, &batch) }
  }

  private mutating func merge(_ batch: ListBatch) {
    if batch.changes.isEmpty { return }
    whole = whole.applying(batch.changes).snapshot
    first?.follow(whole, changed: batch.changes.rows)
  }

  private mutating func need(_ scope: ListScope) {
    if scope == .everything { unread = [] }
    if !unread.contains(scope), !unread.contains(.everything) { unread.append(scope) }
    setPlaced(false)
  }

  private mutating func setPlaced(_ isPlaced: Bool) {
    self.isPlaced = isPlaced
    whole.isComplete = isPlaced && !awaitsAnswers
    first?.setComplete(whole.isComplete)
  }

  /// Whether nothing is left to read.
  var isRead: Bool { unread.isEmpty }

  /// Takes the part that is to be read next; nil if there is none.
  mutating func takeUnread() -> ListScope? { unread.isEmpty ? nil : unread.removeFirst() }

  mutating func markRead() { setPlaced(unread.isEmpty) }

  /// The part of a state that `follow` needs. No more, because holding a whole state forces a copy at the next change.
  struct Shown {
    fileprivate var whole: Snapshot
    fileprivate var first: FirstRows?
  }

  var shown: Shown { Shown(whole: whole, first: first) }

  /// Gets revisions after those of another state of the list, which has changed since this one was copied from it.
  mutating func follow(_ other: Shown) {
    whole = whole.following(other.whole)
    if let other = other.first { first?.follow(other) }
  }
}

/// The queue of each row, in four bytes a row.
private struct RowQueues {
  /// By the row's number: 0 for no queue, else 1 more than an index into `queues`.
  private var numbers: [UInt32] = []
  private var queues: [QueueID] = []
  private var numbersByQueue: [QueueID: UInt32] = [:]
  private var last: (queue: QueueID, number: UInt32)?

  mutating func set(_ queue: QueueID?, of row: ListRow) {
    let index = Int(row.number)
    if index >= numbers.count {
      numbers += Array(repeating: 0, count: max(index + 1, numbers.count * 3 / 2) - numbers.count)
    }
    numbers[index] = queue.map { number(of: $0) } ?? 0
  }

  func queue(of row: ListRow) -> QueueID? {
    let index = Int(row.number)
    guard index < numbers.count, numbers[index] != 0 else { return nil }
    return queues[Int(numbers[index]) - 1]
  }

  func rows(of queue: QueueID) -> [ListRow] {
    guard let number = numbersByQueue[queue] else { return [] }
    return numbers.indices.filter { numbers[$0] == number }.map { ListRow(UInt32($0)) }
  }

  private mutating func number(of queue: QueueID) -> UInt32 {
    if let last, last.queue == queue { return last.number }
    let number = numbersByQueue[queue] ?? add(queue)
    last = (queue, number)
    return number
  }

  private mutating func add(_ queue: QueueID) -> UInt32 {
    queues.append(queue)
    numbersByQueue[queue] = UInt32(queues.count)
    return UInt32(queues.count)
  }
}

extension RowID {
  init(_ id: UUIDValue) { self.init(high: id.high, low: id.low) }
}

extension UUIDValue {
  init(_ id: RowID) { self.init(high: id.high, low: id.low) }
}
