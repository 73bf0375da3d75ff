// A random run over one list. After every step the snapshot is compared with the oracle.

import Snapshots
import TestSupport

struct ListRun {
  /// An earlier snapshot, with the content that it showed.
  private struct Past {
    var snapshot: Snapshot
    var content: [PlainList.Section]
    var entries: [PlainList.Entry]
  }

  let kind: ListKind
  let seed: UInt64
  private var random: SeededRandom
  private let rows = RowTable()
  private var list: PlainList
  private var snapshot: Snapshot
  private var past: [Past] = []
  private var version = 0
  /// How many different objects there are.
  private let objects: UInt32
  private(set) var operations = 0

  init(_ kind: ListKind, seed: UInt64, objects: UInt32) {
    (self.kind, self.seed, self.objects) = (kind, seed, objects)
    random = SeededRandom(seed: seed)
    list = PlainList(kind.layout(rows))
    snapshot = Snapshot(kind.layout(rows))
    for _ in 0..<objects { _ = rows.row(for: RowID(high: UInt64(random.below(7 as UInt32)), low: random.next())) }
  }

  /// Throws an error that describes what is wrong.
  mutating func run(batches: Int) throws {
    try remember()
    for _ in 0..<batches { try step() }
  }

  private mutating func step() throws {
    let (batch, old) = (randomBatch(), past[past.count - 1])
    let (next, changes) = snapshot.applying(batch)
    let before = snapshot
    snapshot = next
    try remember()
    let new = past[past.count - 1]
    try check(changes, from: old, to: new, "changes")
    let isSameLayout = old.content == new.content && old.snapshot.sectionKeys == new.snapshot.sectionKeys
    try demand(changes.changesLayout != isSameLayout, "changesLayout is wrong: \(changes)")
    try demand(
      (next.layoutRevision != before.layoutRevision) == changes.changesLayout, "the layout's revision is wrong")
    let isSame = old.entries == new.entries
    try demand(!isSame || next.revision == before.revision || batch.count > 0, "the revision advanced for nothing")
    try checkLookUps()
    try checkPast()
  }

  private mutating func remember() throws {
    let content = list.content
    try demand(snapshot.content == content, "the snapshot shows \(snapshot.content), not \(content)")
    try demand(snapshot.brokenInvariant() == nil, snapshot.brokenInvariant() ?? "")
    past.append(Past(snapshot: snapshot, content: content, entries: list.entries))
  }

  /// Compares two earlier snapshots. Forgets one if there are many, which must not have changed.
  private mutating func checkPast() throws {
    let (one, two) = (random.pick(past), random.pick(past))
    try check(two.snapshot.difference(from: one.snapshot), from: one, to: two, "difference")
    guard past.count > 12 else { return }
    let forgotten = past.remove(at: random.below(past.count - 1))
    try demand(forgotten.snapshot.content == forgotten.content, "a snapshot of before has changed")
  }

  private func check(_ changes: SnapshotChanges, from old: Past, to new: Past, _ what: String) throws {
    let (before, after) = (versions(old), versions(new))
    var table = StrictTable(old.content.map(\.rows)) { before[$0] ?? -1 }
    do {
      try table.perform(changes, new: new.content.map(\.rows), row: \.number) { after[$0] ?? -1 }
    } catch { throw failure("\(what): \(error); \(changes)") }
    let wanted = StrictTable(new.content.map(\.rows)) { after[$0] ?? -1 }
    try demand(table.sections == wanted.sections, "\(what) replayed give \(table.sections), not \(wanted.sections)")
    // If gaps divide the sections, a row can get into another section because its neighbours change.
    let named = changes.updates.map(\.row) + (kind.sections.isByGap ? [] : changes.moves.map(\.row))
    // A row that went and came back the same counts as changed too, so this holds for direct changes only.
    guard what == "changes" else { return }
    try demand(named.allSatisfy { before[$0.number] != after[$0.number] }, "a row that has not changed is named")
  }

  private func versions(_ past: Past) -> [UInt32: Int] {
    Dictionary(uniqueKeysWithValues: past.entries.map { ($0.row, $0.version) })
  }

  private mutating func checkLookUps() throws {
    let snapshot = snapshot
    for _ in 0..<4 {
      let row = random.below(objects)
      let position = list.entries.firstIndex { $0.row == row }
      try demand(snapshot.position(of: ListRow(row)) == position, "position of \(row)")
      try demand(snapshot.contains(ListRow(row)) == (position != nil), "contains \(row)")
      try demand(snapshot.order(of: ListRow(row)) == list.byRow[row]?.order, "order of \(row)")
      guard let position else { continue }
      let path = snapshot.path(at: position)
      try demand(snapshot.row(at: position).number == row, "row at \(position)")
      try demand(snapshot.path(of: ListRow(row)) == path && snapshot.position(at: path) == position, "path of \(row)")
      try demand(snapshot.row(at: path).number == row, "row at \(path)")
      try demand(list.content[path.section].rows[path.index] == row, "\(path) is not that of \(row)")
      let key = snapshot.section(at: path.section).key
      try demand(snapshot.sectionNumber(key) == path.section, "section of \(key)")
      var cursor = snapshot.makeCursor()
      for near in max(0, position - 70)..<min(snapshot.count, position + 70) {
        try demand(cursor.row(at: near).number == list.entries[near].row, "cursor at \(near)")
      }
    }
  }

  private func demand(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw failure(what()) }
  }

  private func failure(_ what: String) -> InvalidUpdate {
    InvalidUpdate(
      description: "\(kind.name), seed \(seed), \(objects) objects, after \(operations) operations: \(what)")
  }
}

extension Snapshot {
  fileprivate var sectionKeys: [ListKey] { (0..<sectionCount).map { section(at: $0).key } }
}

extension ListRun {
  /// Mostly one operation, sometimes many. Each is applied to the oracle and added to the batch.
  private mutating func randomBatch() -> SnapshotBatch {
    var batch = SnapshotBatch()
    let size = random.chance(80) ? 1 : random.chance(85) ? 1 + random.below(12) : random.below(Int(objects))
    // Lists grow and shrink in turn, so that they become full and empty.
    let growth: UInt64 = (operations / 150) % 2 == 0 ? 60 : 25
    for _ in 0..<size {
      version += 1
      let row = random.below(objects)
      switch random.below(100) as UInt64 {
      case ..<growth: put(row, into: &batch)
      case ..<85:
        list.remove(row)
        batch.remove(ListRow(row))
      default:
        list.update(row, version: version)
        batch.update(ListRow(row))
      }
    }
    operations += max(1, size)
    return batch
  }

  private mutating func put(_ row: UInt32, into batch: inout SnapshotBatch) {
    var section = kind.section(&random, UInt64(objects))
    var order = kind.orderKey(&random, UInt64(objects))
    // Objects often change only one of the keys, or none, and sometimes only a little.
    if let old = list.byRow[row] {
      if random.chance(40) { section = old.section }
      if random.chance(30) { order = old.order }
      if random.chance(20), case .number(let number) = old.order, number < .max { order = .number(number + 1) }
    }
    list.put(row, rows.id(of: ListRow(row)), section: section, order: order, version: version)
    batch.put(ListRow(row), section: section, order: order)
  }
}
