// A list with a limit equals the beginning of the whole list, after every step.

import ModelSupport
import SampleIDs
import Snapshots
import TestSupport
import Testing

@testable import ClientStore

@Suite struct ListLimitTests {
  /// How a list is divided into sections: not at all, by tens, or by gaps.
  private enum Division: CaseIterable {
    case none, tens, gaps

    var sections: ListLayout.Sections { self == .gaps ? .gaps(2) : .numbers }

    func isOne(_ left: UInt64, _ right: UInt64) -> Bool {
      switch self {
      case .none: true
      case .tens: left / 10 == right / 10
      case .gaps: right - left <= 2
      }
    }

    func section(_ order: UInt64) -> ListKey { .number(self == .tens ? order / 10 : 0) }
  }

  private struct Entry {
    var row: UInt64
    var order: UInt64
    var value: Int64?
  }

  /// The first entries of all, sorted and divided as a whole.
  private static func expected(_ entries: [UInt64: Entry], _ division: Division, limit: Int) -> [[UInt64]] {
    var values: Set<Int64> = []
    let sorted = entries.values.sorted { ($0.order, $0.row) < ($1.order, $1.row) }
    let shown = sorted.filter { $0.value.map { values.insert($0).inserted } ?? true }.prefix(limit)
    var sections: [[Entry]] = []
    for entry in shown {
      if let last = sections.last?.last, division.isOne(last.order, entry.order) {
        sections[sections.count - 1].append(entry)
      } else {
        sections.append([entry])
      }
    }
    return sections.map { $0.map(\.row) }
  }

  private static func sections(_ snapshot: Snapshot) -> [[UInt64]] {
    (0..<snapshot.sectionCount).map { number in
      snapshot.positions(ofSection: number).map { snapshot.layout.rows.id(of: snapshot.row(at: $0)).low }
    }
  }

  @Test(arguments: 1...300) func matchesStartOfSortAfterEveryStep(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let (division, limit) = (random.pick(Division.allCases), Int.random(in: 1...12, using: &random))
    let (rowCount, hasValues) = (UInt64.random(in: 5...40, using: &random), random.chance(50))
    let rows = RowTable()
    var list = ListState(ListLayout(rows: rows, sections: division.sections), limit: limit)
    var truth: [UInt64: Entry] = [:]
    func step() -> ListStep {
      let number = random.below(rowCount)
      let row = rows.row(for: RowID(high: 0, low: number))
      switch random.below(10) {
      case 0 where random.chance(20):
        truth = truth.filter { $0.key % 2 == 1 }
        return .hide(.queue(2))
      case 0...3:
        truth[number] = nil
        return .remove(row)
      default:
        let entry = Entry(row: number, order: random.below(60), value: hasValues ? random.below(Int64(8)) : nil)
        truth[number] = entry
        let place = ListPlace(
          section: division.section(entry.order), order: .number(entry.order), distinct: .exact(entry.value))
        return .put(row, place, .queue(number % 2 == 0 ? 2 : 1))
      }
    }
    for round in 0..<60 {
      let before = list.snapshot
      list.perform((0...random.below(8)).map { _ in step() })
      let expected = Self.expected(truth, division, limit: limit)
      let found = Self.sections(list.snapshot)
      #expect(found == expected, "seed \(seed), round \(round), \(division), limit \(limit)")
      if found != expected { return }
      #expect(list.snapshot.isSameList(as: before) && list.snapshot.revision >= before.revision, "seed \(seed)")
    }
  }

  /// A consumer is told of rows that come and go, and of values that change, but of no other rows.
  @Test func differenceNamesOnlyRowsWithinLimit() {
    let rows = RowTable()
    let all = (0..<5).map { rows.row(for: RowID(high: 0, low: $0)) }
    func put(_ number: Int, at order: UInt64) -> ListStep {
      .put(all[number], ListPlace(order: .number(order)), nil)
    }
    var list = ListState(ListLayout(rows: rows), limit: 3)
    list.perform((0..<5).map { put($0, at: UInt64($0) * 10) })
    let first = list.snapshot
    list.perform([put(4, at: 41)])
    #expect(list.snapshot.revision == first.revision)
    list.perform([put(1, at: 10), put(4, at: 5)])
    let changes = list.snapshot.difference(from: first)
    #expect(changes.inserts.map(\.row) == [all[4]] && changes.deletes.map(\.row) == [all[2]])
    #expect(changes.updates.map(\.row) == [all[1]] && changes.moves.isEmpty)
    list.perform([.remove(all[0])])
    #expect(Self.sections(list.snapshot) == [[4, 1, 2]])
  }
}
