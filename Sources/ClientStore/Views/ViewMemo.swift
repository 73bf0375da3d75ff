// The views that were derived, and which of them are out of date. Pure.

import ModelTypes
import WireFormat

struct ViewMemo<View: ModelView> {
  struct Row {
    /// Nil for an object that is not there.
    var view: View?
    /// Whether an operation on the row's own object is not confirmed yet.
    var isPending: Bool
    var objects: [UUIDValue]
    var asked: [ViewReading.Asked]
    var isStale: Bool
    /// Whether the last derivation has failed. Such a row stays stale.
    var isUnreadable = false
    /// The `changeCount` at the last change of the view, of `isPending` or of `isUnreadable`; 0 if there was none.
    var changedAt: UInt64 = 0

    func shows(_ other: Self) -> Bool {
      view == other.view && isPending == other.isPending && isUnreadable == other.isUnreadable
    }
  }

  /// How many rows are kept at most.
  static var capacity: Int { 1_000 }

  private(set) var rows: [UUIDValue: Row] = [:]
  /// How many changes of a view or of `isPending` there were.
  private(set) var changeCount: UInt64 = 0
  /// Advances with every change of an object or an answer that a view may be made of.
  private(set) var generation: UInt64 = 0
  private var rowsByObject: [UUIDValue: Set<UUIDValue>] = [:]
  private var uses = RecentUses()

  /// The view of a row; nil unless it is kept and up to date.
  mutating func fresh(_ row: UUIDValue) -> View?? {
    guard let index = rows.index(forKey: row), !rows.values[index].isStale else { return nil }
    uses.add(row)
    return .some(rows.values[index].view)
  }

  /// Keeps a view whose derivation began in `generation`. It is stale at once if something has changed since then.
  mutating func put(
    _ row: UUIDValue, _ view: View?, isPending: Bool, _ reading: ViewReading, begunIn generation: UInt64
  ) {
    put(
      row,
      Row(
        view: view, isPending: isPending, objects: reading.objects, asked: reading.asked,
        isStale: generation != self.generation))
  }

  /// Notes that a view could not be derived. What was drawn of the row then is out of date once it can be again.
  mutating func putUnreadable(_ row: UUIDValue, isPending: Bool, _ reading: ViewReading) {
    put(
      row,
      Row(
        isPending: isPending, objects: reading.objects, asked: reading.asked, isStale: true, isUnreadable: true))
  }

  private mutating func put(_ row: UUIDValue, _ new: Row) {
    var new = new
    if let old = remove(row) {
      let isSame = old.shows(new)
      if !isSame { changeCount += 1 }
      new.changedAt = isSame ? old.changedAt : changeCount
    }
    uses.add(row)
    rows[row] = new
    for object in new.objects { rowsByObject[object, default: []].insert(row) }
    // Evicts a tenth at once, so that not every new row has to.
    if rows.count > Self.capacity { for row in uses.oldest(Self.capacity / 10) { remove(row) } }
  }

  @discardableResult
  mutating func remove(_ row: UUIDValue) -> Row? {
    guard let old = rows.removeValue(forKey: row) else { return nil }
    uses.remove(row)
    for object in old.objects {
      rowsByObject[object]?.remove(row)
      if rowsByObject[object]?.isEmpty == true { rowsByObject[object] = nil }
    }
    return old
  }
}

/// When ids were last used. Not generic, because sorting in generic code that is not specialized is slow.
private struct RecentUses {
  private var times: [UUIDValue: UInt64] = [:]
  private var now: UInt64 = 0

  mutating func add(_ id: UUIDValue) {
    now += 1
    times[id] = now
  }

  mutating func remove(_ id: UUIDValue) { times[id] = nil }

  func oldest(_ count: Int) -> [UUIDValue] { times.sorted { $0.value < $1.value }.prefix(count).map(\.key) }
}

// Changes.
extension ViewMemo {
  mutating func markChanged(_ object: UUIDValue) {
    generation += 1
    for row in rowsByObject[object] ?? [] { rows[row]?.isStale = true }
  }

  /// The same for many objects. Looks for the objects of views among them, because there are fewer of those.
  mutating func markChanged(_ objects: ArrivedObjects) {
    generation += 1
    for (object, dependent) in rowsByObject where objects.contains(object) {
      for row in dependent { rows[row]?.isStale = true }
    }
  }

  /// Marks all rows as stale, because it is not known what has changed.
  mutating func markEverythingChanged() {
    generation += 1
    for row in rows.keys { rows[row]?.isStale = true }
  }

  /// Marks rows as stale to whose questions there is another answer now.
  mutating func setAnswers(_ answer: (ViewReading.Asked) -> ChildAnswer?) {
    generation += 1
    for (row, known) in rows where known.asked.contains(where: { answer($0) != $0.answer }) {
      rows[row]?.isStale = true
    }
  }
}
