// What `saved()` promised survives a process that is killed while it writes: real processes, killed with SIGKILL.
//
// `Scripts/kill-store` kills more of them.

import Foundation
import Testing

@Suite struct StoreKillTests {
  private static func setting(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  @Test func aStoreOutlivesItsProcess() throws {
    let kills = Self.setting("MODELGEN_KILLS") ?? 40
    var store = try KilledStore(seed: UInt64(Self.setting("MODELGEN_KILL_SEED") ?? 1))
    for life in 1...kills {
      for problem in try store.live() { Issue.record("\(store.again), kill \(life): \(problem)") }
    }
    let report = store.report
    print(report.text)
    guard kills >= 40 else { return }
    // What never happened was not tested.
    for fate in KillScript.Fate.allCases { #expect(report.fates[fate, default: 0] > 0, "never \(fate)") }
    #expect(report.diedOpening > 0 && report.saved > 0 && report.lost.contains { $0.operations > 0 })
  }
}
