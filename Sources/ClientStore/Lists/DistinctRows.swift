// Of rows with the same value only the first is in the list; when it goes, the next appears.

import ModelTypes
import Snapshots

/// Stands in front of a batch: keeps the places of all rows that have such a value, the hidden ones too.
struct DistinctRows {
  private var keys: [ListRow: ListKey] = [:]
  private var groups: [ListKey: [ListRow: ListPlace]] = [:]

  /// Whether it has such a value, shown or not.
  func contains(_ row: ListRow) -> Bool { keys[row] != nil }

  mutating func put(_ row: ListRow, at place: ListPlace, in rows: RowTable, _ batch: inout SnapshotBatch) {
    if keys[row] != place.distinct { remove(row, in: rows, &batch) }
    guard let key = place.distinct else { return batch.put(row, at: place) }
    let before = first(of: key, in: rows)
    keys[row] = key
    groups[key, default: [:]][row] = place
    publish(key, before: before, in: rows, &batch)
    if before == row, first(of: key, in: rows) == row { batch.put(row, at: place) }
  }

  mutating func remove(_ row: ListRow, in rows: RowTable, _ batch: inout SnapshotBatch) {
    batch.remove(row)
    guard let key = keys.removeValue(forKey: row) else { return }
    let before = first(of: key, in: rows)
    groups[key]?[row] = nil
    if groups[key]?.isEmpty == true { groups[key] = nil }
    publish(key, before: before, in: rows, &batch)
  }

  private func publish(_ key: ListKey, before: ListRow?, in rows: RowTable, _ batch: inout SnapshotBatch) {
    let now = first(of: key, in: rows)
    guard now != before else { return }
    if let before { batch.remove(before) }
    if let now, let place = groups[key]?[now] { batch.put(now, at: place) }
  }

  private func first(of key: ListKey, in rows: RowTable) -> ListRow? {
    groups[key]?.min { left, right in
      if left.value.section != right.value.section { return left.value.section.precedes(right.value.section) }
      if left.value.order != right.value.order { return left.value.order.precedes(right.value.order) }
      return rows.id(of: left.key) < rows.id(of: right.key)
    }?.key
  }
}

extension SnapshotBatch {
  mutating func put(_ row: ListRow, at place: ListPlace) { put(row, section: place.section, order: place.order) }
}

extension ListKey {
  /// As the list compares them; null is last.
  fileprivate func precedes(_ other: ListKey) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)): left < right
    case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
    case (.number, .bytes): false
    case (.bytes, .number): true
    }
  }
}
