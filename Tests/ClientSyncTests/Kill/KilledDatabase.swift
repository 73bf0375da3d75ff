// Where the servers that are killed keep their queues: a file, or PostgreSQL with its own ends.

import Foundation
import SyncPostgres
import SyncServer
import TestSupport

@testable import SyncVictim

/// The database of the killed servers.
protocol KilledDatabase: AnyObject {
  /// What `modelserver serve` needs to find it.
  var options: [String] { get }
  /// How many servers share it.
  var servers: Int { get }
  var victims: [KilledWorld.Victim] { get }
  /// Whether what was acknowledged may be missing until the devices have synced again.
  var mayHaveLost: Bool { get }
  /// What it has of the tallies now.
  func tallies() throws -> Tallies
  /// Called some time before `kill`. Returns all operations that it will have then, if later ones are to be lost.
  func prepare(_ victim: KilledWorld.Victim) throws -> Set<Int64>?
  /// Ends a part of the database.
  func kill(_ victim: KilledWorld.Victim) throws
}

/// A file of SQLite in a folder, which dies with its server.
final class KilledFile: KilledDatabase {
  private let folder: URL
  let options = ["--database", "team.sqlite"]
  let servers = 1
  let victims: [KilledWorld.Victim] = [.server, .anna, .ben]
  let mayHaveLost = false

  init(in folder: URL) { self.folder = folder }

  /// Of a copy, so that the server finds its log unchanged later.
  func tallies() throws -> Tallies {
    let database = folder.appending(path: "team.sqlite")
    let copy = try TemporaryFolder()
    for end in ["", "-wal"] where FileManager.default.fileExists(atPath: database.path + end) {
      try FileManager.default.copyItem(atPath: database.path + end, toPath: copy.url("copy.sqlite" + end).path)
    }
    let storage = try SQLiteStorage(path: copy.url("copy.sqlite").path)
    let tallies = try storage.read { try Tallies(snapshot: $0) }
    try storage.close()
    return tallies
  }

  func prepare(_ victim: KilledWorld.Victim) -> Set<Int64>? { nil }
  func kill(_ victim: KilledWorld.Victim) {}
}

/// A primary of PostgreSQL and two servers. With a standby, that takes over when the primary is killed, and the next
/// standby is made of it.
final class KilledPostgres: KilledDatabase {
  enum Standby: Hashable { case none, asynchronous, synchronous }
  /// The standby has what it was to lack.
  struct EqualStandby: Error {}

  private var primary: PostgresCluster
  private var next: PostgresCluster?
  private let standby: Standby
  let options: [String]
  let servers = 2
  let victims: [KilledWorld.Victim]
  private(set) var mayHaveLost = false

  /// Nil if PostgreSQL is not installed.
  init?(_ standby: Standby) throws {
    guard let cluster = try PostgresCluster.start() else { return nil }
    (primary, self.standby) = (cluster, standby)
    var address = cluster.address()
    // Before there is a standby, which copies it: that one is the primary later.
    if standby == .synchronous {
      try cluster.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
      try cluster.query("SELECT pg_reload_conf()")
    }
    if standby != .none {
      let next = try cluster.standby()
      self.next = next
      address = cluster.address(or: next)
    }
    options = ["--postgres", address, "--files", "files"]
    victims = standby == .none ? [.server, .connections, .anna, .ben] : [.primary]
  }

  func tallies() throws -> Tallies {
    let threads = WorkerThreads(1, atOnce: 1, name: "test", waiting: 1)
    let storage = try PostgresStorage(primary.address(), creates: false, readers: threads, writers: threads)
    defer { storage.close() }
    return try storage.readNow { try Tallies(snapshot: $0) }
  }

  func prepare(_ victim: KilledWorld.Victim) throws -> Set<Int64>? {
    guard victim == .primary, standby == .asynchronous else { return nil }
    try next?.cutOff()
    mayHaveLost = true
    return try tallies().all
  }

  func kill(_ victim: KilledWorld.Victim) throws {
    switch victim {
    case .connections:
      try primary.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'modelserver'")
    case .primary:
      guard let next else { return }
      if standby == .asynchronous, try !primary.isAhead(of: next) { throw EqualStandby() }
      try primary.kill()
      try next.promote()
      (primary, self.next) = (next, primary)
      // Away once more, while servers begin again.
      try primary.stop()
      try primary.begin()
      try self.next?.follow(primary)
    case .server, .anna, .ben: break
    }
  }
}
