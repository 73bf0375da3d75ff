// One store through many lives of a process. Each life ends by SIGKILL, after a line of output that a seed decides.

import Foundation
import ModelSupport
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

  /// The command that repeats the kills, as far as two processes run alike.
  var again: String { "Scripts/kill-store --kills \(lives) --seed \(seed)" }

  /// Starts the process, kills it, and returns the problems of the store that is left.
  mutating func live(_ report: inout KillReport) throws -> [String] {
    lives += 1
    let store = folder.url("store").path
    let arguments = [store, "\(random.next())", "\(lives * 1_000_000)"]
    let killed = try victim.kill(arguments, in: folder.url, afterLines: lineOfDeath())
    // A sanitizer would print its findings as errors.
    guard killed.wasKilled, killed.errors.isEmpty else { return ["it ended by itself, or complains: \(killed.errors)"] }
    let before = script.operations.count
    try script.read(killed.lines, life: lives)
    report.kills += 1
    report.operations += script.operations.count - before
    report.savedAfter += script.takeSavedAfter()
    if !killed.lines.contains(VictimLine.opened.text) { report.diedOpening += 1 }
    // If there is no database yet, nothing was performed.
    guard FileManager.default.fileExists(atPath: store + "/store.sqlite") else { return [] }
    let found = try look(store)
    let verdict = script.judge(found, life: lives)
    report.add(verdict, killedAt: killed.atNanoseconds)
    return verdict.problems
  }

  /// The number of the line after which the process is killed: while it opens the store, right after that, or in the
  /// middle of its work.
  private mutating func lineOfDeath() -> Int {
    switch random.below(10) {
    case 0: 1
    case 1: 2 + Int(random.below(5))
    default: 2 + Int(random.below(500))
    }
  }

  /// Opens the store, half of the time in a copy. With a copy the next life finds the files as the kill left them, and
  /// not as this opening has recovered them.
  private mutating func look(_ store: String) throws -> FoundStore {
    guard random.chance(50) else { return try FoundStore(store, log: store + "/server.log") }
    let copy = try TemporaryFolder()
    for name in ["store.sqlite", "store.sqlite-wal"] where folder.exists("store/\(name)") {
      try FileManager.default.copyItem(at: folder.url("store/\(name)"), to: copy.url(name))
    }
    return try FoundStore(copy.url.path, log: store + "/server.log")
  }
}
