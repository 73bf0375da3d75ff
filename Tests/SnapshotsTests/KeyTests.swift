// Keys of list rows compare as their values do, and rows keep their numbers.

import Snapshots
import TestSupport
import Testing

@Suite struct KeyTests {
  // `.max` compares like `.max - 1`, because the highest code is that of null.
  private static let integers: [Int64] = [.min, -1_000_000, -1, 0, 1, 7, 1_700_000_000_000, .max - 1]
  // Keys tell -0.0 from 0.0, as the total order of IEEE 754 does.
  private static let doubles: [Double] = [
    -.infinity, -1.5, -0.0, 0.0, Double.leastNonzeroMagnitude, 2, .greatestFiniteMagnitude, .infinity,
  ]

  @Test func numbersCompareAsTheirValues() {
    for (smaller, larger) in zip(Self.integers, Self.integers.dropFirst()) {
      #expect(isBefore(.ascending(smaller), .ascending(larger)) && isBefore(.descending(larger), .descending(smaller)))
    }
    for (smaller, larger) in zip(Self.doubles, Self.doubles.dropFirst()) {
      #expect(isBefore(.ascending(smaller), .ascending(larger)) && isBefore(.descending(larger), .descending(smaller)))
    }
  }

  @Test func nullComesAfterEveryNumber() {
    for value in Self.integers + [.max] {
      #expect(isBefore(.ascending(value), .null) && isBefore(.descending(value), .null))
    }
    for value in Self.doubles {
      #expect(isBefore(.ascending(value), .null) && isBefore(.descending(value), .null))
    }
  }

  @Test(arguments: [false, true])
  func keysOfBytesAndAnIntegerCompareByBytesFirst(descending: Bool) {
    let values: [[UInt8]] = [[], [0], [0, 0], [0, 255], [1], [97], [97, 0], [97, 97], [97, 98], [98], [255]]
    var keys: [[KeyBytes]] = []
    for value in descending ? values.reversed() : values {
      var row: [KeyBytes] = []
      for integer in Self.integers {
        var key = KeyBytes()
        key.append(value, descending: descending)
        key.append(integer)
        row.append(key)
      }
      keys.append(row)
    }
    var null = KeyBytes()
    null.appendNull()
    null.append(Self.integers[0])
    let all = keys.flatMap(\.self) + [null]
    for (smaller, larger) in zip(all, all.dropFirst()) { #expect(isBefore(smaller.key, larger.key)) }
  }

  /// Whether a list puts the row with `left` first. That row has the larger id, so equal keys do not count as before.
  private func isBefore(_ left: ListKey, _ right: ListKey) -> Bool {
    let rows = RowTable()
    let (first, second) = (rows.row(for: RowID(high: 2, low: 0)), rows.row(for: RowID(high: 1, low: 0)))
    let order: ListLayout.Order = if case .bytes = left { .bytes } else { .numbers }
    var batch = SnapshotBatch()
    batch.put(first, order: left)
    batch.put(second, order: right)
    let list = Snapshot(ListLayout(rows: rows, order: order)).applying(batch).snapshot
    return Array(list.rows) == [first, second]
  }

  @Test func onlyTheFirstBytesOfALongKeyCount() {
    let rows = RowTable()
    let (first, second) = (rows.row(for: RowID(high: 1, low: 0)), rows.row(for: RowID(high: 2, low: 0)))
    let common = [UInt8](repeating: 97, count: ListKey.maximumLength)
    func list(_ left: [UInt8], _ right: [UInt8]) -> [ListRow] {
      var batch = SnapshotBatch()
      batch.put(first, order: .bytes(left))
      batch.put(second, order: .bytes(right))
      return Array(Snapshot(ListLayout(rows: rows, order: .bytes)).applying(batch).snapshot.rows)
    }
    // Equal keys are ordered by the ids of their rows.
    #expect(list(common + [98], common + [97]) == [first, second])
    #expect(list(common.dropLast() + [98], common) == [second, first])
  }

  @Test func rowsKeepTheirNumbers() {
    let rows = RowTable()
    var random = SeededRandom(seed: 5)
    let ids = (0..<5_000).map { _ in RowID(high: random.next(), low: random.next()) }
    let numbers = ids.map(rows.row(for:))
    #expect(numbers.map(\.number) == Array(0..<5_000) && rows.count == 5_000)
    #expect(ids.map(rows.row(for:)) == numbers && numbers.map(rows.id(of:)) == ids)
    #expect(rows.knownRow(for: ids[17]) == numbers[17] && rows.knownRow(for: RowID(high: 0, low: 0)) == nil)
  }
}
