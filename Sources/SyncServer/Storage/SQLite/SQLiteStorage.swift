// The storage of queues in one SQLite file.

import Determinism
import Foundation
import GRDB
package import WireFormat

/// One file with one writer. Readers beside it see the last commit. A commit survives a power cut. Calls run on the
/// caller's thread, so the order of calls is the order of transactions.
package final class SQLiteStorage: QueueStorage {
  /// The most readers at a time. Further ones wait.
  private static let readers = 16

  private let path: String
  private let damage = DamageNote()
  private let pool: DatabasePool
  /// The id of the database, made with it. Copies have the same.
  package let identity: ServerID
  /// The histories that the database had when it was opened. Copies have the same.
  package let history: HistoryTable

  /// Opens the database at a path, or creates it if there is none. Throws a `StorageError`.
  package init(path: String) throws {
    try DatabaseFile.check(path)
    self.path = path
    (pool, identity, history) = try StorageError.translating(path) {
      var configuration = Configuration()
      configuration.busyMode = .timeout(5)
      configuration.maximumReaderCount = Self.readers
      let pool = try DatabasePool(path: path, configuration: configuration)
      // With WAL, GRDB sets NORMAL, which loses commits in a power cut.
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      let (identity, history) = try pool.write { database in
        try Self.createTables(database, path)
        return (try Self.identity(database), try Self.history(database))
      }
      // Empties the log. If a sync failed in an earlier process, the log may have a hole. It would show only after a
      // power cut, and SQLite would not read beyond it. If a backup reads just now, the log stays as it is; that is no
      // error.
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
      return (pool, identity, history)
    }
  }

  /// Whether damage was found since the database was opened. Undamaged data is served all the same.
  package var isDamaged: Bool { damage.isMade }

  /// Translates an error into one with a message for operators, and notes damage.
  func translated(_ error: any Error) -> any Error {
    let translated = StorageError.translated(error, path)
    damage.remember(translated)
    return translated
  }

  private func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw translated(error) }
  }

  private static func createTables(_ database: Database, _ path: String) throws {
    let isEmpty = try Int64.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
    if isEmpty {
      try database.execute(sql: SQLiteTables.statements)
      try database.execute(sql: "PRAGMA application_id = \(SQLiteTables.applicationID)")
    }
    guard try Int64.fetchOne(database, sql: "PRAGMA application_id") == SQLiteTables.applicationID else {
      throw StorageError(.foreign, "\(path) is a SQLite database, but not modelserver's.")
    }
    if !isEmpty { try check(version: Int64.fetchOne(database, sql: "PRAGMA user_version") ?? 0, path) }
    // Written at each opening, so that its sync includes what GRDB wrote before under NORMAL.
    try database.execute(sql: "PRAGMA user_version = \(SQLiteTables.version)")
  }

  private static func check(version: Int64, _ path: String) throws {
    guard version <= SQLiteTables.version else {
      throw StorageError(
        .newerVersion, "\(path) has version \(version); this modelserver reads version \(SQLiteTables.version).")
    }
    guard version == SQLiteTables.version else {
      throw StorageError(
        .olderVersion,
        "\(path) has version \(version), which was never released; this modelserver reads version "
          + "\(SQLiteTables.version). Begin a new database with --create.")
    }
  }

  /// The id of the database. A new database gets one, and its first history.
  private static func identity(_ database: Database) throws -> ServerID {
    if let known = try Row.fetchOne(database, sql: "SELECT id FROM identity") { return try known.id(0) }
    let environment = RuntimeEnvironment.current
    let identity: ServerID = environment.randomID()
    try database.execute(sql: "INSERT INTO identity (id) VALUES (?)", arguments: [identity.stored])
    try begin(environment.randomID(), since: .zero, database)
    return identity
  }

  private static func history(_ database: Database) throws -> HistoryTable {
    let rows = try Row.fetchAll(database, sql: "SELECT id, since FROM history ORDER BY number")
    guard !rows.isEmpty else { throw StorageError(.damaged, "The server's database has no history.") }
    return HistoryTable(entries: try rows.map { HistoryTable.Entry(id: try $0.id(0), since: try $0.time(1)) })
  }

  private static func begin(_ history: HistoryID, since: Timestamp, _ database: Database) throws {
    try database.execute(
      sql: "INSERT INTO history (id, since) VALUES (?, ?)", arguments: [history.stored, since.millisecondsSince1970])
  }

  func readNow<Result>(_ body: (Database) throws -> Result) throws -> Result { try translating { try pool.read(body) } }

  func writeNow<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try translating { try pool.write(body) }
  }

  package func totals() throws -> UsageTotals {
    try translating { try pool.read { try SQLiteTransaction(database: $0).totals() } }
  }

  func versionCounts(since first: Int64, on today: Int64) throws -> [VersionCount] {
    try translating { try pool.read { try SQLiteTransaction(database: $0).versionCounts(since: first, on: today) } }
  }

  package func read<Result: Sendable>(
    _ body: @Sendable (any QueueSnapshot) throws -> Result
  ) throws -> Result {
    try translating { try pool.read { try body(SQLiteTransaction(database: $0)) } }
  }

  package func write<Result: Sendable>(
    to _: QueueID, _ body: @Sendable (any QueueTransaction) throws -> Result
  ) throws -> Result {
    // The one writer holds the lock of every queue.
    try translating { try pool.write { try body(SQLiteTransaction(database: $0)) } }
  }

  /// Runs the transactions that `next` returns as one, until it returns nil. An error that one of them throws undoes
  /// that one only, and is not thrown here. An error that is thrown here has undone all of them.
  func writeTogether(_ next: () -> ((any QueueTransaction) throws -> Void)?) throws {
    try translating {
      try pool.writeWithoutTransaction { database in
        try database.inTransaction(.immediate) {
          while let transaction = next() { try Self.write(transaction, database) }
          return .commit
        }
      }
    }
  }

  private static func write(_ transaction: (any QueueTransaction) throws -> Void, _ database: Database) throws {
    do {
      try database.inSavepoint {
        try transaction(SQLiteTransaction(database: database))
        return .commit
      }
    } catch {
      // If the disk is full or fails, SQLite may undo everything, not only this transaction.
      guard database.isInsideTransaction else { throw error }
    }
  }

  /// Begins another history: after a restore, before anybody is served. Clients send again what was acknowledged
  /// `since` that time; nil stands for ten minutes before the newest outcome. Returns the time. `history` does not
  /// change here, so the database must be opened again.
  @discardableResult
  package func changeHistory(since: Timestamp? = nil, to history: HistoryID) throws -> Timestamp {
    try translating {
      try pool.write { database in
        let since = try since ?? Self.presumedLoss(database)
        try Self.begin(history, since: since, database)
        return since
      }
    }
  }

  private static func presumedLoss(_ database: Database) throws -> Timestamp {
    let newest = try Int64.fetchOne(database, sql: "SELECT max(time) FROM outcome") ?? 0
    let noted = try SQLiteTransaction(database: database).newestTime().millisecondsSince1970
    return HistoryTable.presumedLoss(newestOutcome: newest, noted: noted)
  }

  /// Copies a database as it is at one moment, without a change to it. A server may write to it meanwhile.
  package static func copy(_ path: String, to target: String) throws {
    try DatabaseFile.check(path)
    try StorageError.translating(path) {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(5)
      let source = try DatabaseQueue(path: path, configuration: configuration)
      let copy = try StorageError.translating(target) { try DatabaseQueue(path: target) }
      try source.backup(to: copy)
      // Turns the log off, so that the copy is one file, also while it is read.
      try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
      try copy.close()
      try source.close()
    }
  }

  /// Moves everything from the log into the file, and closes the database. Nothing may be read or written after this.
  package func close() throws {
    try translating {
      // Needed because GRDB keeps the log when the last connection closes.
      try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      try pool.close()
    }
  }
}
