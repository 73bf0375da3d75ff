// Opens a database: makes its tables, and begins another history where PostgreSQL has begun another timeline.

import Determinism
import SyncServer
import WireFormat

/// What a server learns of its database when it opens it.
struct OpenedDatabase {
  var identity: ServerID
  var history: HistoryTable
  /// Set where this has begun a history: what was acknowledged since then may be lost.
  var lostSince: Timestamp?
}

enum DatabaseOpening {
  /// Checks that the database is modelserver's, and of this version. Makes the tables in an empty one if `creates`.
  /// Servers that start at the same time do this one after the other.
  static func open(_ sessions: PostgresSessions, creates: Bool) throws -> OpenedDatabase {
    let (identity, history): (ServerID, HistoryID) = (
      RuntimeEnvironment.current.randomID(), RuntimeEnvironment.current.randomID()
    )
    return try sessions.run(.writing(to: .zero)) { transaction in
      guard let timeline = sessions.timeline else { preconditionFailure("a transaction has a connection") }
      let tables = try transaction.rows([Statement.lock(), Statement.tables()])[1].map { try $0.text(0) }
      if !tables.contains("server") {
        try mayMakeTables(tables, creates)
        for statement in PostgresTables.statements { transaction.execute(statement()) }
        transaction.execute(Statement.newServer(.int(PostgresTables.version), .id(identity)))
        transaction.execute(Statement.timeline(.int(timeline.cluster), .int(timeline.number)))
        transaction.begin(history, since: .zero)
      }
      try check(version: try transaction.rows(Statement.version())[0].int(0))
      let row = try transaction.rows(Statement.server(.int(timeline.cluster), .int(timeline.number)))[0]
      var lostSince: Timestamp?
      if try !row.bool(1) {
        let since = try transaction.presumedLoss()
        transaction.begin(history, since: since)
        lostSince = since
        transaction.execute(Statement.timeline(.int(timeline.cluster), .int(timeline.number)))
      }
      let entries = try transaction.rows(Statement.histories()).map { row in
        HistoryTable.Entry(id: try row.id(0), since: try row.time(1))
      }
      guard !entries.isEmpty else { throw StorageError(.damaged, "The server's database has no history.") }
      return OpenedDatabase(identity: try row.id(0), history: HistoryTable(entries: entries), lostSince: lostSince)
    }
  }

  /// Throws if the database is not modelserver's, or of another version.
  static func check(_ transaction: PostgresTransaction) throws {
    guard try transaction.rows(Statement.tables()).contains(where: { try $0.text(0) == "server" }) else {
      throw StorageError(.foreign, "This PostgreSQL database is not modelserver's.")
    }
    try check(version: try transaction.rows(Statement.version())[0].int(0))
  }

  private static func mayMakeTables(_ tables: [String], _ creates: Bool) throws {
    guard tables.isEmpty else {
      throw StorageError(.foreign, "This PostgreSQL database has tables, but not modelserver's; use one of its own.")
    }
    guard creates else {
      throw StorageError(.foreign, "This PostgreSQL database is empty; modelserver makes its tables with --create.")
    }
  }

  private static func check(version: Int64) throws {
    guard version != PostgresTables.version else { return }
    throw StorageError(
      version > PostgresTables.version ? .newerVersion : .olderVersion,
      "The PostgreSQL database has version \(version); this modelserver reads version \(PostgresTables.version).")
  }
}

extension PostgresTransaction {
  /// Begins another history. Clients send again what was acknowledged `since` that time.
  func begin(_ history: HistoryID, since: Timestamp) { execute(Statement.newHistory(.id(history), .time(since))) }

  /// The time since which this database may lack what was acknowledged, where nobody knows better.
  func presumedLoss() throws -> Timestamp {
    let row = try rows(Statement.newest())[0]
    return HistoryTable.presumedLoss(newestOutcome: try row.int(0), noted: try row.int(1))
  }
}

private enum Statement {
  /// Any number, the same for all servers.
  static let lock = PostgresStatement(.everywhere, "SELECT pg_advisory_xact_lock(7811887324120181106)")
  static let tables = PostgresStatement(
    .everywhere,
    "SELECT table_name::text FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY table_name")
  static let newServer = PostgresStatement(.everywhere, "INSERT INTO server VALUES (true, $1, $2, 0, 0, 0)")
  static let version = PostgresStatement(.everywhere, "SELECT version FROM server")
  static let server = PostgresStatement(
    .everywhere, "SELECT id, (cluster, timeline) = ($1::bigint, $2::bigint) FROM server")
  static let timeline = PostgresStatement(.everywhere, "UPDATE server SET cluster = $1, timeline = $2")
  static let histories = PostgresStatement(.everywhere, "SELECT id, since FROM history ORDER BY number")
  static let newHistory = PostgresStatement(
    .everywhere, "INSERT INTO history SELECT coalesce(max(number), 0) + 1, $1, $2 FROM history")
  /// Of the outcomes that were stored last, since there may be many millions.
  static let newest = PostgresStatement(
    .allQueues(because: "a history begins, which is seldom"),
    """
    SELECT (SELECT coalesce(max(time), 0) FROM (SELECT time FROM outcome ORDER BY number DESC LIMIT 10000) AS last),
      newest_time FROM server
    """)
}
