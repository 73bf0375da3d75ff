// Many seeds, on every processor: worlds know nothing of each other.

import Foundation

package struct SeedRuns: Sendable {
  package var counts = RunCounts()
  /// The seeds that broke a promise, with what it was.
  package var failures: [(seed: UInt64, violation: Violation)] = []
  package var seedCount = 0
  /// Of all seeds together.
  package var stepCount = 0

  /// Runs each seed in its order, and one of twenty a second time: the same seed must be the same run. Stops early after
  /// so many failures, and at the moment that `isOver` says: what has run then are the first of the seeds.
  ///
  /// `steps` of each seed; without it `Plan` says how many a seed has.
  package static func run(
    _ seeds: Range<UInt64>, steps: Int? = nil, without: Set<Fault> = [],
    failures limit: Int = 20, isOver: @escaping @Sendable () -> Bool = { false }
  ) async -> Self {
    var total = await withTaskGroup(of: Self.self) { group in
      var total = Self()
      var running = 0
      for seed in seeds {
        if running >= ProcessInfo.processInfo.activeProcessorCount, let one = await group.next() {
          total.add(one)
          running -= 1
        }
        if isOver() || total.failures.count >= limit { break }
        group.addTask { one(Plan(seed: seed, steps: steps, without: without)) }
        running += 1
      }
      for await one in group { total.add(one) }
      return total
    }
    total.failures.sort { $0.seed < $1.seed }
    return total
  }

  private static func one(_ plan: Plan) -> Self {
    let run = Simulation(plan)
    var result = Self(counts: run.counts, seedCount: 1, stepCount: plan.steps.count)
    if let violation = run.violation { result.failures.append((plan.seed, violation)) }
    if plan.seed % 20 == 0 {
      result.counts.note("run twice")
      let again = Simulation(plan)
      if again.sum != run.sum { result.failures.append((plan.seed, Violation("one seed ran in two ways"))) }
    }
    return result
  }

  private mutating func add(_ other: Self) {
    counts.add(other.counts)
    failures += other.failures
    seedCount += other.seedCount
    stepCount += other.stepCount
  }
}
