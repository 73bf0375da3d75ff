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
    for row in try Row.fetchAll(database, sql: "SELECT * FROM operation ORDER BY number") {
      do {
        loaded.operations.append(try operation(row, numbers))
      } catch let error as StoreError where error.code == .damaged {
        try moveToAttention(row, error, database)
      }
    }
    for row in try Row.fetchAll(database, sql: "SELECT * FROM attention ORDER BY number") {
      loaded.attention.append(try attention(row, numbers))
    }
    let last = try Int64.fetchOne(
      database,
      sql:
        "SELECT max(coalesce((SELECT max(number) FROM operation), 0), coalesce((SELECT max(number) FROM attention), 0))"
    )
    loaded.nextNumber = (last ?? 0) + 1
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
        INSERT INTO attention (number, operation, queue, type, parameters, changes, performedAt, reason, message)
        SELECT number, id, queue, type, parameters, changes, performedAt, 'damaged', ? FROM operation WHERE number = ?
        """, arguments: [error.message, row.decode(Int64.self, forColumn: "number")])
    try database.execute(
      sql: "DELETE FROM operation WHERE number = ?", arguments: [row.decode(Int64.self, forColumn: "number")])
  }

  private static func attention(_ row: Row, _ numbers: NumberTable) throws -> AttentionItem {
    let bytes = [UInt8](try row.decode(Data.self, forColumn: "changes"))
    let reason = try row.decode(String.self, forColumn: "reason")
    return AttentionItem(
      id: try UUIDValue(stored: row.decode(Data.self, forColumn: "operation")),
      name: try numbers.type(row.decode(Int64.self, forColumn: "type")),
      parameters: [UInt8](try row.decode(Data.self, forColumn: "parameters")),
      // What was damaged is listed without its changes; the row keeps the bytes.
      changes: (try? OperationChanges(bytes: bytes)) ?? OperationChanges(),
      queue: try numbers.queue(row.decode(Int64.self, forColumn: "queue")),
      performedAt: Timestamp(millisecondsSince1970: try row.decode(Int64.self, forColumn: "performedAt")),
      reason: StoreError(
        StoreError.Code(rawValue: reason) ?? .damaged, try row.decode(String.self, forColumn: "message")))
  }
}

extension StoredOperations {
  static func insert(_ operation: PendingOperation, _ numbers: inout NumberTable, _ database: Database) throws {
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO operation (number, id, queue, type, parameters, changes, performedAt) VALUES (?, ?, ?, ?, ?, ?, ?)
        """)
    try statement.execute(arguments: [
      operation.number, operation.id.stored, numbers.number(queue: operation.queue, database),
      numbers.number(type: operation.name, database), Data(operation.parameters), Data(operation.bytes),
      operation.performedAt.millisecondsSince1970,
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
