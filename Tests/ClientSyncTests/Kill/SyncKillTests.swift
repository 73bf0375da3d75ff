// Server and clients are killed at random moments: nothing that was called safe is lost, and nothing is applied twice.
//
// `Scripts/kill-sync` kills more of them.

import Foundation
import TestSupport
import Testing

@Suite struct SyncKillTests {
  private static func setting(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  @Test func whatWasSafeOutlivesEveryKill() throws {
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
    #expect(seen[0].filter { $0.hasPrefix("attention") }.isEmpty, "seed \(seed)")
    var marks: Set<Int64> = []
    for line in seen[0] where line.hasPrefix("tally") {
      let words = line.split(separator: " ")
      let own = (words.count > 3 ? words[3] : "").split(separator: ",").compactMap { Int64($0) }
      #expect(Int64(words[2]) == Int64(own.count), "seed \(seed): \(words[1]) has as many marks as were counted")
      marks.formUnion(own)
    }
    let saved = world.saved.values.reduce(Set()) { $0.union($1) }
    #expect(saved.subtracting(marks).isEmpty, "seed \(seed): saved, and lost: \(saved.subtracting(marks).sorted())")
    #expect(world.confirmed.subtracting(marks).isEmpty, "seed \(seed)")
    #expect(!saved.isEmpty && !world.confirmed.isEmpty)
    print(
      """
      \(kills) kills, seed \(seed): \(counts[.server] ?? 0) of the server, \(counts[.anna] ?? 0) and \
      \(counts[.ben] ?? 0) of the clients; \(saved.count) operations were saved, \(world.confirmed.count) of them seen \
      confirmed, \(marks.count) are there, none twice
      """)
  }
}
