// Everything that `waitUntilSaved()` promised survives a process that is killed while it writes. Kills real processes
// with SIGKILL.
//
// `Scripts/kill-store` makes more kills.

import Foundation
import Testing

@Suite struct StoreKillTests {
  /// Each kill checks the whole history of a store, which grows. So a new store begins after so many kills.
  private static let livesOfAStore = 50

  private static func setting(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  @Test func killedProcessLosesNothingSaved() throws {
    let kills = Self.setting("MODELGEN_KILLS") ?? 40
    var seed = UInt64(Self.setting("MODELGEN_KILL_SEED") ?? 1)
    var report = KillReport()
    while report.kills < kills {
      var store = try KilledStore(seed: seed)
      for life in 1...min(Self.livesOfAStore, kills - report.kills) {
        for problem in try store.live(&report) { Issue.record("\(store.again), kill \(life): \(problem)") }
      }
      seed += 1
    }
    print(report.text)
    guard kills >= 40 else { return }
    // A fate that never occurred was not tested.
    for fate in KillScript.Fate.allCases { #expect(report.fates[fate, default: 0] > 0, "never \(fate)") }
    #expect(report.diedOpening > 0 && report.saved > 0 && report.lost.contains { $0.operations > 0 })
  }
}
