// Writes and counts who was seen with which version of a schema.

import GRDB
import SyncProtocol
import WireFormat

extension SQLiteTransaction {
  /// The most versions of one account; older ones are forgotten.
  private static let mostVersions = 50

  func put(_ seen: SeenVersion, on day: Int64) throws {
    try execute(
      """
      INSERT INTO seen (account, schema, version, day) VALUES (?, ?, ?, ?)
      ON CONFLICT (account, schema, version) DO UPDATE SET day = max(day, excluded.day)
      """, [seen.user.stored, seen.schema, seen.version, day])
    try execute(
      """
      DELETE FROM seen WHERE account = ?1 AND (schema, version) IN (
        SELECT schema, version FROM seen WHERE account = ?1 ORDER BY day DESC, schema, version LIMIT -1 OFFSET ?2)
      """, [seen.user.stored, Self.mostVersions])
  }

  func removeSeenVersions(before day: Int64) throws { try execute("DELETE FROM seen WHERE day < ?", [day]) }

  /// Counts the users that were seen on `first` or later. Days count from 1970.
  func versionCounts(since first: Int64, on today: Int64) throws -> [VersionCount] {
    try rows(
      """
      SELECT schema, version, date(max(day) * 86400, 'unixepoch'), ?1 - max(day), sum(day >= ?1), sum(day > ?1 - 7), sum(day > ?1 - 30), count(*)
      FROM seen WHERE day >= ?2 GROUP BY schema, version
      """, [today, first]
    ).map { row in
      func count(_ index: Int) throws -> Int { try row.decode(Int.self, atIndex: index) }
      return VersionCount(
        schema: try row.decode(String.self, atIndex: 0), version: try row.decode(String.self, atIndex: 1),
        lastSeen: try row.decode(String.self, atIndex: 2), daysAgo: try count(3), today: try count(4),
        week: try count(5), month: try count(6), year: try count(7))
    }.sorted()
  }
}

/// How many users were seen with a version of a schema.
package struct VersionCount: Hashable, Sendable {
  package var schema: String
  /// Empty for apps that name none.
  package var version: String
  /// The last day on which anybody was seen with it, such as `2026-11-28`.
  package var lastSeen: String
  package var daysAgo: Int
  /// Users seen today; and in the last 7, 30 and 365 days, today among them.
  package var today: Int
  package var week: Int
  package var month: Int
  package var year: Int

  package init(
    schema: String, version: String, lastSeen: String, daysAgo: Int, today: Int, week: Int, month: Int, year: Int
  ) {
    (self.schema, self.version, self.lastSeen, self.daysAgo) = (schema, version, lastSeen, daysAgo)
    (self.today, self.week, self.month, self.year) = (today, week, month, year)
  }
}

extension VersionCount: Comparable {
  /// By schema, then the oldest version first.
  package static func < (left: Self, right: Self) -> Bool {
    if left.schema != right.schema { return left.schema < right.schema }
    let (first, second) = (SchemaVersion(left.version), SchemaVersion(right.version))
    if let first, let second, first != second { return first < second }
    return left.version < right.version
  }
}

extension SQLiteStorage {
  /// Today, such as `2026-11-28`, the same as a day since 1970, and the users of each version, of a database that a
  /// server may write to meanwhile.
  package static func versionCounts(_ path: String) throws -> (today: String, day: Int64, counts: [VersionCount]) {
    try beside(path) { database in
      let now = try Row.fetchOne(database, sql: "SELECT date('now'), CAST(strftime('%s', 'now') AS INTEGER) / 86400")
      guard let now else { preconditionFailure("a query without a table has a row") }
      let (today, day) = (try now.decode(String.self, atIndex: 0), try now.decode(Int64.self, atIndex: 1))
      // A server makes the table where it is missing, and none may have opened the database since.
      guard try database.tableExists("seen") else { return (today, day, []) }
      return (today, day, try SQLiteTransaction(database: database).versionCounts(since: 0, on: day))
    }
  }
}
