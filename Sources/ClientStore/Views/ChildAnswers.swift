// Answers about the children of one object, from a list whose sections are the parents. Pure.

import ModelTypes
import Snapshots
import WireFormat

/// The children of one object in a snapshot. Looks up each answer in O(log² n), but for sums: those walk over all
/// children, and `ChildSums` keeps them.
struct ChildAnswers {
  private let snapshot: Snapshot
  private let positions: Range<Int>

  init(_ parent: ListKey, in snapshot: Snapshot) {
    self.snapshot = snapshot
    positions = snapshot.sectionNumber(parent).map { snapshot.positions(ofSection: $0) } ?? 0..<0
  }

  func answer(_ question: ChildQuestion) -> ChildAnswer {
    switch question {
    case .count: .number(Int64(positions.count))
    case .countOf(let comparison, let key): .number(Int64(count(comparison, key)))
    case .groups: .groups(groups)
    case .sum: .number(positions.reduce(0) { $0 &+ ChildSums.number(in: key(at: $1)) })
    case .newest(let isDescending): .child(newest(isDescending: isDescending))
    }
  }

  private func count(_ comparison: ChildComparison, _ key: ListKey) -> Int {
    let valued = positions.lowerBound..<first { !$0.precedes(.null) }
    guard key != .null else {
      return [.notEqual, .greater, .greaterOrEqual].contains(comparison) ? valued.count : 0
    }
    let less = first { !$0.precedes(key) } - positions.lowerBound
    let lessOrEqual = first { key.precedes($0) } - positions.lowerBound
    return switch comparison {
    case .equal: lessOrEqual - less
    case .notEqual: valued.count - (lessOrEqual - less)
    case .less: less
    case .lessOrEqual: lessOrEqual
    case .greater: valued.count - lessOrEqual
    case .greaterOrEqual: valued.count - less
    }
  }

  private var groups: [ChildGroup] {
    var groups: [ChildGroup] = []
    var start = positions.lowerBound
    while start < positions.upperBound {
      let key = key(at: start)
      let end = first(from: start) { $0 != key }
      groups.append(ChildGroup(key: key, count: end - start))
      start = end
    }
    return groups
  }

  private func newest(isDescending: Bool) -> UUIDValue? {
    guard !positions.isEmpty else { return nil }
    guard !isDescending else { return id(at: positions.lowerBound) }
    // Those without a value come last.
    let end = first { $0 == .null }
    return id(at: end > positions.lowerBound ? end - 1 : positions.upperBound - 1)
  }

  /// The first position at which `isBehind` holds for the key; the end if it holds for none. It must hold for all after
  /// the first.
  private func first(from start: Int? = nil, _ isBehind: (ListKey) -> Bool) -> Int {
    var (low, high) = (start ?? positions.lowerBound, positions.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(key(at: middle)) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func key(at position: Int) -> ListKey {
    snapshot.order(of: snapshot.row(at: position)) ?? .null
  }

  private func id(at position: Int) -> UUIDValue { UUIDValue(snapshot.layout.rows.id(of: snapshot.row(at: position))) }
}

extension ListKey {
  fileprivate func precedes(_ other: Self) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)): left < right
    case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
    case (.number, .bytes): true
    case (.bytes, .number): false
    }
  }
}

/// The sums of the keys of all children, by parent. Kept by what differs between two snapshots, so that a change costs
/// O(log n).
struct ChildSums {
  private var sums: [ListKey: Int64] = [:]
  private var snapshot: Snapshot?

  mutating func sum(of parent: ListKey, in snapshot: Snapshot) -> Int64 {
    follow(snapshot)
    return sums[parent] ?? 0
  }

  /// The number in a key that `Child(of:adding:)` has made; 0 in that of no number.
  static func number(in key: ListKey) -> Int64 {
    key.ordered(isDescending: false).map { Int64(_listNumber: $0) } ?? 0
  }

  private mutating func follow(_ new: Snapshot) {
    guard let old = snapshot, new.isSameList(as: old) else {
      (sums, snapshot) = ([:], new)
      for section in 0..<new.sectionCount { addSection(section, of: new) }
      return
    }
    if old.revision == new.revision { return }
    snapshot = new
    let changes = new.difference(from: old)
    for section in changes.deletedSections { sums[old.section(at: section).key] = nil }
    for section in changes.insertedSections { addSection(section, of: new) }
    for row in changes.rowsBefore { add(row, of: old) { $0 &- $1 } }
    for row in changes.rowsNow { add(row, of: new) { $0 &+ $1 } }
  }

  private mutating func addSection(_ number: Int, of snapshot: Snapshot) {
    let section = snapshot.section(at: number)
    guard case .number(let sum) = ChildAnswers(section.key, in: snapshot).answer(.sum) else { return }
    sums[section.key] = sum
  }

  private mutating func add(_ row: ListRow, of snapshot: Snapshot, _ combine: (Int64, Int64) -> Int64) {
    guard let keys = snapshot.keys(of: row) else { return }
    sums[keys.section] = combine(sums[keys.section] ?? 0, Self.number(in: keys.order))
  }
}

// Rows of sections that came or went as a whole are not among them.
extension SnapshotChanges {
  /// Rows that have changed, as far as they were there before.
  var rowsBefore: [ListRow] { deletes.map(\.row) + kept }
  /// Rows that have changed, as far as they are there now.
  var rowsNow: [ListRow] { inserts.map(\.row) + kept }

  private var kept: [ListRow] { moves.map(\.row) + updates.map(\.row) }
}

extension ModelStore {
  /// The answer for one parent, for a view that no list follows: as an open list has it, else read now.
  func answer<Object: Model, Parent: Model>(
    _ question: ChildQuestion, of parent: ObjectID<Parent>, in children: ChildList<Object, Parent>
  ) throws -> ChildAnswer {
    let section = ChildList<Object, Parent>.section(of: parent)
    if let open = completeList(children.list, .current) {
      return ChildAnswers(section, in: open.snapshot).answer(question)
    }
    let list = ListCore(self, children.list(of: parent), .current, key: nil)
    return ChildAnswers(section, in: try list.readNow()).answer(question)
  }
}
