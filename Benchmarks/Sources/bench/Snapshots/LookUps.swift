// Measures look-ups in a long list: each kind of call, many times.

import MeasuredSnapshots

struct LookUps {
  /// Enough calls that the processor's caches, as other subjects left them, do not count.
  private static let perRound = 200_000
  private let sample: SampleList
  private let positions: [Int]
  private let paths: [SnapshotPath]
  private let rows: [ListRow]
  private let sections: SectionList
  private let flat: FlatList

  init(_ sample: SampleList) {
    self.sample = sample
    var random = SeededNumbers(state: 2)
    let snapshot = sample.snapshot
    positions = (0..<Self.perRound).map { _ in random.next(below: snapshot.count) }
    paths = (0..<Self.perRound).map { _ in
      let section = random.next(below: snapshot.sectionCount)
      return SnapshotPath(section: section, index: random.next(below: snapshot.positions(ofSection: section).count))
    }
    rows = positions.map(snapshot.row(at:))
    sections = SectionList(sample.photos)
    flat = FlatList(sample.photos)
  }

  func report(_ effort: Effort) throws -> Report {
    let (measured, checksum) = try measureInTurns(subjects, rounds: effort.rounds)
    let count = sample.photos.count
    let aims = [
      ListAim(name: Self.byPosition, nanoseconds: [100_000: 20]),
      ListAim(name: Self.scrolling, nanoseconds: [100_000: 5]),
      ListAim(name: Self.byPath, nanoseconds: [100_000: 25]), ListAim(name: Self.byRow), ListAim(name: Self.pathOfRow),
      ListAim(name: Self.flatPosition), ListAim(name: Self.carouselPosition), ListAim(name: Self.carouselPath),
    ]
    let heading =
      "Look-ups in \(count.formatted()) entries in \(sample.snapshot.sectionCount.formatted()) sections, medians of "
      + "\(effort.rounds - 1) rounds of \(Self.perRound.formatted()); how often it fits into Carousel's look-up by "
      + "position. Checksum \(checksum)."
    return Report(
      heading: heading, rows: aims.compactMap { $0.row(measured, peer: Self.carouselPosition, count: count) })
  }

  private static let byPosition = "by position, random"
  private static let scrolling = "by position, one after the other (cursor)"
  private static let byPath = "by (section, index), random"
  private static let byRow = "position of a row"
  private static let pathOfRow = "(section, index) of a row"
  private static let flatPosition = "flat array: by position, random"
  private static let carouselPosition = "Carousel: by position, random"
  private static let carouselPath = "Carousel: by (section, index), random"

  private var subjects: [Subject] {
    let (snapshot, perRound) = (sample.snapshot, Self.perRound)
    return [
      Subject(name: Self.byPosition, operations: perRound) {
        positions.reduce(0) { $0 &+ Int(snapshot.row(at: $1).number) }
      },
      Subject(name: Self.scrolling, operations: perRound) {
        var cursor = snapshot.makeCursor()
        var sum = 0
        let count = min(snapshot.count, perRound)
        for _ in 0..<perRound / count {
          for position in 0..<count { sum &+= Int(cursor.row(at: position).number) }
        }
        return sum
      },
      Subject(name: Self.byPath, operations: perRound) {
        paths.reduce(0) { $0 &+ Int(snapshot.row(at: $1).number) }
      },
      Subject(name: Self.byRow, operations: perRound) {
        rows.reduce(0) { $0 &+ (snapshot.position(of: $1) ?? 0) }
      },
      Subject(name: Self.pathOfRow, operations: perRound) {
        rows.reduce(0) { $0 &+ (snapshot.path(of: $1)?.index ?? 0) }
      },
      Subject(name: Self.flatPosition, operations: perRound) {
        positions.reduce(0) { $0 &+ Int(flat.photos[$1].row) }
      },
      Subject(name: Self.carouselPosition, operations: perRound) {
        positions.reduce(0) { $0 &+ Int(sections.row(at: $1)) }
      },
      Subject(name: Self.carouselPath, operations: perRound) {
        paths.reduce(0) { $0 &+ Int(sections.sections[$1.section][$1.index].row) }
      },
    ]
  }
}
