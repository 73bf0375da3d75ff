// Begins another history: after a restore or a failover, before anybody is served.

import SyncServer
package import WireFormat

extension PostgresStorage {
  /// Clients send again what was acknowledged `since` that time; nil stands for ten minutes before the newest outcome.
  /// Returns the time. Servers read histories when they start, so none may run: throws `busy` if one does.
  package static func changeHistory(
    of address: String, since: Timestamp? = nil, to history: HistoryID
  ) throws -> Timestamp {
    let sessions = PostgresSessions(ConnectionPool(address))
    defer { sessions.close() }
    _ = try DatabaseOpening.open(sessions, creates: false)
    return try sessions.run(.writing(to: .zero)) { transaction in
      let results = try transaction.rows([Statement.servers(), Statement.times()])
      guard try results[0][0].int(0) == 0 else {
        throw StorageError(.busy, "A modelserver uses this PostgreSQL database; stop all of them first.")
      }
      let (newest, noted) = (try results[1][0].int(0), try results[1][0].int(1))
      let since = since ?? HistoryTable.presumedLoss(newestOutcome: newest, noted: noted)
      transaction.execute(Statement.history(.id(history), .time(since)))
      return since
    }
  }
}

private enum Statement {
  static let servers = PostgresStatement(
    .everywhere,
    """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = current_setting('application_name')
      AND pid <> pg_backend_pid()
    """)
  static let times = PostgresStatement(
    .allQueues(because: "an operator changes the history"),
    "SELECT (SELECT coalesce(max(time), 0) FROM outcome), newest_time FROM server")
  static let history = PostgresStatement(
    .everywhere, "INSERT INTO history SELECT max(number) + 1, $1, $2 FROM history")
}
