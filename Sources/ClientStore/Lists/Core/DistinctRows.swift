// The rows of a distinct list. Of rows with the same value only the first is shown; when it goes, the next appears.

import ModelTypes
import Snapshots

/// Filters changes before they enter a batch. Keeps 16 bytes for each row, up to 16 for each value, and places only for
/// rows that share a value.
struct DistinctRows {
  /// The value of each row, by the row's number; `none` for rows without a value.
  private var values: [DistinctValue] = []
  /// The row of each value that is in the list.
  private var shown = ShownRows()
  /// The places of all rows with a value that several rows have, the shown one included.
  private var groups: [DistinctValue: [ListRow: ListPlace]] = [:]

  /// Whether the row has a value, so that it is kept here, shown or not.
  func contains(_ row: ListRow) -> Bool { value(of: row) != nil }

  mutating func put(_ row: ListRow, at place: ListPlace, _ batch: inout ListBatch) {
    let old = value(of: row)
    if let old, old != place.distinct { remove(row, &batch) }
    guard let value = place.distinct else { return batch.put(row, at: place) }
    guard let first = shown.row(of: value, values) else {
      add(value, of: row)
      shown.insert(row, values)
      return batch.put(row, at: place)
    }
    if groups[value] == nil {
      if first == row { return batch.put(row, at: place) }
      groups[value] = [first: placeInList(first, batch: &batch)]
    }
    add(value, of: row)
    groups[value]?[row] = place
    let now = show(firstOf: value, insteadOf: first, &batch)
    if now == row, first == row { batch.put(row, at: place) }
    // Before, the row had no value, and was in the list.
    if now != row, old == nil { batch.remove(row) }
  }

  mutating func remove(_ row: ListRow, _ batch: inout ListBatch) {
    guard let value = value(of: row) else { return batch.remove(row) }
    if groups[value] == nil {
      shown.remove(value, values)
      batch.remove(row)
    } else {
      groups[value]?[row] = nil
      if shown.row(of: value, values) == row { show(firstOf: value, insteadOf: row, &batch) }
      // The place of a single row is in the list.
      if groups[value]?.count == 1 { groups[value] = nil }
    }
    values[Int(row.number)] = .none
  }

  @discardableResult
  private mutating func show(firstOf value: DistinctValue, insteadOf old: ListRow, _ batch: inout ListBatch) -> ListRow
  {
    let rows = batch.snapshot.layout.rows
    let first = groups[value]?.min { left, right in
      left.value.precedes(right.value) ?? (rows.id(of: left.key) < rows.id(of: right.key))
    }
    guard let first else { preconditionFailure("a value that several rows have has none") }
    guard first.key != old else { return old }
    shown.replace(old, by: first.key, values)
    batch.remove(old)
    batch.put(first.key, at: first.value)
    return first.key
  }

  private func placeInList(_ row: ListRow, batch: inout ListBatch) -> ListPlace {
    guard let place = batch.place(of: row) else { preconditionFailure("a row that is shown is not in the list") }
    return place
  }

  private func value(of row: ListRow) -> DistinctValue? {
    guard Int(row.number) < values.count, values[Int(row.number)] != .none else { return nil }
    return values[Int(row.number)]
  }

  private mutating func add(_ value: DistinctValue, of row: ListRow) {
    let index = Int(row.number)
    if index >= values.count {
      values += Array(repeating: .none, count: max(index + 1, values.count * 3 / 2) - values.count)
    }
    values[index] = value
  }
}

/// A hash table from values to the rows that are shown: open addressing with row numbers. Their values are in
/// `DistinctRows.values`.
private struct ShownRows {
  private static let empty = UInt32.max
  private var slots: [UInt32] = []
  private var count = 0

  func row(of value: DistinctValue, _ values: [DistinctValue]) -> ListRow? {
    guard !slots.isEmpty else { return nil }
    let number = slots[slot(of: value, values)]
    return number == Self.empty ? nil : ListRow(number)
  }

  mutating func insert(_ row: ListRow, _ values: [DistinctValue]) {
    // Fuller tables are slow: each miss looks at every value up to the next free slot.
    if count * 2 >= slots.count { grow(values) }
    put(row.number, values)
    count += 1
  }

  /// Both rows have the same value.
  mutating func replace(_ old: ListRow, by new: ListRow, _ values: [DistinctValue]) {
    slots[slot(of: values[Int(old.number)], values)] = new.number
  }

  mutating func remove(_ value: DistinctValue, _ values: [DistinctValue]) {
    var hole = slot(of: value, values)
    guard slots[hole] != Self.empty else { return }
    count -= 1
    slots[hole] = Self.empty
    // Moves entries forward that could not be found any more because of the hole.
    var next = (hole + 1) & (slots.count - 1)
    while slots[next] != Self.empty {
      let home = home(of: values[Int(slots[next])])
      if (next &- home) & (slots.count - 1) >= (next &- hole) & (slots.count - 1) {
        slots.swapAt(hole, next)
        hole = next
      }
      next = (next + 1) & (slots.count - 1)
    }
  }

  /// The slot of the value, or the free slot where it would be inserted.
  private func slot(of value: DistinctValue, _ values: [DistinctValue]) -> Int {
    var slot = home(of: value)
    while slots[slot] != Self.empty, values[Int(slots[slot])] != value { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  private func home(of value: DistinctValue) -> Int { Int(truncatingIfNeeded: value.low) & (slots.count - 1) }

  private mutating func put(_ number: UInt32, _ values: [DistinctValue]) {
    slots[slot(of: values[Int(number)], values)] = number
  }

  private mutating func grow(_ values: [DistinctValue]) {
    let old = slots
    slots = Array(repeating: Self.empty, count: max(16, old.count * 2))
    for number in old where number != Self.empty { put(number, values) }
  }
}

extension ListPlace {
  /// Compares places as the list does; nil if the ids decide.
  fileprivate func precedes(_ other: ListPlace) -> Bool? {
    if section != other.section { return section.precedes(other.section) }
    if order != other.order { return order.precedes(other.order) }
    return nil
  }
}

extension ListKey {
  /// Compares keys as the list does; null is last.
  fileprivate func precedes(_ other: ListKey) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)): left < right
    case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
    case (.number, .bytes): false
    case (.bytes, .number): true
    }
  }
}
