// How much the database takes, and who has which version: for metrics and operators.

package import SyncServer
import WireFormat

extension PostgresStorage {
  /// How much the database takes now. Adds the stored sums up.
  package func totals() async throws -> UsageTotals {
    try await readers.run {
      try sessions.run(.reading) { transaction in
        let results = try transaction.rows([Statement.usage(), Statement.parts()])
        var totals = UsageTotals()
        totals.objects = StoredUsage(rows: try results[0][0].int(0), bytes: try results[0][0].int(1))
        totals.fileBytes = try results[0][0].int(2)
        totals.unfinishedBytes = try results[1][0].int(0)
        return totals
      }
    }
  }

  /// How many users were seen with which version on a day, counted from 1970.
  package func versionCounts(of day: Int64) async throws -> [VersionCount] {
    try await readers.run {
      try sessions.run(.reading) { transaction in
        try transaction.rows(Statement.versions(.int(day))).map { row in
          VersionCount(
            schema: try row.text(0), version: try row.text(1), lastSeen: try row.text(2), daysAgo: Int(try row.int(3)),
            today: Int(try row.int(4)), week: Int(try row.int(5)), month: Int(try row.int(6)),
            year: Int(try row.int(7)))
        }.sorted()
      }
    }
  }
}

private enum Statement {
  static let usage = PostgresStatement(
    .allQueues(because: "an operator asks"),
    """
    SELECT coalesce(sum(rows), 0)::bigint, coalesce(sum(bytes), 0)::bigint, coalesce(sum(file_bytes), 0)::bigint
    FROM queue_usage
    """)
  static let parts = PostgresStatement(
    .allQueues(because: "an operator asks"), "SELECT coalesce(sum(bytes), 0)::bigint FROM part")
  static let versions = PostgresStatement(
    .allQueues(because: "an operator asks"),
    """
    SELECT schema, version, (date '1970-01-01' + max(day)::int)::text, $1 - max(day), count(*) FILTER (WHERE day >= $1),
      count(*) FILTER (WHERE day > $1 - 7), count(*) FILTER (WHERE day > $1 - 30), count(*)
    FROM seen WHERE day >= $1 GROUP BY schema, version
    """)
}
