// Opens a database, and makes its tables.

import Determinism
import SyncServer
import WireFormat

enum DatabaseOpening {
  /// Checks that the database is modelserver's, and of this version. Makes the tables in an empty one if `creates`.
  /// Servers that start at the same time do this one after the other.
  static func open(_ sessions: PostgresSessions, creates: Bool) throws -> (ServerID, HistoryTable) {
    let tables = try sessions.run(.writing(to: .zero)) { transaction in
      _ = try transaction.rows(Statement.lock())
      return try transaction.rows(Statement.tables()).map { try $0.text(0) }
    }
    if !tables.contains("server") {
      guard tables.isEmpty else {
        throw StorageError(.foreign, "This PostgreSQL database has tables, but not modelserver's; use one of its own.")
      }
      guard creates else {
        throw StorageError(
          .foreign, "This PostgreSQL database is empty; modelserver makes its tables with --create.")
      }
      try createTables(sessions)
    }
    return try sessions.run(.reading) { transaction in
      let row = try transaction.rows(Statement.server())[0]
      try check(version: try row.int(0))
      let entries = try transaction.rows(Statement.history()).map { row in
        HistoryTable.Entry(id: try row.id(0), since: try row.time(1))
      }
      guard !entries.isEmpty else { throw StorageError(.damaged, "The server's database has no history.") }
      return (try row.id(1), HistoryTable(entries: entries))
    }
  }

  private static func createTables(_ sessions: PostgresSessions) throws {
    let environment = RuntimeEnvironment.current
    let (identity, history): (ServerID, HistoryID) = (environment.randomID(), environment.randomID())
    try sessions.run(.writing(to: .zero)) { transaction in
      _ = try transaction.rows(Statement.lock())
      // Another server may have made them meanwhile.
      guard try transaction.rows(Statement.tables()).isEmpty else { return }
      for statement in PostgresTables.statements { transaction.execute(statement()) }
      transaction.execute(Statement.newServer(.int(PostgresTables.version), .id(identity)))
      transaction.execute(Statement.newHistory(.id(history)))
    }
  }

  private static func check(version: Int64) throws {
    guard version != PostgresTables.version else { return }
    throw StorageError(
      version > PostgresTables.version ? .newerVersion : .olderVersion,
      "The PostgreSQL database has version \(version); this modelserver reads version \(PostgresTables.version).")
  }
}

private enum Statement {
  /// Any number, the same for all servers.
  static let lock = PostgresStatement(.everywhere, "SELECT pg_advisory_xact_lock(7811887324120181106)")
  static let tables = PostgresStatement(
    .everywhere,
    "SELECT table_name::text FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY table_name")
  static let server = PostgresStatement(.everywhere, "SELECT version, id FROM server")
  static let history = PostgresStatement(.everywhere, "SELECT id, since FROM history ORDER BY number")
  static let newServer = PostgresStatement(.everywhere, "INSERT INTO server VALUES (true, $1, $2, 0)")
  static let newHistory = PostgresStatement(.everywhere, "INSERT INTO history VALUES (1, $1, 0)")
}
