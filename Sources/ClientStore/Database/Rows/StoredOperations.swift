// Rows of the outbox and of failed operations, read and written.

import Foundation
import GRDB
import ModelTypes
import SyncProtocol
import WireFormat

enum StoredOperations {
  struct Loaded {
    var operations: [OutboxEntry] = []
    var failedOperations: [FailedOperation] = []
    var nextNumber: Int64 = 1
  }

  /// Reads the outbox and `failedOperations`. An outbox row that cannot be read moves to `failedOperations`, bytes
  /// unchanged.
  static func load(_ transaction: StoreTransaction) throws -> Loaded {
    var loaded = Loaded()
    for (number, error) in try loadOperations(&loaded, transaction) {
      _ = try moveToFailed(number, error, transaction)
    }
    for row in try Row.fetchAll(transaction.database, sql: "SELECT * FROM failed ORDER BY number") {
      loaded.failedOperations.append(failed(row, transaction))
    }
    let largest = try Int64.fetchOne(
      transaction.database,
      sql:
        """
        SELECT max(coalesce((SELECT max(number) FROM operation), 0), coalesce((SELECT max(number) FROM failed), 0),
          coalesce((SELECT max(number) FROM retired), 0))
        """
    )
    guard let largest, largest < .max else { throw StoreError(.damaged, "The numbers of the store are used up.") }
    loaded.nextNumber = largest + 1
    return loaded
  }

  /// Returns the numbers of the rows that cannot be read, with the errors.
  private static func loadOperations(
    _ loaded: inout Loaded, _ transaction: StoreTransaction
  ) throws -> [(Int64, StoreError)] {
    var damaged: [(Int64, StoreError)] = []
    var last = Int64.min
    let row = try BoundStatement(
      """
      SELECT number, id, queue, type, parameters, changes, performedAt, sum, dependencies, firstSent, voided,
        outcome, outcomeCode, outcomeAt, outcomeTime, attempt, hidden
      FROM operation ORDER BY number
      """, transaction.database)
    defer { row.reset() }
    while try row.next() {
      // A table with damaged pages can give rows twice, or out of order.
      let number = try row.integer(0)
      guard number > last else { throw StoreError(.damaged, "The outbox of the store is out of order.") }
      last = number
      do {
        loaded.operations.append(try operation(number, row, transaction))
      } catch let error as StoreError where error.code == .damaged {
        damaged.append((number, error))
      }
    }
    return damaged
  }

  private static func operation(
    _ number: Int64, _ row: BoundStatement, _ transaction: StoreTransaction
  ) throws -> OutboxEntry {
    var operation = try performed(number, row, transaction)
    operation.firstSent = row.isNull(9) ? nil : Timestamp(millisecondsSince1970: try row.integer(9))
    operation.isVoided = try row.integer(10) != 0
    operation.outcome = try outcome(row, of: operation.id)
    operation.attempt = Int(clamping: try row.integer(15))
    operation.isHidden = try row.integer(16) != 0
    return operation
  }

  /// Reads columns 1 to 8, the part of an operation that never changes. Throws `damaged` if the sum does not match.
  static func performed(
    _ number: Int64, _ row: BoundStatement, _ transaction: StoreTransaction
  ) throws -> OutboxEntry {
    let bytes = try row.bytes(5)
    var operation = OutboxEntry(
      number: number, id: try row.id(1), queue: try transaction.queue(row.integer(2)),
      name: try transaction.type(row.integer(3)), parameters: try row.bytes(4), changes: try changes(bytes),
      bytes: bytes,
      performedAt: Timestamp(millisecondsSince1970: try row.integer(6)))
    operation.dependencies = row.isNull(8) ? [] : try [OperationID](stored: row.bytes(8))
    guard try row.integer(7) == operation.sum else {
      throw StoreError(.damaged, "The bytes of an operation are not those that were written.")
    }
    operation.isSaved = true
    return operation
  }

  private static func changes(_ bytes: [UInt8]) throws -> OperationChanges {
    do throws(WireError) { return try OperationChanges(bytes: bytes) } catch {
      throw StoreError(.damaged, "The changes of an operation cannot be read: \(error).")
    }
  }

  private static func outcome(_ row: BoundStatement, of id: OperationID) throws -> OperationOutcome? {
    guard !row.isNull(11) else { return nil }
    let name = try row.text(11)
    guard let status = OperationOutcome.Status(name, code: row.isNull(12) ? nil : try row.text(12)) else {
      throw StoreError(.damaged, "An operation has the outcome \(name), which does not exist.")
    }
    let time = row.isNull(14) ? 0 : try row.integer(14)
    return OperationOutcome(
      operation: id, status: status, at: try row.integer(13), time: Timestamp(millisecondsSince1970: time))
  }

  /// Moves a row of `operation` or `retired` that cannot be read into `failed`, bytes unchanged.
  static func moveToFailed(
    _ number: Int64, of table: String = "operation", _ error: StoreError, _ transaction: StoreTransaction
  ) throws -> FailedOperation {
    let database = transaction.database
    try database.execute(
      sql: """
        INSERT INTO failed (operation, queue, type, parameters, changes, performedAt, reason, message)
        SELECT coalesce(id, x''), coalesce(queue, 0), coalesce(type, 0), coalesce(parameters, x''),
          coalesce(changes, x''), coalesce(performedAt, 0), 'damaged', ? FROM \(table) WHERE number = ?
        """, arguments: [error.message, number])
    try database.execute(sql: "DELETE FROM \(table) WHERE number = ?", arguments: [number])
    let row = try Row.fetchOne(database, sql: "SELECT * FROM failed ORDER BY number DESC LIMIT 1")
    guard let row else { throw StoreError(.damaged, "A report was not written.") }
    return failed(row, transaction)
  }

  /// As much of the row as can be read, because the app is told even of an operation whose name cannot be read. The row
  /// keeps the bytes.
  private static func failed(_ row: Row, _ transaction: StoreTransaction) -> FailedOperation {
    let number = { (column: String) in try row.decode(Int64.self, forColumn: column) }
    let bytes = { (column: String) in [UInt8]((try? row.decode(Data.self, forColumn: column)) ?? Data()) }
    let text = { (column: String) in (try? row.decode(String.self, forColumn: column)) ?? "" }
    return FailedOperation(
      id: (try? OperationID(stored: Data(bytes("operation")))) ?? .zero,
      name: (try? transaction.type(number("type"))) ?? "",
      parameters: bytes("parameters"),
      changes: (try? OperationChanges(bytes: bytes("changes"))) ?? OperationChanges(),
      queue: (try? transaction.queue(number("queue"))) ?? nil,
      performedAt: Timestamp(millisecondsSince1970: (try? number("performedAt")) ?? 0),
      dependencies: (try? [OperationID](stored: bytes("dependencies"))) ?? [],
      firstSent: (try? number("firstSent")).map { Timestamp(millisecondsSince1970: $0) },
      attempt: Int(clamping: (try? number("attempt")) ?? 0),
      reason: StoreError(StoreError.Code(rawValue: text("reason")) ?? .damaged, text("message")))
  }
}

extension StoredOperations {
  static func insert(_ operation: OutboxEntry, _ transaction: StoreTransaction) throws {
    let statement = try BoundStatement(
      """
      INSERT INTO operation (number, id, queue, type, parameters, changes, performedAt, sum, dependencies)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, transaction.database)
    try statement.bind(1, operation.number)
    try statement.bind(2, operation.id)
    try statement.bind(3, transaction.number(queue: operation.queue))
    try statement.bind(4, transaction.number(type: operation.name))
    try statement.bind(5, operation.parameters)
    try statement.bind(6, operation.bytes)
    try statement.bind(7, operation.performedAt.millisecondsSince1970)
    try statement.bind(8, operation.sum)
    if operation.dependencies.isEmpty {
      try statement.bind(9, nil as Int64?)
    } else {
      try statement.bind(9, operation.dependencies.stored)
    }
    try statement.run()
  }

  /// Adds a report, unless the operation has one.
  static func insert(_ item: FailedOperation, _ transaction: StoreTransaction) throws {
    try transaction.database.cachedStatement(
      sql: """
        INSERT INTO failed
          (operation, queue, type, parameters, changes, performedAt, reason, message, firstSent, attempt, dependencies)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 WHERE NOT EXISTS (SELECT 1 FROM failed WHERE operation = ?1)
        """
    ).execute(arguments: [
      item.id.stored, transaction.number(queue: item.queue), transaction.number(type: item.name),
      Data(item.parameters), Data((try? item.changes.encoded()) ?? []), item.performedAt.millisecondsSince1970,
      item.reason.code.rawValue, item.reason.message, item.firstSent?.millisecondsSince1970, item.attempt,
      item.dependencies.isEmpty ? nil : Data(item.dependencies.stored),
    ])
  }

  static func isPending(_ id: OperationID, _ database: Database) throws -> Bool {
    let statement = try database.cachedStatement(sql: "SELECT 1 FROM operation WHERE id = ?")
    return try Int64.fetchOne(statement, arguments: [id.stored]) != nil
  }

  /// Stores how far an operation has come: when it was sent, whether it is voided, and its outcome.
  static func update(_ operation: OutboxEntry, _ database: Database) throws {
    let outcome = operation.outcome
    try database.execute(
      sql: """
        UPDATE operation SET firstSent = ?, attempt = ?, hidden = ?, voided = ?, outcome = ?, outcomeCode = ?, outcomeAt = ?,
          outcomeTime = ?
        WHERE number = ?
        """,
      arguments: [
        operation.firstSent?.millisecondsSince1970, operation.attempt, operation.isHidden, operation.isVoided,
        outcome?.status.stored.name, outcome?.status.stored.code, outcome?.at, outcome?.time.millisecondsSince1970,
        operation.number,
      ])
  }

  static func delete(_ number: Int64, _ database: Database) throws {
    let statement = try BoundStatement("DELETE FROM operation WHERE number = ?", database)
    try statement.bind(1, number)
    try statement.run()
  }

  static func delete(_ id: OperationID, _ database: Database) throws {
    let statement = try BoundStatement("DELETE FROM operation WHERE id = ?", database)
    try statement.bind(1, id)
    try statement.run()
  }

  static func deleteReport(of id: OperationID, _ database: Database) throws {
    let statement = try BoundStatement("DELETE FROM failed WHERE operation = ?", database)
    try statement.bind(1, id)
    try statement.run()
  }
}

extension OperationOutcome.Status {
  var stored: (name: String, code: String?) {
    switch self {
    case .applied: ("applied", nil)
    case .noEffect: ("noEffect", nil)
    case .rejected(let code): ("rejected", code)
    case .voided: ("voided", nil)
    case .unknown: ("unknown", nil)
    }
  }

  init?(_ name: String, code: String?) {
    switch name {
    case "applied": self = .applied
    case "noEffect": self = .noEffect
    case "rejected": self = .rejected(code ?? "")
    case "voided": self = .voided
    case "unknown": self = .unknown
    default: return nil
    }
  }
}
