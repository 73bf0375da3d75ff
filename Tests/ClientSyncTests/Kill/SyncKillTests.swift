// Kills servers, clients and what is behind the servers at random moments: nothing that was reported as safe is lost, and
// nothing is applied twice.
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
    let folder = try TemporaryFolder()
    try kill(in: folder, KilledFile(in: folder.url), times: 12)
  }

  /// Two servers with one PostgreSQL: the servers, their connections and the clients are killed.
  @Test func savedOperationsSurviveEveryKillOfServersWithOneDatabase() throws {
    guard let database = try KilledPostgres(.none) else { return }
    try kill(in: TemporaryFolder(), database, times: 12)
  }

  /// The standby lacks commits that clients know to be acknowledged. The devices have them.
  @Test func savedOperationsSurviveEveryFailover() throws {
    guard let database = try KilledPostgres(.asynchronous) else { return }
    try kill(in: TemporaryFolder(), database, times: 3)
  }

  /// The standby has every acknowledged commit, so the devices are not needed.
  @Test func acknowledgedOperationsSurviveEveryFailoverToASynchronousStandby() throws {
    guard let database = try KilledPostgres(.synchronous) else { return }
    try kill(in: TemporaryFolder(), database, times: 2)
  }

  private func kill(in folder: TemporaryFolder, _ database: any KilledDatabase, times: Int) throws {
    let kills = Self.setting("MODELGEN_KILLS") ?? times
    let seed = UInt64(Self.setting("MODELGEN_KILL_SEED") ?? 1)
    var random = SeededRandom(seed: seed)
    let world = try KilledWorld(in: folder, database)
    try world.startClients()
    var counts: [KilledWorld.Victim: Int] = [:]
    for _ in 0..<kills {
      let victim = random.pick(database.victims)
      counts[victim, default: 0] += 1
      try world.kill(victim, afterLines: Int(random.below(40)))
    }
    let seen = try world.end()
    #expect(world.errors.isEmpty, "seed \(seed)")
    #expect(seen[0] == seen[1] && seen[0].last == "ended", "seed \(seed): both see the same")
    #expect(seen[0].filter { $0.hasPrefix("failed") }.isEmpty, "seed \(seed)")
    #expect(world.damage.isEmpty, "seed \(seed), right after a kill: \(world.damage.prefix(9))")
    let tallies = Tallies(lines: seen[0])
    #expect(tallies.problems.isEmpty, "seed \(seed): \(tallies.problems.prefix(9))")
    let (saved, marks) = (world.saved, tallies.all)
    #expect(saved.subtracting(marks).isEmpty, "seed \(seed): saved, and lost: \(saved.subtracting(marks).sorted())")
    #expect(!saved.isEmpty && !world.acknowledged.isEmpty && !world.confirmed.isEmpty)
    let killed = counts.sorted { "\($0.key)" < "\($1.key)" }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
    print(
      """
      \(kills) kills, seed \(seed): \(killed); \(saved.count) operations were saved, the server said of \
      \(world.acknowledged.count) that it had done them, \(world.confirmed.count) were seen confirmed, \(marks.count) \
      are there, none twice and none by half; \(world.missing) were missing where a standby took over
      """)
  }
}
