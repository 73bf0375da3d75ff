// Runs hundreds of seeds. Whatever happens in whatever order, the store shows and keeps what the oracle expects.
//
// `STORE_SEEDS=20000 swift test --filter StoreSimulation` runs more seeds, `STORE_FIRST_SEED=1000` others, and
// `STORE_SEED=17` one, and prints its steps.

import Foundation
import ModelSupport
import Testing

@Suite struct StoreSimulationTests {
  private static let steps = 100
  private static let onlySeed = setting("STORE_SEED")
  private static let seeds: Range<UInt64> = {
    if let onlySeed { return onlySeed..<onlySeed + 1 }
    let first = setting("STORE_FIRST_SEED") ?? 0
    return first..<first + (setting("STORE_SEEDS") ?? 200)
  }()

  private static func setting(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
  }

  @Test func everySeedHolds() async {
    let counts = await Self.onEveryProcessor { seed in
      let simulation = StoreSimulation(seed: seed, isTraced: Self.onlySeed != nil)
      do { try simulation.run(steps: Self.steps) } catch { Self.report(error, seed) }
      if let trace = simulation.trace { print(trace.joined(separator: "\n")) }
      return simulation.counts
    }
    let kinds = [
      "events": StoreSimulation.eventNames, "crashes": StoreSimulation.crashNames,
      "faults": StoreSimulation.faultNames, "unsynced writes": StoreSimulation.fateNames,
      "creates over deletes": StoreSimulation.revivalNames, "lists": StoreSimulation.listNames,
    ]
    print("store simulation: seeds \(Self.seeds), \(Self.steps) steps each, all checked after every step")
    for (kind, names) in kinds.sorted(by: { $0.key < $1.key }) { print("  \(kind): \(counts.text(of: names))") }
    guard Self.seeds.count >= 100 else { return }
    let names = kinds.values.flatMap(\.self)
    #expect(counts.missing(of: names).isEmpty, "what never happened was not tested")
  }

  /// Runs one seed in twenty twice in this process. Both traces must be equal, so that a failure can be repeated.
  @Test func theSameSeedIsTheSameRun() async {
    _ = await Self.onEveryProcessor { seed in
      guard seed % 20 == 0 || Self.onlySeed != nil else { return SimulationCounts() }
      let traces = (0..<2).map { _ in Self.trace(seed) }
      if let place = zip(traces[0], traces[1]).first(where: { $0 != $1 }) {
        Issue.record("seed \(seed) ran in two ways:\n\(place.0)\n\(place.1)")
      }
      #expect(traces[0].count == traces[1].count, "seed \(seed)")
      return SimulationCounts()
    }
  }

  private static func trace(_ seed: UInt64) -> [String] {
    let simulation = StoreSimulation(seed: seed, isTraced: true)
    try? simulation.run(steps: steps)
    return simulation.trace ?? []
  }

  /// Runs the seed again, and reports the error with its last 20 steps.
  private static func report(_ error: any Error, _ seed: UInt64) {
    let steps = trace(seed).suffix(20).joined(separator: "\n")
    Issue.record("\(error)\n\(steps)\nagain: STORE_SEED=\(seed) swift test --filter everySeedHolds")
  }

  /// Runs each seed in a task, as many at a time as there are processors. Returns the sum of the counts.
  private static func onEveryProcessor(
    _ run: @escaping @Sendable (UInt64) -> SimulationCounts
  ) async -> SimulationCounts {
    await withTaskGroup(of: SimulationCounts.self) { group in
      var counts = SimulationCounts()
      for (index, seed) in seeds.enumerated() {
        if index >= ProcessInfo.processInfo.activeProcessorCount, let finished = await group.next() {
          counts.add(finished)
        }
        group.addTask { run(seed) }
      }
      for await finished in group { counts.add(finished) }
      return counts
    }
  }
}
