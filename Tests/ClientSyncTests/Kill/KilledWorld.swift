// Servers and two clients as processes, which are killed again and again, and so is what is behind the servers.

import Foundation
import TestSupport

/// Starts the processes, kills them, and keeps the numbers of operations that clients reported as safe.
final class KilledWorld {
  enum Victim: Hashable {
    case server, anna, ben
    /// All connections of the servers to PostgreSQL.
    case connections
    /// The primary of PostgreSQL, behind which a standby takes over.
    case primary
  }

  private let folder: TemporaryFolder
  private let database: any KilledDatabase
  private let server: Program
  private let client: Program
  /// The servers, and the port of each.
  private var servers: [TalkingProgram?] = []
  private var ports: [String] = []
  private var clients: [Victim: TalkingProgram] = [:]
  private var lives: Int64 = 0
  /// Operations that clients have reported: saved on their disks, acknowledged by a server, and confirmed by a delta.
  private(set) var saved: Set<Int64> = []
  private(set) var acknowledged: Set<Int64> = []
  private(set) var confirmed: Set<Int64> = []
  /// Mistakes in the database, found right after something was killed.
  private(set) var damage: [String] = []
  private(set) var errors: [String] = []
  /// How many operations were acknowledged after a standby was cut off that then took over.
  private(set) var missing = 0

  init(in folder: TemporaryFolder, _ database: any KilledDatabase) throws {
    (self.folder, self.database) = (folder, database)
    server = try Program.built("modelserver")
    client = try Program.built("SyncVictim")
    _ = try server.run(["new-secret", "secret"], in: folder.url)
    for user in ["anna", "ben"] {
      let token = try server.run(["token", "--secret-file", "secret", "--user", user], in: folder.url)
      try folder.write("\(user).token", token.output)
    }
    for index in 0..<database.servers {
      servers.append(nil)
      ports.append("0")
      // Twice: a server that begins again by itself needs the port that it had.
      try startServer(index)
      servers[index]?.signal(SIGTERM)
      _ = servers[index]?.wait()
      try startServer(index)
    }
    _ = try speak(.anna, "begin")
  }

  private func startServer(_ index: Int) throws {
    let program = try server.talk(
      ["serve", "--create", "--secret-file", "secret", "--port", ports[index]] + database.options, in: folder.url)
    while let line = program.line() {
      guard let start = line.range(of: "http://") else { continue }
      ports[index] = line[start.lowerBound...].components(separatedBy: ":").last ?? "0"
      servers[index] = program
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

  /// Starts a client, at another server than its last time.
  private func talk(_ who: Victim, _ task: String) throws -> TalkingProgram {
    let (user, other) = who == .anna ? ("anna", "ben") : ("ben", "anna")
    let port = ports[Int(lives) % ports.count]
    return try client.talk(
      ["\(user)-store", "http://127.0.0.1:\(port)", "\(user).token", user, other, task], in: folder.url)
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

  /// Reads `count` lines of each client, then kills, and starts again what was killed. Where operations are to be lost, it
  /// reads until one of them is acknowledged.
  func kill(_ victim: Victim, afterLines count: Int) throws {
    let kept = try database.prepare(victim).map { $0.union(acknowledged) }
    for who in [Victim.anna, .ben] {
      for _ in 0..<count { try hear(who) }
    }
    if let kept {
      while errors.isEmpty, acknowledged.isSubset(of: kept) { try hear(.anna) }
      missing += acknowledged.subtracting(kept).count
    }
    switch victim {
    case .server:
      let index = count % servers.count
      servers[index]?.signal(SIGKILL)
      _ = servers[index]?.wait()
      try look()
      try startServer(index)
    case .anna, .ben:
      guard let program = clients.removeValue(forKey: victim) else { return }
      program.signal(SIGKILL)
      while let line = program.line() { note(line) }
      _ = program.wait()
    case .connections, .primary:
      try database.kill(victim)
      try look()
    }
    try startClients()
  }

  /// Checks the database: all operations that clients know to be acknowledged must be in it, and none twice.
  private func look() throws {
    for program in clients.values {
      while let line = program.lineAtHand() { note(line) }
    }
    let tallies = try database.tallies()
    damage += tallies.problems
    let lost = acknowledged.union(confirmed).subtracting(tallies.all)
    if !database.mayHaveLost, !lost.isEmpty {
      damage.append("the server said it had done \(lost.sorted()), and has not")
    }
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

  /// Lets a client sync to the end. The server that it asks may still be about to begin again.
  private func conclude(_ who: Victim) throws -> [String] {
    var lines: [String] = []
    for _ in 1...300 where lines.last != "ended" { lines = try speak(who, "end") }
    return lines
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
    _ = try conclude(.anna)
    let seen = [try conclude(.ben), try conclude(.anna)]
    for program in servers {
      program?.signal(SIGTERM)
      _ = program?.wait()
    }
    return seen
  }
}
