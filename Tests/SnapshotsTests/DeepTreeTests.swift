// Trees of several levels, from which much goes at once.

import Snapshots
import TestSupport
import Testing

@Suite struct DeepTreeTests {
  /// Neighbours go, or some from everywhere; then some come back. Until nothing is left.
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func aTreeStaysSoundWhileItShrinks(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let rows = RowTable()
    // Sections of all sizes: of one entry, and of many leaves.
    let width: UInt64 = [1, 7, 500, 10_000][Int(seed - 1)]
    var entries = (0..<6_000 as Range<UInt64>).map { (row: rows.row(for: RowID(high: $0, low: seed)), order: $0 * 2) }
    var snapshot = Snapshot(ListLayout(rows: rows)).applying(batch(entries, width)).snapshot
    while !entries.isEmpty {
      var removal = SnapshotBatch()
      let most = 1 + random.below(min(900, entries.count))
      let start = random.below(entries.count - most + 1)
      let isRange = random.chance(50)
      var left: [(row: ListRow, order: UInt64)] = []
      for (place, entry) in entries.enumerated() {
        let goes = isRange ? (start..<start + most).contains(place) : random.chance(30)
        if goes { removal.remove(entry.row) } else { left.append(entry) }
      }
      let old = snapshot
      snapshot = snapshot.applying(removal).snapshot
      try #require(snapshot.brokenInvariant() == nil, "seed \(seed), \(entries.count) entries")
      #expect(Array(snapshot.rows) == left.map(\.row), "seed \(seed), \(entries.count) entries")
      #expect(snapshot.difference(from: old).changesLayout == (left.count != entries.count))
      entries = left
    }
    #expect(snapshot.isEmpty)
  }

  @Test func whatIsBuiltInPiecesIsWhatIsBuiltAtOnce() throws {
    let rows = RowTable()
    let entries = (0..<6_000 as Range<UInt64>).map { (row: rows.row(for: RowID(high: $0, low: 0)), order: $0) }
    let whole = Snapshot(ListLayout(rows: rows)).applying(batch(entries, 100)).snapshot
    for size in [1_000, 77] {
      // Newest first, as lists are loaded.
      var list = Snapshot(ListLayout(rows: rows))
      for start in stride(from: 0, to: entries.count, by: size).reversed() {
        list = list.applying(batch(entries[start..<min(start + size, entries.count)], 100)).snapshot
      }
      try #require(list.brokenInvariant() == nil)
      #expect(list.content == whole.content)
    }
  }

  private func batch(_ entries: some Sequence<(row: ListRow, order: UInt64)>, _ width: UInt64) -> SnapshotBatch {
    var batch = SnapshotBatch()
    for entry in entries { batch.put(entry.row, section: .number(entry.order / width), order: .number(entry.order)) }
    return batch
  }
}
