// Reading a list from disk beside the one that is shown: nobody who looks at the list waits for it. Pure.

import ModelTypes
import Snapshots
import WireFormat

/// A copy of a list that takes over what the disk has, and what happens meanwhile, until it is shown in the list's place.
///
/// The disk is read as it was at the moment of the copy. What happens to the list later counts more.
struct ListReading {
  /// Nil where nothing is read, and only what has arrived is placed.
  let scope: ListScope?
  /// Whether nothing of the disk was shown before.
  let isFirst: Bool
  /// Whether the list has become another one than that which is shown.
  private(set) var hasChanged: Bool
  private(set) var list: ListState
  /// Queues that were hidden since reading began: their rows on disk are not shown.
  private var hidden: Set<QueueID>
  /// Rows that changed since reading began, or differ from the disk: their rows on disk are ignored.
  private var touched = RowSet()
  /// The same of what has no row.
  private var absent: Set<RowID> = []
  private var found = RowSet()

  /// An object on disk that has a place in the list.
  struct Found {
    var row: ListRow
    var queue: QueueID?
    var place: ListPlace
  }

  /// `overlaid` are objects that operations touch, as the user sees them.
  init(of scope: ListScope, into list: ListState, _ overlaid: [ListStep], hidden: Set<QueueID>, isFirst: Bool = false) {
    (self.scope, self.list, self.hidden, self.isFirst, hasChanged) = (scope, list, hidden, isFirst, true)
    note(overlaid)
    self.list.perform(overlaid)
  }

  /// To place what has arrived; nothing is read from disk.
  init(following list: ListState) {
    (scope, self.list, hidden, isFirst, hasChanged) = (nil, list, [], false, false)
    self.list.noteRead()
  }

  /// Objects that the disk has, in any order.
  mutating func take(_ objects: [Found]) {
    let again = Set(list.unread)
    var steps: [ListStep] = []
    steps.reserveCapacity(objects.count)
    for object in objects where !touched.contains(object.row) {
      // A queue that is read once more is not shown as it was before.
      if let queue = object.queue, !again.isEmpty, again.contains(.queue(queue)) { continue }
      if !absent.isEmpty, absent.contains(list.snapshot.layout.rows.id(of: object.row)) { continue }
      if let queue = object.queue, !hidden.isEmpty, hidden.contains(queue) { continue }
      // The first ones are read ahead of the others, and met again among them.
      guard found.insert(object.row) else { continue }
      steps.append(.put(object.row, object.place, object.queue))
    }
    list.perform(steps)
  }

  /// Applies the steps that the shown list has taken meanwhile; it is `shown` now.
  mutating func replay(_ steps: [ListStep], of shown: ListState.Shown) {
    hasChanged = hasChanged || steps.contains { list.mayBeChanged(by: $0) }
    note(steps)
    // A look at both tells what has changed in between by its revision.
    list.follow(shown)
    list.perform(steps)
  }

  private mutating func note(_ steps: [ListStep]) {
    for step in steps {
      switch step {
      case .put(let row, _, _), .remove(let row): touched.insert(row)
      case .absent(let id): absent.insert(id)
      case .hide(let queue):
        hidden.insert(queue)
        for row in list.rows(of: queue) { touched.insert(row) }
      case .need, .moment, .arrived: break
      }
    }
  }

  /// Removes the rows that were not found.
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
    list.noteRead()
  }
}

/// Rows by their numbers, a bit each.
private struct RowSet {
  private var words: [UInt64] = []

  func contains(_ row: ListRow) -> Bool {
    let word = Int(row.number / 64)
    return word < words.count && words[word] >> UInt64(row.number % 64) & 1 == 1
  }

  /// Whether it was not in the set.
  @discardableResult
  mutating func insert(_ row: ListRow) -> Bool {
    if contains(row) { return false }
    let word = Int(row.number / 64)
    if word >= words.count { words += Array(repeating: 0, count: max(word + 1, words.count * 2) - words.count) }
    words[word] |= 1 << UInt64(row.number % 64)
    return true
  }
}
