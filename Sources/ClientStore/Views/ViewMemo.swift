// The views that were derived, and which of them are out of date. Pure.

import ModelTypes
import WireFormat

struct ViewMemo<View: ModelView> {
  struct Row {
    /// Nil for an object that is not there.
    var view: View?
    /// Whether something of the row's own object is not confirmed yet.
    var isPending: Bool
    var objects: [UUIDValue]
    var counts: [ViewReading.Count]
    var isStale: Bool
    /// The number of the change that made the view or `isPending` another one; 0 while both are as they first were.
    var changedAt: UInt64 = 0
  }

  /// So many rows are kept at most.
  static var capacity: Int { 1_000 }

  private(set) var rows: [UUIDValue: Row] = [:]
  /// How many such changes there were.
  private(set) var changeCount: UInt64 = 0
  /// Advances whenever something that a view may be made of has changed.
  private(set) var generation: UInt64 = 0
  private var rowsByObject: [UUIDValue: Set<UUIDValue>] = [:]
  private var uses = RecentUses()

  /// The view of a row that is kept and up to date.
  mutating func fresh(_ row: UUIDValue) -> View?? {
    guard let index = rows.index(forKey: row), !rows.values[index].isStale else { return nil }
    uses.note(row)
    return .some(rows.values[index].view)
  }

  /// Takes the result of a derivation that began in a generation: something may have changed in the middle of it.
  mutating func put(
    _ row: UUIDValue, _ view: View?, isPending: Bool, _ reading: ViewReading, begunIn generation: UInt64
  ) {
    var new = Row(
      view: view, isPending: isPending, objects: reading.objects, counts: reading.counted,
      isStale: generation != self.generation)
    if let old = remove(row) {
      let isSame = old.view == view && old.isPending == isPending
      if !isSame { changeCount += 1 }
      new.changedAt = isSame ? old.changedAt : changeCount
    }
    uses.note(row)
    rows[row] = new
    for object in new.objects { rowsByObject[object, default: []].insert(row) }
    // A tenth at once, so that it is not done for every row.
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

/// When ids were last used. A type of its own that is not generic: sorting in generic code that is not specialized is
/// slow.
private struct RecentUses {
  private var times: [UUIDValue: UInt64] = [:]
  private var now: UInt64 = 0

  mutating func note(_ id: UUIDValue) {
    now += 1
    times[id] = now
  }

  mutating func remove(_ id: UUIDValue) { times[id] = nil }

  func oldest(_ count: Int) -> [UUIDValue] { times.sorted { $0.value < $1.value }.prefix(count).map(\.key) }
}

// Changes.
extension ViewMemo {
  mutating func note(changed object: UUIDValue) {
    generation += 1
    for row in rowsByObject[object] ?? [] { rows[row]?.isStale = true }
  }

  /// Many objects: what views are made of is looked for among them, and not they in that.
  mutating func note(changed objects: ArrivedObjects) {
    generation += 1
    for (object, dependent) in rowsByObject where objects.contains(object) {
      for row in dependent { rows[row]?.isStale = true }
    }
  }

  /// It is not known what.
  mutating func noteEverything() {
    generation += 1
    for row in rows.keys { rows[row]?.isStale = true }
  }

  /// Counts may be other ones than those that views were made of.
  mutating func noteCounts(_ number: (ViewReading.Count) -> Int?) {
    generation += 1
    for (row, known) in rows where known.counts.contains(where: { number($0) != $0.number }) {
      rows[row]?.isStale = true
    }
  }
}
