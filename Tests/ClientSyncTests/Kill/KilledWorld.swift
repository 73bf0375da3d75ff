// A server and two clients as processes, each of which is killed again and again.

import Foundation
import TestSupport

/// Starts the processes, kills them, and keeps the numbers of operations that clients reported as safe.
final class KilledWorld {
  enum Victim: CaseIterable { case server, anna, ben }

  private let folder: TemporaryFolder
  private let server: Program
  private let client: Program
  private var port = "0"
  private var url = ""
  private var runningServer: TalkingProgram?
  private var clients: [Victim: TalkingProgram] = [:]
  private var lives: Int64 = 0
  /// Operations that clients have reported: saved on their disks, acknowledged by the server, and confirmed by a delta.
  private(set) var saved: Set<Int64> = []
  private(set) var acknowledged: Set<Int64> = []
  private(set) var confirmed: Set<Int64> = []
  /// Mistakes in the database of a server, found right after it was killed.
  private(set) var damage: [String] = []
  private(set) var errors: [String] = []

  init() throws {
    folder = try TemporaryFolder()
    server = try Program.built("modelserver")
    client = try Program.built("SyncVictim")
    _ = try server.run(["new-secret", "secret"], in: folder.url)
    for user in ["anna", "ben"] {
      let token = try server.run(["token", "--secret-file", "secret", "--user", user], in: folder.url)
      try folder.write("\(user).token", token.output)
    }
    try startServer()
    _ = try speak(.anna, "begin")
  }

  private func startServer() throws {
    let program = try server.talk(
      ["serve", "--create", "--database", "team.sqlite", "--secret-file", "secret", "--port", port], in: folder.url)
    while let line = program.line() {
      guard let start = line.range(of: "http://") else { continue }
      url = String(line[start.lowerBound...])
      port = url.components(separatedBy: ":").last ?? "0"
      runningServer = program
      return
    }
    throw Silence(text: try program.errors())
  }

  /// Runs a client to its end, and returns its output.
  private func speak(_ who: Victim, _ task: String) throws -> [String] {
    let program = try talk(who, task)
    var lines: [String] = []
    while let line = program.line() { lines.append(line) }
    _ = program.wait()
    return lines
  }

  private func talk(_ who: Victim, _ task: String) throws -> TalkingProgram {
    let (user, other) = who == .anna ? ("anna", "ben") : ("ben", "anna")
    return try client.talk(["\(user)-store", url, "\(user).token", user, other, task], in: folder.url)
  }

  struct Silence: Error {
    var text: String
  }
}

extension KilledWorld {
  /// Starts the clients that are not running. Each start has new numbers of operations.
  func startClients() throws {
    for who in [Victim.anna, .ben] where clients[who] == nil {
      lives += 1
      clients[who] = try talk(who, "\(lives * 1_000_000)")
    }
  }

  /// Reads `count` lines of each client, then kills one of the three processes and starts it again.
  func kill(_ victim: Victim, afterLines count: Int) throws {
    for who in [Victim.anna, .ben] {
      for _ in 0..<count { try hear(who) }
    }
    if victim == .server {
      runningServer?.signal(SIGKILL)
      _ = runningServer?.wait()
      for program in clients.values {
        while let line = program.lineAtHand() { note(line) }
      }
      try look()
      try startServer()
    } else if let program = clients.removeValue(forKey: victim) {
      program.signal(SIGKILL)
      while let line = program.line() { note(line) }
      _ = program.wait()
    }
    try startClients()
  }

  /// Checks the database of the killed server before it starts again. All acknowledged operations must be in it.
  private func look() throws {
    let tallies = try Tallies(database: folder.url("team.sqlite"))
    damage += tallies.problems
    let lost = acknowledged.union(confirmed).subtracting(tallies.all)
    if !lost.isEmpty { damage.append("the server said it had done \(lost.sorted()), and has not") }
  }

  private func hear(_ who: Victim) throws {
    guard let program = clients[who] else { return }
    guard let line = program.line() else {
      errors.append("\(who) has ended by itself: \(try program.errors())")
      clients[who] = nil
      return
    }
    note(line)
  }

  private func note(_ line: String) {
    let words = line.split(separator: " ")
    guard words.count == 2, let number = Int64(words[1]) else { return }
    // The last line of a killed process may be cut off.
    switch words[0] {
    case "saved": saved.insert(number)
    case "acknowledged": acknowledged.insert(number)
    case "confirmed": confirmed.insert(number)
    default: break
    }
  }

  /// Kills the clients, runs each to its end without a kill, and returns what both see then.
  func end() throws -> [[String]] {
    for program in clients.values {
      program.signal(SIGKILL)
      while let line = program.line() { note(line) }
      _ = program.wait()
    }
    clients = [:]
    // Anna's client runs twice, so that each client fetches what the other has sent last.
    _ = try speak(.anna, "end")
    let seen = [try speak(.ben, "end"), try speak(.anna, "end")]
    runningServer?.signal(SIGTERM)
    _ = runningServer?.wait()
    return seen
  }
}
