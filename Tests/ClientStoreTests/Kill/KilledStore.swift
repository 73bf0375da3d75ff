// One store through many lives of a process, each ended by SIGKILL at a line of its output that a seed decides.

import Foundation
import ModelRuntime
import TestSupport

@testable import StoreVictim

struct KilledStore {
  private let seed: UInt64
  private let victim: Program
  private let folder: TemporaryFolder
  private var random: SeededRandom
  private var lives = 0
  private var script = KillScript()

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededRandom(seed: seed)
    victim = try Program.built("StoreVictim")
    folder = try TemporaryFolder()
  }

  /// How to see it again, as far as the machine lets two processes run alike.
  var again: String { "Scripts/kill-store --kills \(lives) --seed \(seed)" }

  /// Starts the process, kills it, and says what is not as it must be afterwards.
  mutating func live(_ report: inout KillReport) throws -> [String] {
    lives += 1
    let store = folder.url("store").path
    let arguments = [store, "\(random.next())", "\(lives * 1_000_000)"]
    let killed = try victim.kill(arguments, in: folder.url, afterLines: lineOfDeath())
    // A sanitizer would say there what it sees.
    guard killed.wasKilled, killed.errors.isEmpty else { return ["it ended by itself, or complains: \(killed.errors)"] }
    let before = script.operations.count
    try script.read(killed.lines, life: lives)
    report.kills += 1
    report.operations += script.operations.count - before
    report.savedAfter += script.takeSavedAfter()
    if !killed.lines.contains(VictimLine.opened.text) { report.diedOpening += 1 }
    // Where there is no file yet, nothing was performed.
    guard FileManager.default.fileExists(atPath: store + "/store.sqlite") else { return [] }
    let found = try look(store)
    let verdict = script.judge(found, life: lives)
    report.add(verdict, killedAt: killed.atNanoseconds)
    return verdict.problems
  }

  /// While it opens, right after it, or in the middle of its work.
  private mutating func lineOfDeath() -> Int {
    switch random.below(10) {
    case 0: 1
    case 1: 2 + Int(random.below(5))
    default: 2 + Int(random.below(500))
    }
  }

  /// Half of the time in a copy, so that the next life finds what this death left, and not what a reader tidied up.
  private mutating func look(_ store: String) throws -> FoundStore {
    guard random.chance(50) else { return try FoundStore(store, log: store + "/server.log") }
    let copy = try TemporaryFolder()
    for name in ["store.sqlite", "store.sqlite-wal"] where folder.exists("store/\(name)") {
      try FileManager.default.copyItem(at: folder.url("store/\(name)"), to: copy.url(name))
    }
    return try FoundStore(copy.url.path, log: store + "/server.log")
  }
}
