// Trees of several levels: many entries leave at once, some come back, and pieces build the same tree as one batch.

import Snapshots
import TestSupport
import Testing

@Suite struct DeepTreeTests {
  /// Each round removes a range of neighbours, or a third of the entries from everywhere, and may put some of them
  /// back, until the list is empty. Rounds remove more than they put back.
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func aTreeStaysSoundWhileItShrinks(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let rows = RowTable()
    // From sections of one entry to sections of thousands, which take many leaves of the tree.
    let width: UInt64 = [1, 7, 500, 10_000][Int(seed - 1)]
    var entries = (0..<6_000 as Range<UInt64>).map { (row: rows.row(for: RowID(high: $0, low: seed)), order: $0 * 2) }
    var snapshot = Snapshot(ListLayout(rows: rows)).applying(batch(entries, width)).snapshot
    while !entries.isEmpty {
      var removal = SnapshotBatch()
      let count = 1 + random.below(min(900, entries.count))
      let start = random.below(entries.count - count + 1)
      let isRange = random.chance(50)
      var (kept, removed): ([Entry], [Entry]) = ([], [])
      for (place, entry) in entries.enumerated() {
        let goes = isRange ? (start..<start + count).contains(place) : random.chance(30)
        if goes {
          removal.remove(entry.row)
          removed.append(entry)
        } else {
          kept.append(entry)
        }
      }
      try step(&snapshot, removal, from: entries, to: kept, seed)
      entries = kept
      guard random.chance(50) else { continue }
      let back = removed.filter { _ in random.chance(30) }
      entries = (kept + back).sorted { $0.order < $1.order }
      try step(&snapshot, batch(back, width), from: kept, to: entries, seed)
    }
    #expect(snapshot.isEmpty)
  }

  private typealias Entry = (row: ListRow, order: UInt64)

  private func step(
    _ snapshot: inout Snapshot, _ batch: SnapshotBatch, from before: [Entry], to after: [Entry], _ seed: UInt64
  ) throws {
    let old = snapshot
    snapshot = snapshot.applying(batch).snapshot
    try #require(snapshot.brokenInvariant() == nil, "seed \(seed), from \(before.count) to \(after.count) entries")
    #expect(Array(snapshot.rows) == after.map(\.row), "seed \(seed), from \(before.count) to \(after.count) entries")
    #expect(snapshot.difference(from: old).changesLayout == (after.count != before.count))
  }

  @Test func piecesBuildTheSameTreeAsOneBatch() throws {
    let rows = RowTable()
    let entries = (0..<6_000 as Range<UInt64>).map { (row: rows.row(for: RowID(high: $0, low: 0)), order: $0) }
    let whole = Snapshot(ListLayout(rows: rows)).applying(batch(entries, 100)).snapshot
    for size in [1_000, 77] {
      // From the last piece to the first, because lists are loaded with the newest entries first.
      var list = Snapshot(ListLayout(rows: rows))
      for start in stride(from: 0, to: entries.count, by: size).reversed() {
        list = list.applying(batch(entries[start..<min(start + size, entries.count)], 100)).snapshot
      }
      try #require(list.brokenInvariant() == nil)
      #expect(list.content == whole.content)
    }
  }

  private func batch(_ entries: some Sequence<Entry>, _ width: UInt64) -> SnapshotBatch {
    var batch = SnapshotBatch()
    for entry in entries { batch.put(entry.row, section: .number(entry.order / width), order: .number(entry.order)) }
    return batch
  }
}
