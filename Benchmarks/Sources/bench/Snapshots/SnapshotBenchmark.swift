// Measures look-ups and changes of a list, and the memory of an entry.

import HashTreeCollections
import MeasuredSnapshots

extension Benchmark {
  static let snapshots = Benchmark(name: "snapshots", summary: "look-ups and changes of a long list") { effort in
    try effort.listSizes.flatMap { count in
      let sample = SampleList(count: count)
      return try [
        LookUps(sample).report(effort), ListChanges(sample).report(effort), ListWeights.report(sample),
      ]
    }
  }
}

/// A row of a report: the subject's name, and its aims by the list's size.
struct ListAim {
  var name: String
  var nanoseconds: [Int: Double] = [:]

  /// The ratio is the time of `peer` divided by that of this subject. Nil if the subject was not measured.
  func row(_ measured: [String: Measurement], peer: String?, count: Int) -> Report.Row? {
    guard let own = measured[name] else { return nil }
    let bound = nanoseconds[count].map { [(aim: Aim.atMost($0, "ns"), figure: own.nanoseconds)] }
    let ratio = peer.flatMap { measured[$0] }.map { ($0.nanoseconds / own.nanoseconds).asRatio(of: 1) }
    return Report.Row(what: name, figure: own.nanoseconds.asNanoseconds, ratio: ratio ?? "", aims: bound ?? [])
  }
}

extension Double {
  /// Nanoseconds, as a person reads them.
  var asNanoseconds: String {
    self < 100 ? "\((self * 10).rounded() / 10) ns" : self < 1_000 ? "\(Int(self)) ns" : (self / 1e9).asTime
  }
}

/// The memory of the parts of a list.
private enum ListWeights {
  static func report(_ sample: SampleList) throws -> Report {
    let count = sample.photos.count
    let ids = sample.photos.map { sample.rows.id(of: ListRow($0.row)) }
    let batch = SampleList.batch(sample.photos)
    let layout = ListLayout(rows: sample.rows)
    let table = weigh("the table of rows and ids, which lists share", count) {
      let rows = RowTable()
      for id in ids { _ = rows.row(for: id) }
      return rows
    }
    let built = weigh("the list, look-up by row included", count) { Snapshot(layout).applying(batch).snapshot }
    let changed = weigh("the list after as many moves as it has entries", count) { moved(sample) }
    let tree = weigh("TreeDictionary from the id to a key of two words", count) {
      TreeDictionary(uniqueKeysWithValues: zip(ids, sample.photos.map { SIMD2($0.day, $0.date) }))
    }
    let flat = weigh("a flat sorted array, without look-up by id", count) { FlatList(sample.photos) }
    let sections = weigh("Carousel's sections, without look-up by id", count) { SectionList(sample.photos) }
    let sum = Double(table.allocated + changed.allocated)
    let rows = [table, built, changed, tree, flat, sections].map { weight in
      Report.Row(what: weight.what, figure: "\(weight.allocated) bytes, \(weight.resident) resident")
    }
    let total = Report.Row(
      what: "the table and the list after moves", figure: "\(Int(sum)) bytes", aims: [(.atMost(64, "bytes"), sum)])
    return Report(heading: "Memory of an entry, of \(count.formatted()): what malloc gave.", rows: rows + [total])
  }

  private static func moved(_ sample: SampleList) -> Snapshot {
    var random = SeededNumbers(state: 3)
    var snapshot = sample.snapshot
    for _ in 0..<sample.photos.count {
      snapshot = snapshot.applying(SampleList.batch(sample.moves(1, &random).map(\.new))).snapshot
    }
    return snapshot
  }
}
