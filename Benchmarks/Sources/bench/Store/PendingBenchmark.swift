// Measures a store with many operations that could not be sent, beside the same store with none pending.

import CAllocations
import ModelSupport
import MomentsModels

enum PendingBenchmark {
  static func report(_ effort: Effort) throws -> [Report] {
    let size = effort.objects
    let pending = size / 10
    let folder = try TemporaryFolder()
    var rows = try StorePhotos.states(0..<size, revision: 1)
    do {
      let store = try StorePhotos.store(in: folder)
      try store.receive(StorePhotos.page(rows, cursor: 1))
      try waiting { try await store.close() }
    }
    var without = PendingRun()
    var with = PendingRun()
    for round in 1...effort.storeRounds {
      try without.round(folder, 0, of: &rows, cursor: Int64(round * 2), calls: effort.callsPerRound)
      try with.round(folder, pending, of: &rows, cursor: Int64(round * 2 + 1), calls: effort.callsPerRound)
    }
    return [
      Report(
        heading: "\(pending.formatted()) pending operations over \(size.formatted()) objects, each on another one, "
          + "beside the same store with none; medians of \(effort.storeRounds) rounds in turns.",
        rows: Self.rows(without: without, with: with, pending))
    ]
  }

  private static func rows(without: PendingRun, with: PendingRun, _ pending: Int) -> [Report.Row] {
    func row(
      _ what: String, _ times: [Double], _ peer: [Double], aim: Aim? = nil, unit: Double = 1
    ) -> Report.Row {
      let (own, peer) = (Distribution(times), Distribution(peer))
      return Report.Row(
        what: what, figure: "\(own.text); none pending \(peer.median.asTime)",
        ratio: own.median.asRatio(of: peer.median),
        aims: aim.map { [($0, own.median / unit)] } ?? [])
    }
    let (opening, peer) = (with.opening.map(\.processorSeconds).median, without.opening.map(\.processorSeconds).median)
    return [
      Report.Row(
        what: "open the store", figure: text(with.opening),
        ratio: opening.asRatio(of: peer), aims: [(.atMost(5, "ms"), opening * 1e3)]),
      Report.Row(
        what: "open the store, none pending", figure: text(without.opening), aims: [(.atMost(5, "ms"), peer * 1e3)]),
      row("read, nothing was done with the object", with.reads, without.reads),
      row("read, an operation is pending", with.touchedReads, without.reads),
      row(
        "perform, nothing was done with the object", with.performs, without.performs, aim: .atMost(20, "µs"), unit: 1e-6
      ),
      row(
        "perform, an operation is pending", with.touchedPerforms, without.performs, aim: .atMost(20, "µs"), unit: 1e-6),
      Report.Row(what: "perform them all, until all are on disk", figure: text(with.performing)),
      Report.Row(what: "retire them all by one delta", figure: text(with.retiring)),
      Report.Row(
        what: "memory of the open store",
        figure: "\(with.memory.median.asBytes), \(Int(with.memory.median) / pending) bytes an operation; "
          + "none pending \(without.memory.median.asBytes)"),
    ]
  }
}

/// Formats the medians of processor time and elapsed time.
private func text(_ costs: [Cost]) -> String {
  "processor \(costs.map(\.processorSeconds).median.asTime), \(costs.map(\.seconds).median.asTime)"
}

/// The times of a store with pending operations, or with none.
private struct PendingRun {
  var opening: [Cost] = []
  var reads: [Double] = []
  var touchedReads: [Double] = []
  var performs: [Double] = []
  var touchedPerforms: [Double] = []
  var performing: [Cost] = []
  var retiring: [Cost] = []
  /// Bytes from malloc for the open store.
  var memory: [Double] = []

  /// Performs operations on the first `pending` objects, then measures the next start of the app, calls after it, and a
  /// delta that retires the operations.
  mutating func round(
    _ folder: TemporaryFolder, _ pending: Int, of rows: inout [ObjectState], cursor: Int64, calls: Int
  ) throws {
    if pending > 0 { try perform(folder, pending, cursor) }
    try weigh(folder)
    var opened: ModelStore?
    opening.append(try .measured { opened = try StorePhotos.store(in: folder) })
    guard let store = opened else { return }
    var random = SeededNumbers(state: UInt64(cursor))
    let untouched = (0..<calls).map { _ in StorePhotos.photo(.random(in: pending..<rows.count, using: &random)).id }
    let touched = pending == 0 ? [] : (0..<calls).map { _ in StorePhotos.photo(random.next(below: pending)).id }
    for id in untouched { reads.append(try timed { try expect(store.object(id)) }) }
    for id in touched { touchedReads.append(try timed { try expect(store.object(id)) }) }
    for id in untouched { performs.append(timed { store.perform(Photo.Hide(id)) }) }
    for id in touched { touchedPerforms.append(timed { store.perform(Photo.Hide(id)) }) }
    try waiting { try await store.waitUntilSaved() }
    retiring.append(try retire(store, pending, of: &rows, cursor))
    try waiting { try await store.close() }
  }

  /// Measures the memory that is freed when the store goes.
  private mutating func weigh(_ folder: TemporaryFolder) throws {
    var store: ModelStore? = try StorePhotos.store(in: folder)
    let open = Double(allocated_bytes())
    withExtendedLifetime(store) {}
    store = nil
    memory.append(open - Double(allocated_bytes()))
  }

  private mutating func perform(_ folder: TemporaryFolder, _ count: Int, _ cursor: Int64) throws {
    let store = try StorePhotos.store(in: folder)
    let operations = (0..<count).map { Photo.Label(StorePhotos.photo($0).id, tag: "round \(cursor)") }
    performing.append(
      try .measured {
        store.perform(contentsOf: operations)
        try waiting { try await store.waitUntilSaved() }
      })
    try waiting { try await store.close() }
  }

  /// Retires all operations by a delta that also brings their objects. Returns its cost.
  private func retire(
    _ store: ModelStore, _ count: Int, of rows: inout [ObjectState], _ cursor: Int64
  ) throws -> Cost {
    rows.replaceSubrange(0..<count, with: try StorePhotos.states(0..<count, revision: cursor, hidden: true))
    let page = StorePhotos.page(
      Array(rows[0..<count]), cursor: cursor,
      outcomes: StorePhotos.applied(store.pendingOperations.map(\.id), at: cursor),
      rows: QueueDigest(rows))
    return try .measured { try store.receive(page) }
  }
}
