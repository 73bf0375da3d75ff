// Runs many seeds, on every processor. Worlds know nothing of each other.

import Foundation

package struct SeedRuns: Sendable {
  package var counts = RunCounts()
  /// The seeds that broke a promise, with what it was.
  package var failures: [Failure] = []
  package var seedCount = 0
  /// The steps of all seeds together.
  package var stepCount = 0

  package typealias Failure = (seed: UInt64, violation: Violation)

  /// Runs the seeds in order, and one of twenty a second time, because the same seed must give the same run. Stops
  /// early after `limit` failures, or once `isOver` is true: the first of the seeds have run then.
  ///
  /// Each seed has `steps` steps; without a number `Plan` decides. `onFailure` hears of each failure at once.
  package static func run(
    _ seeds: Range<UInt64>, steps: Int? = nil, without: Set<Fault> = [],
    failures limit: Int = 20, onFailure: (Failure) -> Void = { _ in },
    isOver: @escaping @Sendable () -> Bool = { false }
  ) async -> Self {
    var total = await withTaskGroup(of: Self.self) { group in
      var total = Self()
      func add(_ one: Self) {
        for failure in one.failures { onFailure(failure) }
        total.add(one)
      }
      var running = 0
      for seed in seeds {
        if running >= ProcessInfo.processInfo.activeProcessorCount, let one = await group.next() {
          add(one)
          running -= 1
        }
        if isOver() || total.failures.count >= limit { break }
        group.addTask { one(Plan(seed: seed, steps: steps, without: without)) }
        running += 1
      }
      for await one in group { add(one) }
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
