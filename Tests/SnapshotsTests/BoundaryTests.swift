// Lists at their limits, and calls that make little sense. Each has a defined result.

import Snapshots
import TestSupport
import Testing

@Suite struct BoundaryTests {
  private let rows = RowTable()

  private func row(_ number: UInt64) -> ListRow { rows.row(for: RowID(high: number, low: 0)) }

  private func list(_ entries: [(row: UInt64, section: UInt64, order: UInt64)], kept: [ListKey] = []) -> Snapshot {
    var batch = SnapshotBatch()
    for entry in entries {
      batch.put(row(entry.row), section: .number(entry.section), order: .number(entry.order))
    }
    return Snapshot(ListLayout(rows: rows, keptSections: kept)).applying(batch).snapshot
  }

  @Test func anEmptyListHasNothing() {
    let empty = Snapshot(ListLayout(rows: rows))
    #expect(empty.isEmpty && empty.count == 0 && empty.sectionCount == 0)
    #expect(empty.position(of: row(1)) == nil && empty.path(of: row(1)) == nil && empty.order(of: row(1)) == nil)
    #expect(Array(empty.rows).isEmpty && empty.sectionNumber(.number(0)) == nil)
    #expect(empty.difference(from: empty).isEmpty)
    #expect(!empty.isComplete)
  }

  @Test func sectionComesWithFirstEntryAndLeavesWithLast() {
    let one = list([(1, 7, 3)])
    #expect(one.content == [PlainList.Section(key: .number(7), rows: [row(1).number])])
    var batch = SnapshotBatch()
    batch.remove(row(1))
    let (none, changes) = one.applying(batch)
    #expect(none.isEmpty && changes.deletedSections == [0] && changes.deletes.isEmpty)
    #expect(none.layoutRevision == one.layoutRevision + 1)
  }

  @Test func keptSectionsStayWhenTheyAreEmpty() {
    let kept: [ListKey] = [.number(9), .number(2)]
    let empty = Snapshot(ListLayout(rows: rows, keptSections: kept + kept))
    #expect(empty.content.map(\.key) == [.number(2), .number(9)] && empty.positions(ofSection: 1) == 0..<0)
    let one = list([(1, 9, 0)], kept: kept)
    var batch = SnapshotBatch()
    batch.remove(row(1))
    let (next, changes) = one.applying(batch)
    #expect(next.sectionCount == 2 && changes.deletedSections.isEmpty)
    #expect(changes.deletes == [.init(row: row(1), path: SnapshotPath(section: 1, index: 0))])
  }

  @Test func nothingHappensForUnknownRowsAndEmptyBatches() {
    let one = list([(1, 7, 3)])
    var batch = SnapshotBatch()
    batch.remove(row(2))
    batch.update(row(3))
    for batch in [batch, SnapshotBatch()] {
      let (next, changes) = one.applying(batch)
      #expect(next.revision == one.revision && changes.isEmpty)
    }
  }

  @Test func theLastPutOrRemovalOfARowCounts() {
    var batch = SnapshotBatch()
    batch.put(row(1), section: .number(1), order: .number(5))
    batch.put(row(2), section: .number(1), order: .number(6))
    batch.put(row(1), section: .number(2), order: .number(7))
    batch.update(row(1))
    batch.remove(row(2))
    batch.update(row(2))
    let list = Snapshot(ListLayout(rows: rows)).applying(batch).snapshot
    #expect(list.content == [PlainList.Section(key: .number(2), rows: [row(1).number])])
  }

  @Test func updateWithoutMoveKeepsLayoutRevision() {
    let list = list([(1, 1, 10), (2, 1, 20), (3, 1, 30)])
    var update = SnapshotBatch()
    update.update(row(2))
    let (updated, changes) = list.applying(update)
    #expect(updated.revision == list.revision + 1 && updated.layoutRevision == list.layoutRevision)
    #expect(changes.updates.map(\.row) == [row(2)] && !changes.changesLayout)
    // The row gets another key, and keeps its neighbours.
    var nudge = SnapshotBatch()
    nudge.put(row(2), section: .number(1), order: .number(21))
    let (nudged, small) = updated.applying(nudge)
    #expect(nudged.layoutRevision == list.layoutRevision && small.updates.map(\.row) == [row(2)])
    #expect(nudged.difference(from: list).updates.map(\.row) == [row(2)])
  }

  @Test func idsBreakTies() {
    let first = rows.row(for: RowID(high: 9, low: 9))
    let second = rows.row(for: RowID(high: 9, low: 1))
    let third = rows.row(for: RowID(high: 3, low: 5))
    var batch = SnapshotBatch()
    for row in [first, second, third] { batch.put(row, order: .null) }
    let list = Snapshot(ListLayout(rows: rows)).applying(batch).snapshot
    #expect(Array(list.rows) == [third, second, first])
  }

  /// A tenth of the entries in a debug build.
  @Test func oneSectionHoldsAMillionEntries() {
    #if DEBUG
      let count = 100_000
    #else
      let count = 1_000_000
    #endif
    var random = SeededRandom(seed: 3)
    var batch = SnapshotBatch()
    batch.reserveCapacity(count)
    for number in 0..<UInt64(count) {
      let row = rows.row(for: RowID(high: random.next(), low: number))
      batch.put(row, section: .number(5), order: .number(number / 1_000))
    }
    let list = Snapshot(ListLayout(rows: rows)).applying(batch).snapshot
    #expect(list.count == count && list.sectionCount == 1 && list.positions(ofSection: 0) == 0..<count)
    #expect(list.position(of: list.row(at: 65_432)) == 65_432)
    #expect(list.row(at: SnapshotPath(section: 0, index: count - 1)) == list.row(at: count - 1))
    var removal = SnapshotBatch()
    removal.remove(list.row(at: 50_000))
    let (next, changes) = list.applying(removal)
    #expect(changes.deletes.map(\.path) == [SnapshotPath(section: 0, index: 50_000)])
    #expect(next.row(at: 50_000) == list.row(at: 50_001))
    #expect(next.difference(from: list).deletes == changes.deletes)
  }

  @Test func aRebuiltListHasTheSameEntriesInLessMemory() {
    var list = Snapshot(ListLayout(rows: rows, sections: .bytes, order: .bytes))
    for turn in 0..<50 {
      var batch = SnapshotBatch()
      for number in 0..<20 as Range<UInt64> {
        let text = Array("title \(number), version \(turn)".utf8)
        batch.put(row(number), section: .bytes([UInt8(number / 5)]), order: .bytes(text))
      }
      list = list.applying(batch).snapshot
    }
    let rebuilt = list.rebuilt()
    #expect(rebuilt.content == list.content && rebuilt.keyByteCount * 20 < list.keyByteCount)
    #expect(!rebuilt.isSameList(as: list) && rebuilt.revision > list.revision)
    let changes = rebuilt.difference(from: list)
    #expect(changes.deletedSections == Array(0..<4) && changes.insertedSections == Array(0..<4))
  }

  @Test func sectionsByGapKeepTheirIdentity() throws {
    func batch(_ dates: [(row: UInt64, date: UInt64)]) -> SnapshotBatch {
      var batch = SnapshotBatch()
      for (number, date) in dates { batch.put(row(number), order: .number(date)) }
      return batch
    }
    let layout = ListLayout(rows: rows, sections: .gaps(10))
    let two = Snapshot(layout).applying(batch([(1, 0), (2, 5), (3, 10), (4, 100), (5, 101)])).snapshot
    let (large, small) = (two.section(at: 0).key, two.section(at: 1).key)
    #expect(two.sectionCount == 2 && large != small)
    // The first object is removed.
    var removal = SnapshotBatch()
    removal.remove(row(1))
    #expect(two.applying(removal).snapshot.section(at: 0).key == large)
    // The sections meet, and the larger one keeps its key.
    let bridge = batch((2..<11).map { ($0 + 10, $0 * 10) })
    let (met, meeting) = two.applying(bridge)
    #expect(met.sectionCount == 1 && met.section(at: 0).key == large && meeting.deletedSections == [1])
    // They part again, and the larger part keeps the key.
    var parting = SnapshotBatch()
    for number in 13..<21 as Range<UInt64> { parting.remove(row(number)) }
    let (apart, changes) = met.applying(parting)
    #expect(apart.sectionCount == 2 && apart.section(at: 0).key == large && changes.insertedSections == [1])
    #expect(apart.section(at: 1).key != small)
  }

  /// A task goes on from an earlier snapshot, and then takes over the changes that were shown meanwhile. Sections that
  /// came on both branches once got the same number, and the difference left rows out.
  @Test func sectionsOfTwoBranchesHaveOwnNumbers() throws {
    func put(_ dates: [UInt64]) -> SnapshotBatch {
      var batch = SnapshotBatch()
      for date in dates { batch.put(row(date), order: .number(date)) }
      return batch
    }
    let base = Snapshot(ListLayout(rows: rows, sections: .gaps(10))).applying(put([500, 505, 510])).snapshot
    let shown = base.applying(put([900])).snapshot
    let behind = base.applying(put([100, 101])).snapshot
    let next = behind.following(shown).applying(put([900])).snapshot
    func content(_ snapshot: Snapshot) -> [[ListRow]] {
      (0..<snapshot.sectionCount).map { snapshot.positions(ofSection: $0).map { snapshot.row(at: $0) } }
    }
    var table = StrictTable(content(shown)) { $0 }
    try table.perform(next.difference(from: shown), new: content(next), row: { $0 }, draw: { $0 })
    #expect(table.sections.map { $0.map(\.row) } == [[100, 101], [500, 505, 510], [900]].map { $0.map { row($0) } })
  }

  /// A section falls apart: with a new row between its pieces, and into more than two pieces. Only one piece keeps its
  /// number. Found by seeds 100159 and 100508.
  @Test(
    arguments: [
      ([0, 10, 20, 30, 40], [1, 2, 3], [20], 3), ([250, 252, 258, 264, 274, 284, 290, 300, 312], [3, 6, 7], [312], 3),
    ] as [(dates: [UInt64], removed: [Int], inserted: [UInt64], sections: Int)])
  func onlyOnePieceOfSplitSectionKeepsItsNumber(dates: [UInt64], removed: [Int], inserted: [UInt64], sections: Int) {
    var batch = SnapshotBatch()
    for (place, date) in dates.enumerated() { batch.put(row(500 + UInt64(place)), order: .number(date)) }
    let old = Snapshot(ListLayout(rows: rows, sections: .gaps(12))).applying(batch).snapshot
    var next = SnapshotBatch()
    for place in removed { next.remove(row(500 + UInt64(place))) }
    for date in inserted { next.put(row(date), order: .number(date)) }
    let new = old.applying(next).snapshot
    #expect(old.sectionCount == 1 && new.sectionCount == sections && new.brokenInvariant() == nil)
    #expect(Set((0..<new.sectionCount).map { new.section(at: $0).key }).count == sections)
  }
}
