// Reads a list from disk into a copy of it, so that nobody who looks at the list waits. Pure.

import ModelTypes
import Snapshots
import WireFormat

/// A copy of a list that takes over rows from disk, and later changes, until it replaces the list.
///
/// The disk is read as it was at the moment of the copy, so later changes win over rows from disk.
struct ListReading {
  /// The part of the disk to read; nil if only objects that have arrived are placed.
  let scope: ListScope?
  /// Whether the list was never read as a whole before.
  let isFirst: Bool
  /// Whether the copy has become different from the list that is shown.
  private(set) var hasChanged: Bool
  private(set) var list: ListState
  /// Queues that were hidden at some time since reading began: their rows on disk are not shown.
  private var hidden: Set<QueueID>
  /// Rows that changed since reading began, or that pending operations touch: their rows on disk are ignored.
  private var touched = RowSet()
  /// The same for objects without a row number.
  private var absent: Set<RowID> = []
  private var found = RowSet()

  /// An object on disk that has a place in the list.
  struct Found {
    var row: ListRow
    var queue: QueueID?
    var place: ListPlace
  }

  /// `overlaid` are the steps for objects that pending operations touch, as the user sees them.
  init(of scope: ListScope, into list: ListState, _ overlaid: [ListStep], hidden: Set<QueueID>, isFirst: Bool = false) {
    (self.scope, self.list, self.hidden, self.isFirst, hasChanged) = (scope, list, hidden, isFirst, true)
    add(overlaid)
    self.list.perform(overlaid)
  }

  /// Only places objects that have arrived; reads nothing from disk.
  init(following list: ListState) {
    (scope, self.list, hidden, isFirst, hasChanged) = (nil, list, [], false, false)
    self.list.markRead()
  }

  /// Takes over objects from disk, in any order.
  mutating func take(_ objects: [Found]) {
    let again = Set(list.unread)
    var steps: [ListStep] = []
    steps.reserveCapacity(objects.count)
    for object in objects where !touched.contains(object.row) {
      // Rows of a queue that will be read again are out of date.
      if let queue = object.queue, !again.isEmpty, again.contains(.queue(queue)) { continue }
      if !absent.isEmpty, absent.contains(list.snapshot.layout.rows.id(of: object.row)) { continue }
      if let queue = object.queue, !hidden.isEmpty, hidden.contains(queue) { continue }
      // Objects from the ends of the list are read first, and come again with all others.
      guard found.insert(object.row) else { continue }
      steps.append(.put(object.row, object.place, object.queue))
    }
    list.perform(steps)
  }

  /// Applies the steps that the shown list has taken meanwhile; `shown` is its state now.
  mutating func replay(_ steps: [ListStep], of shown: ListState.Shown) {
    hasChanged = hasChanged || steps.contains { list.mayBeChanged(by: $0) }
    add(steps)
    // Gets a newer revision than the shown list, so that consumers notice the difference.
    list.follow(shown)
    list.perform(steps)
  }

  private mutating func add(_ steps: [ListStep]) {
    for step in steps {
      switch step {
      case .put(let row, _, _), .remove(let row): touched.insert(row)
      case .absent(let id): absent.insert(id)
      case .hide(let queue):
        hidden.insert(queue)
        for row in list.rows(of: queue) { touched.insert(row) }
      case .need, .moment, .arrived, .await: break
      }
    }
  }

  /// Removes rows of the scope that are not on disk, unless they have changed since.
  mutating func end() {
    precondition(scope != nil, "what was not read has not looked for anything")
    let again = Set(list.unread)
    list.remove(
      list.rows { row in
        guard !found.contains(row), !touched.contains(row) else { return false }
        let queue = list.queue(of: row)
        if let queue, again.contains(.queue(queue)) { return false }
        return scope == .everything || scope == queue.map(ListScope.queue)
      })
    list.markRead()
  }
}

/// A set of rows, with one bit for each row number.
private struct RowSet {
  private var words: [UInt64] = []

  func contains(_ row: ListRow) -> Bool {
    let word = Int(row.number / 64)
    return word < words.count && words[word] >> UInt64(row.number % 64) & 1 == 1
  }

  /// Adds a row. Returns whether it was not in the set.
  @discardableResult
  mutating func insert(_ row: ListRow) -> Bool {
    if contains(row) { return false }
    let word = Int(row.number / 64)
    if word >= words.count { words += Array(repeating: 0, count: max(word + 1, words.count * 2) - words.count) }
    words[word] |= 1 << UInt64(row.number % 64)
    return true
  }
}
