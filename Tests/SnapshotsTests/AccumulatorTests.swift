// Batches of several sources become the snapshots of one consumer. Nothing is lost, doubled or out of order.

import Snapshots
import TestSupport
import Testing

@Suite struct AccumulatorTests {
  private let rows = RowTable()

  private func row(_ number: UInt64) -> ListRow { rows.row(for: RowID(high: number, low: 0)) }

  private func puts(_ entries: [(row: UInt64, order: UInt64)]) -> SnapshotBatch {
    var batch = SnapshotBatch()
    for entry in entries { batch.put(row(entry.row), order: .number(entry.order)) }
    return batch
  }

  private func next(_ list: inout Accumulator) -> Accumulator.Publication? { list.publish() }

  private func orders(_ snapshot: Snapshot) -> [ListKey?] { snapshot.rows.map(snapshot.order(of:)) }

  @Test func publishesFirstBatchBeforeTheRest() throws {
    var list = Accumulator(ListLayout(rows: rows), loadingFrom: ["disk"])
    list.load(puts([(1, 0), (2, 1)]), from: "disk")
    let first = try #require(next(&list))
    #expect(first.snapshot.count == 2 && !first.snapshot.isComplete && first.changes.insertedSections == [0])
    #expect(next(&list) == nil)
    list.load(puts([(3, 2)]), from: "disk")
    list.finish("disk")
    let second = try #require(next(&list))
    #expect(second.snapshot.count == 3 && second.snapshot.isComplete && list.isComplete)
    #expect(second.changes.inserts.map(\.row) == [row(3)])
  }

  @Test func publishesCompletenessWithoutChanges() throws {
    var list = Accumulator(ListLayout(rows: rows), loadingFrom: ["disk", "camera"])
    list.finish("disk")
    #expect(next(&list) == nil)
    list.finish("camera")
    let published = try #require(next(&list))
    #expect(published.snapshot.isComplete && published.changes.isEmpty)
    #expect(Accumulator(ListLayout(rows: rows), loadingFrom: []).published.isComplete)
  }

  @Test func loadedRowsNeverOverwriteNews() throws {
    var list = Accumulator(ListLayout(rows: rows), loadingFrom: ["disk"])
    var news = puts([(1, 9), (2, 8)])
    news.remove(row(3))
    list.apply(news)
    // Row 2 is removed, and comes back.
    var gone = SnapshotBatch()
    gone.remove(row(2))
    list.apply(gone)
    list.apply(puts([(2, 7)]))
    list.load(puts([(1, 1), (2, 2), (3, 3), (4, 4)]), from: "disk")
    let shown = try #require(next(&list)).snapshot
    #expect(Array(shown.rows) == [row(4), row(2), row(1)])
    #expect(orders(shown) == [.number(4), .number(7), .number(9)])
  }

  @Test func heldListPublishesNothingAndLosesNothing() throws {
    var list = Accumulator(ListLayout(rows: rows), loadingFrom: ["disk"])
    list.load(puts([(1, 10)]), from: "disk")
    let before = try #require(next(&list)).snapshot
    list.hold()
    list.hold()
    list.load(puts([(2, 20)]), from: "disk")
    list.apply(puts([(3, 5)]))
    list.finish("disk")
    #expect(next(&list) == nil)
    list.release()
    #expect(next(&list) == nil && list.isHeld)
    list.release()
    let after = try #require(next(&list))
    #expect(Array(after.snapshot.rows) == [row(3), row(1), row(2)] && after.snapshot.isComplete)
    #expect(after.changes.inserts.map(\.path.index) == [0, 2])
    #expect(after.changes.revisions == (before.revision, after.snapshot.revision))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func everyPublicationFollowsFromTheOneBefore(seed: UInt64) throws {
    var run = AccumulatorRun(seed: seed)
    try run.run()
  }
}

/// Three sources load in a random order, with news in between, for a consumer that holds the list now and then.
private struct AccumulatorRun {
  private let seed: UInt64
  private var random: SeededRandom
  private let rows = RowTable()
  private var list: Accumulator
  private var plain: PlainList
  private var table = StrictTable<UInt32, Int>([]) { _ in 0 }
  /// The step in which a row was last put or removed. Rows without a step are still to be loaded.
  private var versions: [UInt32: Int] = [:]
  private var waiting: [(name: String, batches: Int)] = [("disk", 40), ("network", 30), ("camera", 3)]
  private var step = 0

  init(seed: UInt64) {
    self.seed = seed
    random = SeededRandom(seed: seed)
    let layout = ListLayout(rows: rows)
    list = Accumulator(layout, loadingFrom: Set(waiting.map(\.name)))
    plain = PlainList(layout)
    for number in 0..<900 as Range<UInt64> { _ = rows.row(for: RowID(high: number / 3, low: random.next())) }
  }

  mutating func run() throws {
    while !waiting.isEmpty || list.isHeld {
      step += 1
      if random.chance(60), !waiting.isEmpty { load() } else { apply() }
      if random.chance(list.isHeld ? 20 : 10) { if list.isHeld { list.release() } else { list.hold() } }
      try show()
    }
    try show()
    let isAllShown = list.publish() == nil && list.published.isComplete
    if !isAllShown || list.published.count != plain.entries.count { throw wrong("something was never shown") }
  }

  private mutating func load() {
    let source = random.below(waiting.count)
    guard waiting[source].batches > 0 else { return list.finish(waiting.remove(at: source).name) }
    waiting[source].batches -= 1
    var batch = SnapshotBatch()
    var loaded: Set<UInt32> = []
    for _ in 0..<random.below(30) {
      let (row, order) = (random.below(900 as UInt32), random.below(500 as UInt64))
      guard loaded.insert(row).inserted else { continue }
      batch.put(ListRow(row), order: .number(order))
      if versions[row] == nil { put(row, order) }
    }
    list.load(batch, from: waiting[source].name)
  }

  private mutating func apply() {
    var batch = SnapshotBatch()
    for _ in 0..<1 + random.below(3) {
      let row = random.below(900 as UInt32)
      if random.chance(50) {
        let order = random.below(500 as UInt64)
        batch.put(ListRow(row), order: .number(order))
        put(row, order)
      } else {
        batch.remove(ListRow(row))
        plain.remove(row)
        versions[row] = step
      }
    }
    list.apply(batch)
  }

  private mutating func put(_ row: UInt32, _ order: UInt64) {
    versions[row] = step
    plain.put(row, rows.id(of: ListRow(row)), section: .number(0), order: .number(order), version: step)
  }

  private mutating func show() throws {
    guard let publication = list.publish() else { return }
    let versions = versions
    do {
      try table.perform(publication.changes, new: plain.content.map(\.rows), row: \.number) { versions[$0] ?? -1 }
    } catch { throw wrong("\(error)") }
    let wanted = StrictTable(plain.content.map(\.rows)) { versions[$0] ?? -1 }
    if table.sections != wanted.sections { throw wrong("what is shown is not what was brought") }
  }

  private func wrong(_ what: String) -> InvalidUpdate {
    InvalidUpdate(description: "seed \(seed), step \(step): \(what)")
  }
}
