// How much the database takes, and who has which version: for metrics and operators.

package import SyncServer
import WireFormat

extension PostgresStorage {
  /// How much the database takes now. Adds the stored sums up.
  package func totals() async throws -> UsageTotals {
    try await readers.run { try sessions.run(.reading) { try $0.totals() } }
  }

  /// How many users were seen with which version on a day, counted from 1970.
  package func versionCounts(of day: Int64) async throws -> [VersionCount] {
    try await readers.run { try sessions.run(.reading) { try $0.versionCounts(since: day, on: day) } }
  }

  /// The `limit` largest queues and users, by the bytes of their objects and files, of a database that is served.
  package static func usage(_ address: String, limit: Int) throws -> UsageReport {
    try beside(address) { transaction in
      UsageReport(
        queues: try transaction.rows(Statement.largestQueues(.limit(limit))).map(UsageReport.Line.init),
        users: try transaction.rows(Statement.largestUsers(.limit(limit))).map(UsageReport.Line.init),
        totals: try transaction.totals())
    }
  }

  /// Today, such as `2026-11-28`, the same as a day since 1970, and the users of each version, of a database that is
  /// served.
  package static func versionCounts(_ address: String) throws -> (today: String, day: Int64, counts: [VersionCount]) {
    try beside(address) { transaction in
      let now = try transaction.rows(Statement.today())[0]
      let day = try now.int(1)
      return (try now.text(0), day, try transaction.versionCounts(since: 0, on: day))
    }
  }

  /// Reads queues of a database that servers may use.
  package static func look<Result>(at address: String, _ body: (any QueueSnapshot) throws -> Result) throws -> Result {
    try beside(address) { try body($0) }
  }

  /// Reads a database that servers may use, and changes nothing.
  private static func beside<Result>(
    _ address: String, _ body: (PostgresTransaction) throws -> Result
  ) throws -> Result {
    let sessions = PostgresSessions(ConnectionPool(address))
    defer { sessions.close() }
    return try sessions.run(.reading) { transaction in
      try DatabaseOpening.check(transaction)
      return try body(transaction)
    }
  }
}

extension PostgresTransaction {
  fileprivate func totals() throws -> UsageTotals {
    let results = try rows([Statement.usage(), Statement.parts()])
    var totals = UsageTotals()
    totals.objects = StoredUsage(rows: try results[0][0].int(0), bytes: try results[0][0].int(1))
    totals.fileBytes = try results[0][0].int(2)
    totals.unfinishedBytes = try results[1][0].int(0)
    return totals
  }

  fileprivate func versionCounts(since first: Int64, on today: Int64) throws -> [VersionCount] {
    try rows(Statement.versions(.int(today), .int(first))).map { row in
      VersionCount(
        schema: try row.text(0), version: try row.text(1), lastSeen: try row.text(2), daysAgo: Int(try row.int(3)),
        today: Int(try row.int(4)), week: Int(try row.int(5)), month: Int(try row.int(6)), year: Int(try row.int(7)))
    }.sorted()
  }
}

extension UsageReport.Line {
  fileprivate init(_ row: PostgresRow) throws {
    self.init(
      id: try row.id(0), usage: StoredUsage(rows: try row.int(1), bytes: try row.int(2)), fileBytes: try row.int(3),
      unfinishedBytes: try row.int(4))
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
  static let largestQueues = PostgresStatement(
    .allQueues(because: "an operator asks"),
    """
    SELECT queue, rows, bytes, file_bytes,
      (SELECT coalesce(sum(bytes), 0)::bigint FROM part WHERE part.queue = queue_usage.queue)
    FROM queue_usage ORDER BY bytes + file_bytes DESC, rows DESC LIMIT $1
    """)
  static let largestUsers = PostgresStatement(
    .allQueues(because: "an operator asks"),
    """
    SELECT account, sum(rows)::bigint, sum(bytes)::bigint, sum(file_bytes)::bigint,
      (SELECT coalesce(sum(bytes), 0)::bigint FROM part WHERE brought_by = account)
    FROM usage GROUP BY account ORDER BY sum(bytes) + sum(file_bytes) DESC, sum(rows) DESC LIMIT $1
    """)
  static let today = PostgresStatement(
    .nothing, "SELECT (now() AT TIME ZONE 'UTC')::date::text, floor(extract(epoch FROM now()) / 86400)::bigint")
  static let versions = PostgresStatement(
    .allQueues(because: "an operator asks"),
    """
    SELECT schema, version, (date '1970-01-01' + max(day)::int)::text, $1 - max(day), count(*) FILTER (WHERE day >= $1),
      count(*) FILTER (WHERE day > $1 - 7), count(*) FILTER (WHERE day > $1 - 30), count(*)
    FROM seen WHERE day >= $2 GROUP BY schema, version
    """)
}
