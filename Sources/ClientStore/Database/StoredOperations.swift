// Rows of the outbox and of attention, read and written.

import Foundation
import GRDB
import ModelTypes
import SyncProtocol
import WireFormat

enum StoredOperations {
  struct Loaded {
    var operations: [PendingOperation] = []
    var attention: [AttentionItem] = []
    var nextNumber: Int64 = 1
  }

  /// Reads the outbox; a row that cannot be read moves to attention with its bytes as they are.
  static func load(_ numbers: NumberTable, _ database: Database) throws -> Loaded {
    var loaded = Loaded()
    var last = Int64.min
    for row in try Row.fetchAll(database, sql: "SELECT * FROM operation ORDER BY number") {
      // Tables whose pages are damaged can give rows twice, or in another order.
      let number = try row.decode(Int64.self, forColumn: "number")
      guard number > last else { throw StoreError(.damaged, "The outbox of the store is out of order.") }
      last = number
      do {
        loaded.operations.append(try StoreError.translating { try operation(row, numbers) })
      } catch let error as StoreError where error.code == .damaged {
        try moveToAttention(row, error, database)
      }
    }
    for row in try Row.fetchAll(database, sql: "SELECT * FROM attention ORDER BY number") {
      loaded.attention.append(attention(row, numbers))
    }
    let largest = try Int64.fetchOne(
      database,
      sql:
        "SELECT max(coalesce((SELECT max(number) FROM operation), 0), coalesce((SELECT max(number) FROM attention), 0))"
    )
    guard let largest, largest < .max else { throw StoreError(.damaged, "The numbers of the store are used up.") }
    loaded.nextNumber = largest + 1
    return loaded
  }

  private static func operation(_ row: Row, _ numbers: NumberTable) throws -> PendingOperation {
    let id = try UUIDValue(stored: row.decode(Data.self, forColumn: "id"))
    let bytes = [UInt8](try row.decode(Data.self, forColumn: "changes"))
    let record = OperationRecord(id: id)
    var operation = PendingOperation(
      number: try row.decode(Int64.self, forColumn: "number"), id: id,
      queue: try numbers.queue(row.decode(Int64.self, forColumn: "queue")),
      name: try numbers.type(row.decode(Int64.self, forColumn: "type")),
      parameters: [UInt8](try row.decode(Data.self, forColumn: "parameters")),
      changes: try changes(bytes), bytes: bytes,
      performedAt: Timestamp(millisecondsSince1970: try row.decode(Int64.self, forColumn: "performedAt")),
      record: record)
    guard try row.decode(Int64.self, forColumn: "sum") == operation.sum else {
      throw StoreError(.damaged, "The bytes of an operation are not those that were written.")
    }
    operation.isSaved = true
    operation.isSent = try row.decode(Int64.self, forColumn: "sent") != 0
    operation.isVoided = try row.decode(Int64.self, forColumn: "voided") != 0
    operation.outcome = try outcome(row, of: id)
    record.enter(operation.isSent ? .sent : .saved)
    return operation
  }

  private static func changes(_ bytes: [UInt8]) throws -> OperationChanges {
    do throws(WireError) { return try OperationChanges(bytes: bytes) } catch {
      throw StoreError(.damaged, "The changes of an operation cannot be read: \(error).")
    }
  }

  private static func outcome(_ row: Row, of id: UUIDValue) throws -> OperationOutcome? {
    guard let name = try row.decode(String?.self, forColumn: "outcome") else { return nil }
    let code = try row.decode(String?.self, forColumn: "outcomeCode")
    guard let status = OperationOutcome.Status(name, code: code) else {
      throw StoreError(.damaged, "An operation has the outcome \(name), which is none.")
    }
    return OperationOutcome(operation: id, status: status, at: try row.decode(Int64.self, forColumn: "outcomeAt"))
  }

  private static func moveToAttention(_ row: Row, _ error: StoreError, _ database: Database) throws {
    try database.execute(
      sql: """
        INSERT INTO attention (operation, queue, type, parameters, changes, performedAt, reason, message)
        SELECT id, queue, type, parameters, changes, performedAt, 'damaged', ? FROM operation WHERE number = ?
        """, arguments: [error.message, row.decode(Int64.self, forColumn: "number")])
    try database.execute(
      sql: "DELETE FROM operation WHERE number = ?", arguments: [row.decode(Int64.self, forColumn: "number")])
  }

  /// Whatever of the row can be read: an app has to be told even of what cannot be named. The row keeps the bytes.
  private static func attention(_ row: Row, _ numbers: NumberTable) -> AttentionItem {
    let number = { (column: String) in try row.decode(Int64.self, forColumn: column) }
    let bytes = { (column: String) in [UInt8]((try? row.decode(Data.self, forColumn: column)) ?? Data()) }
    let text = { (column: String) in (try? row.decode(String.self, forColumn: column)) ?? "" }
    return AttentionItem(
      id: (try? UUIDValue(stored: Data(bytes("operation")))) ?? .zero,
      name: (try? numbers.type(number("type"))) ?? "",
      parameters: bytes("parameters"),
      changes: (try? OperationChanges(bytes: bytes("changes"))) ?? OperationChanges(),
      queue: (try? numbers.queue(number("queue"))) ?? nil,
      performedAt: Timestamp(millisecondsSince1970: (try? number("performedAt")) ?? 0),
      reason: StoreError(StoreError.Code(rawValue: text("reason")) ?? .damaged, text("message")))
  }
}

extension StoredOperations {
  static func insert(_ operation: PendingOperation, _ numbers: inout NumberTable, _ database: Database) throws {
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO operation (number, id, queue, type, parameters, changes, performedAt, sum)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """)
    try statement.execute(arguments: [
      operation.number, operation.id.stored, numbers.number(queue: operation.queue, database),
      numbers.number(type: operation.name, database), Data(operation.parameters), Data(operation.bytes),
      operation.performedAt.millisecondsSince1970, operation.sum,
    ])
  }

  static func insert(_ item: AttentionItem, _ numbers: inout NumberTable, _ database: Database) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO attention (operation, queue, type, parameters, changes, performedAt, reason, message)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      item.id.stored, numbers.number(queue: item.queue, database), numbers.number(type: item.name, database),
      Data(item.parameters), Data((try? item.changes.encoded()) ?? []), item.performedAt.millisecondsSince1970,
      item.reason.code.rawValue, item.reason.message,
    ])
  }

  /// How far an operation has come.
  static func update(_ operation: PendingOperation, _ database: Database) throws {
    let outcome = operation.outcome
    try database.execute(
      sql: "UPDATE operation SET sent = ?, voided = ?, outcome = ?, outcomeCode = ?, outcomeAt = ? WHERE number = ?",
      arguments: [
        operation.isSent, operation.isVoided, outcome?.status.stored.name, outcome?.status.stored.code, outcome?.at,
        operation.number,
      ])
  }

  static func delete(_ number: Int64, _ database: Database) throws {
    try database.cachedStatement(sql: "DELETE FROM operation WHERE number = ?").execute(arguments: [number])
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
