// Rows of retired operations: applied, out of the outbox, kept for 7 days in case a restored server has lost them.

import Foundation
import GRDB
import SyncProtocol
import WireFormat

enum RetiredOperations {
  /// Whether the server may have lost a retired operation.
  enum Doubt: Int64 {
    case none = 0
    /// The server may have lost it, and has to be asked.
    case toBeAsked = 1
    /// The server was asked, and does not know the operation.
    case unknownToServer = 2
  }

  /// Copies an operation from the outbox into `retired`; the caller deletes it from the outbox. An operation that was
  /// never sent counts as first sent at `time`: an end, if somebody else ended the queue first.
  static func insert(_ number: Int64, decidedAt time: Timestamp, _ database: Database) throws {
    try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO retired
          (number, id, queue, type, parameters, changes, performedAt, sum, firstSent, dependencies, outcomeTime)
        SELECT number, id, queue, type, parameters, changes, performedAt, sum, coalesce(firstSent, ?1), dependencies, ?1
        FROM operation WHERE number = ?2
        """
    ).execute(arguments: [time.millisecondsSince1970, number])
  }

  /// Deletes operations that were decided before the server's `time` and are not in doubt. Returns their ids.
  static func forget(before time: Timestamp, _ queue: Int64, _ database: Database) throws -> [OperationID] {
    try Data.fetchAll(
      database.cachedStatement(
        sql: "DELETE FROM retired WHERE queue = ? AND outcomeTime < ? AND doubt = 0 RETURNING id"),
      arguments: [queue, time.millisecondsSince1970]
    ).map { try OperationID(stored: $0) }
  }

  static func drop(_ queue: Int64, but kept: [Int64], _ database: Database) throws {
    let numbers = kept.map(String.init).joined(separator: ", ")
    try database.execute(
      sql: "DELETE FROM retired WHERE queue = ? AND number NOT IN (\(numbers))", arguments: [queue])
  }

  /// Sets the doubt of all retired operations of a queue.
  static func doubtAll(_ queue: Int64, _ doubt: Doubt, _ database: Database) throws {
    try database.execute(
      sql: "UPDATE retired SET doubt = ? WHERE queue = ?", arguments: [doubt.rawValue, queue])
  }

  /// The operations that the server is to be asked for, oldest first.
  static func doubtful(in queue: Int64, _ database: Database) throws -> [OperationID] {
    try Data.fetchAll(
      database, sql: "SELECT id FROM retired WHERE queue = ? AND doubt > 0 AND doubt = 1 ORDER BY number",
      arguments: [queue]
    ).map { try OperationID(stored: $0) }
  }

  static func doubtful(_ transaction: StoreTransaction) throws -> [QueueID: [OperationID]] {
    let database = transaction.database
    var doubtful: [QueueID: [OperationID]] = [:]
    for number in try Int64.fetchAll(database, sql: "SELECT DISTINCT queue FROM retired WHERE doubt > 0 AND doubt = 1")
    {
      guard let queue = try transaction.queue(number) else { continue }
      doubtful[queue] = try self.doubtful(in: number, database)
    }
    return doubtful
  }

  /// The queue of each id that is a retired operation.
  static func queues(of ids: [OperationID], _ transaction: StoreTransaction) throws -> [OperationID: QueueID] {
    var queues: [OperationID: QueueID] = [:]
    for id in Set(ids) {
      let number = try Int64.fetchOne(
        transaction.database, sql: "SELECT queue FROM retired WHERE id = ?", arguments: [id.stored])
      queues[id] = try number.flatMap { try transaction.queue($0) }
    }
    return queues
  }

  /// The retired operations in doubt, oldest first. Damaged rows are left out, because they could not be sent again.
  static func inDoubt(_ queue: Int64, _ transaction: StoreTransaction) throws -> [Entry] {
    let row = try BoundStatement(
      """
      SELECT number, id, queue, type, parameters, changes, performedAt, sum, dependencies, firstSent, doubt
      FROM retired WHERE queue = ? AND doubt > 0 ORDER BY number
      """, transaction.database)
    defer { row.reset() }
    try row.bind(1, queue)
    var entries: [Entry] = []
    while try row.next() {
      let number = try row.integer(0)
      guard var operation = try? StoredOperations.performed(number, row, transaction) else { continue }
      operation.firstSent = Timestamp(millisecondsSince1970: try row.integer(9))
      operation.record.enter(.sent)
      entries.append(Entry(operation: operation, isAsked: try row.integer(10) == Doubt.unknownToServer.rawValue))
    }
    return entries
  }

  struct Entry {
    /// The operation, as it was sent.
    var operation: OutboxEntry
    /// The server was asked, and does not know the operation.
    var isAsked: Bool
  }

  static func settle(_ number: Int64, _ doubt: Doubt, _ database: Database) throws {
    try database.cachedStatement(sql: "UPDATE retired SET doubt = ? WHERE number = ?")
      .execute(arguments: [doubt.rawValue, number])
  }

  /// Ends the doubt, because the server's present history has the operation. It stays retired from the new outcome's
  /// time on: another device may have sent it long after the lost history had decided it.
  static func settle(_ number: Int64, decidedAt time: Timestamp, _ database: Database) throws {
    try database.cachedStatement(sql: "UPDATE retired SET doubt = 0, outcomeTime = ? WHERE number = ?")
      .execute(arguments: [time.millisecondsSince1970, number])
  }

  static func remove(_ number: Int64, _ database: Database) throws {
    try database.cachedStatement(sql: "DELETE FROM retired WHERE number = ?").execute(arguments: [number])
  }

  /// Moves operations back into the outbox, under their numbers.
  static func putBack(_ operations: [OutboxEntry], _ transaction: StoreTransaction) throws {
    for operation in operations {
      try StoredOperations.insert(operation, transaction)
      try StoredOperations.update(operation, transaction.database)
      try remove(operation.number, transaction.database)
    }
  }
}
