// Many seeds, on every processor: worlds know nothing of each other.

import Foundation

package struct SeedRuns: Sendable {
  package var counts = RunCounts()
  /// The seeds that broke a promise, with what it was.
  package var failures: [(seed: UInt64, violation: Violation)] = []
  package var seedCount = 0

  /// Runs each seed, and one of twenty a second time: the same seed must be the same run. Stops early after so many
  /// failures, and at the moment that `isOver` says.
  package static func run(
    _ seeds: some Sequence<UInt64> & Sendable, steps: Int, without: Set<Fault> = [],
    failures limit: Int = 20, isOver: @escaping @Sendable () -> Bool = { false }
  ) async -> Self {
    await withTaskGroup(of: Self.self) { group in
      var total = Self()
      var running = 0
      for seed in seeds where !isOver() && total.failures.count < limit {
        if running >= ProcessInfo.processInfo.activeProcessorCount, let one = await group.next() {
          total.add(one)
          running -= 1
        }
        group.addTask { one(seed, steps, without) }
        running += 1
      }
      for await one in group { total.add(one) }
      total.failures.sort { $0.seed < $1.seed }
      return total
    }
  }

  private static func one(_ seed: UInt64, _ steps: Int, _ without: Set<Fault>) -> Self {
    let plan = Plan(seed: seed, steps: steps, without: without)
    let run = Simulation(plan)
    var result = Self(counts: run.counts, seedCount: 1)
    if let violation = run.violation { result.failures.append((seed, violation)) }
    if seed % 20 == 0 {
      result.counts.note("run twice")
      let again = Simulation(plan)
      if again.sum != run.sum { result.failures.append((seed, Violation("one seed ran in two ways"))) }
    }
    return result
  }

  private mutating func add(_ other: Self) {
    counts.add(other.counts)
    failures += other.failures
    seedCount += other.seedCount
  }
}
