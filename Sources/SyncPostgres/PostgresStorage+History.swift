// Begins another history by hand: after a restore that PostgreSQL does not tell of.

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
      guard try transaction.rows(Statement.servers())[0].int(0) == 0 else {
        throw StorageError(.busy, "A modelserver uses this PostgreSQL database; stop all of them first.")
      }
      let since = try since ?? transaction.presumedLoss()
      transaction.begin(history, since: since)
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
}
