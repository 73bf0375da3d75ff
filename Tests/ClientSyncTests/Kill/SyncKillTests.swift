// Kills server and clients at random moments: nothing that was reported as safe is lost, and nothing is applied twice.
//
// `Scripts/kill-sync` kills more of them.

import Foundation
import TestSupport
import Testing

@Suite struct SyncKillTests {
  private static func setting(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  @Test func savedOperationsSurviveEveryKill() throws {
    let kills = Self.setting("MODELGEN_KILLS") ?? 12
    let seed = UInt64(Self.setting("MODELGEN_KILL_SEED") ?? 1)
    var random = SeededRandom(seed: seed)
    let world = try KilledWorld()
    try world.startClients()
    var counts: [KilledWorld.Victim: Int] = [:]
    for _ in 0..<kills {
      let victim = random.pick(KilledWorld.Victim.allCases)
      counts[victim, default: 0] += 1
      try world.kill(victim, afterLines: Int(random.below(40)))
    }
    let seen = try world.end()
    #expect(world.errors.isEmpty, "seed \(seed)")
    #expect(seen[0] == seen[1] && seen[0].last == "ended", "seed \(seed): both see the same")
    #expect(seen[0].filter { $0.hasPrefix("failed") }.isEmpty, "seed \(seed)")
    #expect(world.damage.isEmpty, "seed \(seed), a server that was just killed: \(world.damage.prefix(9))")
    let tallies = Tallies(lines: seen[0])
    #expect(tallies.problems.isEmpty, "seed \(seed): \(tallies.problems.prefix(9))")
    let (saved, marks) = (world.saved, tallies.all)
    #expect(saved.subtracting(marks).isEmpty, "seed \(seed): saved, and lost: \(saved.subtracting(marks).sorted())")
    #expect(!saved.isEmpty && !world.acknowledged.isEmpty && !world.confirmed.isEmpty)
    print(
      """
      \(kills) kills, seed \(seed): \(counts[.server] ?? 0) of the server, \(counts[.anna] ?? 0) and \
      \(counts[.ben] ?? 0) of the clients; \(saved.count) operations were saved, the server said of \
      \(world.acknowledged.count) that it had done them, \(world.confirmed.count) were seen confirmed, \(marks.count) \
      are there, none twice and none by half
      """)
  }
}
