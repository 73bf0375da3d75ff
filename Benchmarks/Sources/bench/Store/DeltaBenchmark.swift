// Measures how fast a delta reaches the disk, and the memory and disk space that it takes.

import CAllocations
import ModelSupport

enum DeltaBenchmark {
  static func report(_ effort: Effort) throws -> [Report] {
    try effort.storeSizes.map { size in
      let rounds = max(3, min(effort.rounds / 4, 1_000_000 / size))
      return try report(size, rounds: rounds)
    }
  }

  private static let names = ["raw C", "the store", "GRDB records"]

  private static func report(_ size: Int, rounds: Int) throws -> Report {
    let first = try StorePhotos.states(0..<size, revision: 1)
    let second = try StorePhotos.states(0..<size, revision: 2, hidden: true)
    var runs = [[DeltaRun]](repeating: [], count: names.count)
    for round in 0..<rounds {
      runs[0].append(try run(RawTaker.self, first, second))
      runs[1].append(try run(StoreTaker.self, first, second))
      // Records take long, so every third round is enough.
      if round % 3 == 0 { runs[2].append(try run(RecordTaker.self, first, second)) }
    }
    let bytes = first.reduce(0) { $0 + ($1.live?.content.count ?? 0) } / size
    return Report(
      heading: "\(size.formatted()) objects in one delta, blobs of \(bytes) bytes, into an empty store and over its "
        + "rows; medians of \(rounds) rounds in turns, ratios of processor time (and of time).",
      rows: [(\DeltaRun.empty, "into an empty store"), (\.existing, "over existing rows")].flatMap { cost, title in
        zip(names, runs).map { name, own in row("\(title), \(name)", own, against: runs[0], cost, size) }
      } + zip(names, runs).map { name, own in memoryRow(name, own) })
  }

  private static func row(
    _ what: String, _ runs: [DeltaRun], against raw: [DeltaRun], _ cost: KeyPath<DeltaRun, Cost>, _ size: Int
  ) -> Report.Row {
    func medians(_ runs: [DeltaRun]) -> (processor: Double, clock: Double) {
      (runs.map { $0[keyPath: cost].processorSeconds }.median, runs.map { $0[keyPath: cost].seconds }.median)
    }
    let (own, raw) = (medians(runs), medians(raw))
    let ratio = raw.processor / own.processor
    return Report.Row(
      what: what, figure: "\(Int(Double(size) / own.clock).formatted()) objects/s, processor \(own.processor.asTime)",
      ratio: String(format: "%.2f (%.2f)", ratio, raw.clock / own.clock),
      aims: what.hasSuffix("the store") ? [(.atLeast(0.6), ratio)] : [])
  }

  private static func memoryRow(_ name: String, _ runs: [DeltaRun]) -> Report.Row {
    let peak = runs.map(\.peak).median
    let held = runs.map(\.held).median
    return Report.Row(
      what: "memory and disk, \(name)",
      figure: "\(peak.asBytes) more at the peak, \(held.asBytes) held after; database \(runs[0].database.asBytes), "
        + "log \(runs[0].log.asBytes)")
  }

  private static func run<Taker: DeltaTaker>(
    _: Taker.Type, _ first: [ObjectState], _ second: [ObjectState]
  ) throws -> DeltaRun {
    let folder = try TemporaryFolder()
    let (first, second) = (Taker.prepare(first, cursor: 1), Taker.prepare(second, cursor: 2))
    release_free_memory()
    forget_peak()
    let before = (resident: Double(resident_bytes()), allocated: Double(allocated_bytes()))
    let taker = try Taker(in: folder)
    let empty = try Cost.measured { try taker.apply(first) }
    let existing = try Cost.measured { try taker.apply(second) }
    return try withExtendedLifetime((taker, first, second)) {
      DeltaRun(
        empty: empty, existing: existing, peak: Double(peak_resident_bytes()) - before.resident,
        held: Double(allocated_bytes()) - before.allocated, database: try folder.size(of: ".sqlite"),
        log: try folder.size(of: "-wal"))
    }
  }
}

/// The costs of one delta into an empty store, and of a second one over its rows.
private struct DeltaRun {
  var empty: Cost
  var existing: Cost
  /// Peak memory in bytes, without that of the prepared deltas.
  var peak: Double
  var held: Double
  var database: Double
  var log: Double
}
