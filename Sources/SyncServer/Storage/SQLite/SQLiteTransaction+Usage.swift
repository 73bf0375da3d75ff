// Keeps and reads the sums of how much queues and users take.

import Foundation
import GRDB
import SyncProtocol
package import WireFormat

extension SQLiteTransaction {
  func usage(of rows: String, _ key: Data) throws -> StoredUsage {
    guard let row = try row("SELECT rows, bytes FROM \(rows)", [key]) else { return StoredUsage() }
    return StoredUsage(rows: try row.decode(Int64.self, atIndex: 0), bytes: try row.decode(Int64.self, atIndex: 1))
  }

  /// Adds to the sums of a queue; there is no row for none.
  func add(_ more: StoredUsage, to queue: QueueID) throws {
    if more == StoredUsage() { return }
    try execute(
      """
      INSERT INTO queueUsage (queue, rows, bytes) VALUES (?, ?, ?)
      ON CONFLICT (queue) DO UPDATE SET rows = rows + excluded.rows, bytes = bytes + excluded.bytes
      """, [queue.stored, more.rows, more.bytes])
    if more.rows < 0 { try execute("DELETE FROM queueUsage WHERE queue = ? AND rows = 0", [queue.stored]) }
  }

  func add(_ more: StoredUsage, by user: UserID) throws {
    try execute(
      """
      INSERT INTO accountUsage (account, rows, bytes) VALUES (?, ?, ?)
      ON CONFLICT (account) DO UPDATE SET rows = rows + excluded.rows, bytes = bytes + excluded.bytes
      """, [user.stored, more.rows, more.bytes])
  }

  func queueCount(of user: UserID) throws -> QueueCount {
    let sql = """
      SELECT count(*) FILTER (WHERE addedBy = account), count(*) FILTER (WHERE addedBy <> account)
      FROM member INDEXED BY memberByAccount WHERE account = ?
      """
    guard let row = try row(sql, [user.stored]) else { return QueueCount() }
    return QueueCount(own: try row.decode(Int.self, atIndex: 0), others: try row.decode(Int.self, atIndex: 1))
  }
}

/// The largest queues and users of a database.
package struct UsageReport: Sendable {
  package struct Line: Sendable {
    /// Of a queue or a user.
    package var id: UUIDValue
    package var usage: StoredUsage
    /// With the room of unfinished uploads.
    package var fileBytes: Int64
    /// The room of unfinished uploads.
    package var unfinishedBytes: Int64

    package init(id: UUIDValue, usage: StoredUsage, fileBytes: Int64, unfinishedBytes: Int64) {
      (self.id, self.usage, self.fileBytes, self.unfinishedBytes) = (id, usage, fileBytes, unfinishedBytes)
    }
  }

  package var queues: [Line] = []
  package var users: [Line] = []
  package var totals = UsageTotals()

  package init(queues: [Line], users: [Line], totals: UsageTotals) {
    (self.queues, self.users, self.totals) = (queues, users, totals)
  }
}

/// How much a whole database takes.
package struct UsageTotals: Hashable, Sendable {
  /// Objects, deleted ones too, and the bytes of their contents.
  package var objects = StoredUsage()
  /// With the room of unfinished uploads.
  package var fileBytes: Int64 = 0
  /// The room of unfinished uploads.
  package var unfinishedBytes: Int64 = 0

  package init() {}
}

extension SQLiteTransaction {
  /// Adds the stored sums up: some 0.1 s for a million queues.
  func totals() throws -> UsageTotals {
    let sums = """
      SELECT ifnull(sum(rows), 0), ifnull(sum(bytes), 0), (SELECT ifnull(sum(bytes), 0) FROM queueBytes),
        (SELECT ifnull(sum(bytes), 0) FROM part) FROM queueUsage
      """
    var totals = UsageTotals()
    guard let row = try row(sums, []) else { return totals }
    totals.objects.rows = try row.decode(Int64.self, atIndex: 0)
    totals.objects.bytes = try row.decode(Int64.self, atIndex: 1)
    totals.fileBytes = try row.decode(Int64.self, atIndex: 2)
    totals.unfinishedBytes = try row.decode(Int64.self, atIndex: 3)
    return totals
  }
}

extension SQLiteStorage {
  /// The `limit` largest queues and users, by the bytes of their objects and files, of a database that a server may
  /// write to meanwhile.
  package static func usage(_ path: String, limit: Int) throws -> UsageReport {
    try beside(path) { database in
      UsageReport(
        queues: try lines(database, "queueUsage", "queueBytes", "queue", "queue", limit),
        users: try lines(database, "accountUsage", "accountBytes", "account", "broughtBy", limit),
        totals: try SQLiteTransaction(database: database).totals())
    }
  }

  /// Reads a database beside the server that may have it open.
  static func beside<Result>(_ path: String, _ body: (Database) throws -> Result) throws -> Result {
    try DatabaseFile.check(path)
    return try StorageError.translating(path) {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(5)
      return try DatabaseQueue(path: path, configuration: configuration).read(body)
    }
  }

  /// Reads queues of a database that a server may write to meanwhile.
  package static func look<Result>(at path: String, _ body: (any QueueSnapshot) throws -> Result) throws -> Result {
    try beside(path) { try body(SQLiteTransaction(database: $0)) }
  }

  /// Complete files after `place`, of a database that a server may write to meanwhile.
  static func files(
    of path: String, after place: FileKey?, limit: Int
  ) throws -> [(place: FileKey, file: StoredFile)] {
    try beside(path) { try SQLiteTransaction(database: $0).files(after: place, limit: limit) }
  }

  static func hasFile(_ path: String, _ place: FileKey) throws -> Bool {
    try beside(path) { try SQLiteTransaction(database: $0).file(place.hash, in: place.queue) != nil }
  }

  private static func lines(
    _ database: Database, _ usage: String, _ files: String, _ key: String, _ keyOfParts: String,
    _ limit: Int
  ) throws -> [UsageReport.Line] {
    let sql = """
      SELECT \(key), sum(rows), sum(content), sum(files), sum(unfinished) FROM (
        SELECT \(key), rows, bytes AS content, 0 AS files, 0 AS unfinished FROM \(usage)
        UNION ALL SELECT \(key), 0, 0, bytes, 0 FROM \(files)
        UNION ALL SELECT \(keyOfParts), 0, 0, 0, bytes FROM part)
      GROUP BY \(key) ORDER BY sum(content) + sum(files) DESC, sum(rows) DESC LIMIT ?
      """
    return try Row.fetchAll(database, sql: sql, arguments: [limit]).map { row in
      let usage = StoredUsage(
        rows: try row.decode(Int64.self, atIndex: 1), bytes: try row.decode(Int64.self, atIndex: 2))
      return UsageReport.Line(
        id: try row.id(0), usage: usage, fileBytes: try row.decode(Int64.self, atIndex: 3),
        unfinishedBytes: try row.decode(Int64.self, atIndex: 4))
    }
  }
}
