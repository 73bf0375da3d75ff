// Reads earlier snapshots while the list goes on. `Scripts/sanitize thread` looks for data races in it.

import Snapshots
import TestSupport
import Testing

@Suite struct ThreadTests {
  @Test func manyThreadsReadWhileTheListGrows() async {
    let rows = RowTable()
    let layout = ListLayout(rows: rows, sections: .bytes, order: .bytes)
    var snapshot = Snapshot(layout)
    var random = SeededRandom(seed: 9)
    await withTaskGroup(of: Bool.self) { group in
      for turn in 0..<60 as Range<UInt64> {
        var batch = SnapshotBatch()
        for number in 0..<40 as Range<UInt64> {
          let row = rows.row(for: RowID(high: random.below(5), low: turn * 25 + number))
          let text = (0..<20).map { _ in 97 + UInt8(random.below(2 as UInt64)) }
          batch.put(row, section: .bytes(Array(text.prefix(2))), order: .bytes(text))
        }
        let (next, changes) = snapshot.applying(batch)
        let old = snapshot
        snapshot = next
        group.addTask {
          // Ids and texts are read if numbers alone do not decide, and new ids come meanwhile.
          _ = rows.row(for: RowID(high: 99, low: turn))
          let found = next.rows.allSatisfy {
            next.position(of: $0).map(next.row(at:)) == $0 && next.order(of: $0) != nil
          }
          return found && next.difference(from: old).inserts.count == changes.inserts.count
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(snapshot.brokenInvariant() == nil)
  }
}
