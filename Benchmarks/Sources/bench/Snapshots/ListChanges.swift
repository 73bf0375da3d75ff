// Measures changes of a long list while the state before is still held.

import HashTreeCollections
import MeasuredSnapshots

struct ListChanges {
  private static let perRound = 200
  private let sample: SampleList
  private let moves: [(old: SampleList.Photo, new: SampleList.Photo)]
  private let large: SnapshotBatch
  private let all: SnapshotBatch
  /// States of the list, each also without one entry, and with that entry moved.
  private let neighbours: [(old: Snapshot, without: Snapshot, new: Snapshot)]
  private let flat: FlatList
  private let sections: SectionList
  private let ids: TreeDictionary<RowID, SIMD2<UInt64>>

  init(_ sample: SampleList) {
    self.sample = sample
    var random = SeededNumbers(state: 4)
    moves = sample.moves(Self.perRound, &random)
    large = SampleList.batch(sample.moves(1_000, &random).map(\.new))
    all = SampleList.batch(sample.photos)
    var last = sample.snapshot
    // Only twenty, so that they stay in the processor's caches, as right after a change.
    neighbours = moves.prefix(20).map { move in
      let old = last
      var removal = SnapshotBatch()
      removal.remove(ListRow(move.new.row))
      let without = old.applying(removal).snapshot
      last = old.applying(SampleList.batch([move.new])).snapshot
      return (old, without, last)
    }
    flat = FlatList(sample.photos)
    sections = SectionList(sample.photos)
    let rows = sample.rows
    ids = TreeDictionary(
      uniqueKeysWithValues: sample.photos.map { (rows.id(of: ListRow($0.row)), SIMD2($0.day, $0.date)) })
  }

  func report(_ effort: Effort) throws -> Report {
    let count = sample.photos.count
    // Fewer rounds for long lists, because each change takes the peers milliseconds.
    let (measured, checksum) = try measureInTurns(subjects, rounds: min(effort.rounds, 4_000_000 / count + 3))
    let change = [100_000: 5_000.0, 1_000_000: 15_000]
    let aims = [
      ListAim(name: Self.move, nanoseconds: change), ListAim(name: Self.insert, nanoseconds: change),
      ListAim(name: Self.update, nanoseconds: change), ListAim(name: Self.batch, nanoseconds: [100_000: 1e6]),
      ListAim(name: Self.difference, nanoseconds: [100_000: 500, 1_000_000: 500]),
      ListAim(name: Self.differenceOfMove), ListAim(name: Self.build),
      ListAim(name: Self.flatMove), ListAim(name: Self.carouselMove), ListAim(name: Self.treeDictionary),
    ]
    let heading =
      "Changes of \(count.formatted()) entries, the next snapshot and its changes each; how often it fits into a move "
      + "of Carousel's. Checksum \(checksum)."
    return Report(heading: heading, rows: aims.compactMap { $0.row(measured, peer: Self.carouselMove, count: count) })
  }

  private static let move = "one entry moves"
  private static let insert = "one entry comes or goes"
  private static let update = "one value changes"
  private static let batch = "1,000 entries move, published once"
  private static let difference = "difference of two snapshots, one entry came"
  private static let differenceOfMove = "difference of two snapshots, one entry moved"
  private static let build = "building it from a sorted batch, an entry"
  private static let flatMove = "flat array: one entry moves"
  private static let carouselMove = "Carousel: one entry moves"
  private static let treeDictionary = "TreeDictionary: the key of one id changes"

  private var subjects: [Subject] { own + peers }

  private var own: [Subject] {
    let snapshot = sample.snapshot
    return [
      Subject(name: Self.move, operations: Self.perRound) {
        var next = snapshot
        for move in moves {
          var batch = SnapshotBatch()
          batch.put(ListRow(move.new.row), section: .number(move.new.day), order: .number(move.new.date))
          next = next.applying(batch).snapshot
        }
        return next.count
      },
      Subject(name: Self.insert, operations: 2 * Self.perRound) {
        var next = snapshot
        for move in moves {
          var batch = SnapshotBatch()
          batch.remove(ListRow(move.old.row))
          next = next.applying(batch).snapshot
        }
        for move in moves {
          var batch = SnapshotBatch()
          batch.put(ListRow(move.old.row), section: .number(move.old.day), order: .number(move.old.date))
          next = next.applying(batch).snapshot
        }
        return next.count
      },
      Subject(name: Self.update, operations: Self.perRound) {
        var next = snapshot
        for move in moves {
          var batch = SnapshotBatch()
          batch.update(ListRow(move.old.row))
          next = next.applying(batch).snapshot
        }
        return next.count
      },
      Subject(name: Self.batch, operations: 1) { snapshot.applying(large).changes.moves.count },
      Subject(name: Self.difference, operations: 50 * neighbours.count) {
        (0..<50).reduce(0) { sum, _ in
          neighbours.reduce(sum) { $0 + $1.old.difference(from: $1.without).inserts.count }
        }
      },
      Subject(name: Self.differenceOfMove, operations: 50 * neighbours.count) {
        (0..<50).reduce(0) { sum, _ in neighbours.reduce(sum) { $0 + $1.new.difference(from: $1.old).moves.count } }
      },
      Subject(name: Self.build, operations: snapshot.count) {
        Snapshot(snapshot.layout).applying(all).snapshot.count
      },
    ]
  }

  private var peers: [Subject] {
    // Each change takes long, so a few are enough.
    let few = moves.prefix(5)
    return [
      Subject(name: Self.flatMove, operations: few.count) {
        few.reduce(0) { $0 + flat.moving($1.old, to: $1.new).starts.count }
      },
      Subject(name: Self.carouselMove, operations: few.count) {
        few.reduce(0) { $0 + sections.moving($1.old, to: $1.new).starts.count }
      },
      Subject(name: Self.treeDictionary, operations: moves.count) {
        var next = ids
        for move in moves {
          let old = next
          next[sample.rows.id(of: ListRow(move.old.row))] = SIMD2(move.new.day, move.new.date)
          withExtendedLifetime(old) {}
        }
        return next.count
      },
    ]
  }
}
