// Rows of retired operations: applied, out of the outbox, kept for 7 days in case the server loses them.

import Foundation
import GRDB
import SyncProtocol
import WireFormat

enum RetiredOperations {
  /// Copies an operation from the outbox into `retired`; the caller deletes it from the outbox. An operation that was
  /// never sent counts as first sent at `time`: an end, if somebody else ended the queue first.
  static func insert(_ number: Int64, decidedAt time: Timestamp, _ database: Database) throws {
    try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO retired
          (number, id, queue, type, parameters, changes, performedAt, sum, firstSent, attempt, dependencies, outcomeTime)
        SELECT number, id, queue, type, parameters, changes, performedAt, sum, coalesce(firstSent, ?1), attempt,
          dependencies, ?1
        FROM operation WHERE number = ?2
        """
    ).execute(arguments: [time.millisecondsSince1970, number])
  }

  /// Deletes operations that were decided before the server's `time`.
  static func forget(before time: Timestamp, _ database: Database) throws {
    try database.cachedStatement(sql: "DELETE FROM retired WHERE outcomeTime < ?")
      .execute(arguments: [time.millisecondsSince1970])
  }

  /// Moves operations that were decided at `time` or later back into the outbox, in the order in which they were
  /// performed, hidden. Returns them, and reports of damaged ones, which could not be sent again.
  static func bringBack(
    since time: Timestamp, _ transaction: StoreTransaction
  ) throws -> (operations: [OutboxEntry], damaged: [FailedOperation]) {
    var operations: [OutboxEntry] = []
    var damaged: [(Int64, StoreError)] = []
    let row = try BoundStatement(
      """
      SELECT number, id, queue, type, parameters, changes, performedAt, sum, dependencies, firstSent, attempt
      FROM retired WHERE outcomeTime >= ? ORDER BY number
      """, transaction.database)
    try row.bind(1, time.millisecondsSince1970)
    while try row.next() {
      var operation: OutboxEntry
      do { operation = try StoredOperations.performed(row.integer(0), row, transaction) } catch let error as StoreError
        where error.code == .damaged
      {
        damaged.append((try row.integer(0), error))
        continue
      }
      operation.firstSent = Timestamp(millisecondsSince1970: try row.integer(9))
      operation.attempt = Int(clamping: try row.integer(10))
      // Damage can leave an operation in both tables.
      guard try !StoredOperations.isPending(operation.id, transaction.database) else { continue }
      operation.isHidden = true
      operations.append(operation)
    }
    row.reset()
    for operation in operations {
      try StoredOperations.insert(operation, transaction)
      try StoredOperations.update(operation, transaction.database)
    }
    let reports = try damaged.map { number, error in
      try StoredOperations.moveToFailed(number, of: "retired", error, transaction)
    }
    try transaction.database.execute(
      sql: "DELETE FROM retired WHERE outcomeTime >= ?", arguments: [time.millisecondsSince1970])
    return (operations, reports)
  }
}
