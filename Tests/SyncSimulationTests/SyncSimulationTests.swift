// Seeds of the simulation of sync; `Scripts/soak` runs as many as time allows.

import Foundation
import SyncSimulation
import Testing

@Suite struct SyncSimulationTests {
  private static func setting(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
  }

  @Test func everySeedKeepsItsPromises() async {
    let first = Self.setting("SYNC_FIRST_SEED") ?? 0
    let count = Self.setting("SYNC_SEEDS") ?? 5
    let steps = 130
    let runs = await SeedRuns.run(first..<first + count, steps: steps, failures: 3)
    print(runs.report(seconds: 0))
    for (seed, violation) in runs.failures {
      Issue.record("seed \(seed), \(violation)\nagain: Scripts/soak --debug --seed \(seed) --steps \(steps) --trace")
    }
  }
}
