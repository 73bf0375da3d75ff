// From rows of a damaged database to rows of a new one: only what can be trusted goes on being pending.

import Foundation
import GRDB
import ModelTypes
import SyncProtocol
import WireFormat

struct SalvagedRows {
  private let inspection: StoreInspection
  private var queues: [Int64: UUIDValue] = [0: .zero]
  private var types: [Int64: String] = [:]
  private var problems: [String] = []

  init(_ inspection: StoreInspection) {
    self.inspection = inspection
    for row in rows(.queue) {
      guard let number = try? row.integer("number"), let id = try? row.bytes("id") else { continue }
      queues[number] = UUIDValue(bytes: id)
    }
    for row in rows(.type) {
      guard let number = try? row.integer("number"), let name = try? row.text("name") else { continue }
      types[number] = name
    }
  }

  /// A store of somebody else is not to be mixed with this one's; one that cannot say whose it is, is taken.
  mutating func checkOwner(schema: String, user: UserID) throws {
    for row in rows(.property) {
      guard let name = try? row.text("name"), let value = try? row.text("value") else { continue }
      let expected = ["schema": schema, "user": user.rawValue.description][name]
      guard expected == nil || expected == value else {
        throw StoreError(.foreign, "The store belongs to the \(name) \(value), not \(expected ?? "").")
      }
    }
  }

  mutating func copy(to database: Database, _ numbers: inout NumberTable, _ salvage: inout Salvage) throws {
    // So that sync asks for them, from their beginning.
    for id in queues.values { _ = try numbers.number(queue: QueueID(id), database) }
    for row in rows(.operation) {
      if let operation = operation(row) {
        try StoredOperations.insert(operation, &numbers, database)
        try StoredOperations.update(operation, database)
        salvage.operations += 1
      } else {
        let reason = StoreError(.damaged, "The bytes of an operation are not those that were written.")
        try report(row, id: "id", reason, database, &numbers)
        salvage.attention += 1
      }
    }
    for row in rows(.attention) {
      let code = (try? row.text("reason")).flatMap(StoreError.Code.init(rawValue:)) ?? .damaged
      try report(row, id: "operation", StoreError(code, (try? row.text("message")) ?? ""), database, &numbers)
      salvage.attention += 1
    }
    try copyDeviceObjects(to: database, &numbers, &salvage)
    salvage.problems += problems
  }

  private mutating func copyDeviceObjects(
    to database: Database, _ numbers: inout NumberTable, _ salvage: inout Salvage
  ) throws {
    for row in rows(.object, where: "queue", is: .integer(0)) {
      guard let id = try? row.bytes("id"), id.count == 16, let content = try? row.bytes("content"),
        let type = (try? row.integer("type")).flatMap({ types[$0] })
      else {
        problems.append("An object that never left the device cannot be read.")
        continue
      }
      try database.execute(
        sql: "INSERT OR IGNORE INTO object (id, queue, type, revision, content) VALUES (?, 0, ?, 0, ?)",
        arguments: [Data(id), numbers.number(type: type, database), Data(content)])
      salvage.deviceObjects += 1
    }
  }

  /// Each row once, as far as they can be read.
  private mutating func rows(
    _ table: StoreInspection.Table, where column: String? = nil, is value: StoredValue = .null
  ) -> [StoredRow] {
    var rows: [StoredRow] = []
    var seen: Set<StoredValue> = []
    do {
      try inspection.forEachRow(of: table, where: column, is: value) { row in
        if seen.insert(row.columns[table.key] ?? .null).inserted { rows.append(row) }
        return true
      }
    } catch {
      problems.append("Rows of `\(table.rawValue)` may be missing. \(error)")
    }
    // What was read from the end comes in reverse order.
    return rows.sorted { ((try? $0.integer(table.key)) ?? 0) < ((try? $1.integer(table.key)) ?? 0) }
  }
}

extension SalvagedRows {
  /// Nil where the row is not what was written.
  private func operation(_ row: StoredRow) -> PendingOperation? {
    guard let queue = (try? row.integer("queue")).flatMap({ queues[$0] }), queue != .zero,
      let name = (try? row.integer("type")).flatMap({ types[$0] }),
      (try? row.hasSum(queue: queue, name: name)) == true
    else { return nil }
    return try? PendingOperation(row, queue: QueueID(queue), name: name)
  }

  /// Tells of an operation in `attention`, with its bytes as they are: whatever of the row can be read.
  private func report(
    _ row: StoredRow, id: String, _ reason: StoreError, _ database: Database, _ numbers: inout NumberTable
  ) throws {
    let bytes = { (column: String) in Data((try? row.bytes(column)) ?? []) }
    let queue = (try? row.integer("queue")).flatMap { queues[$0] } ?? .zero
    let name = (try? row.integer("type")).flatMap { types[$0] } ?? ""
    try database.execute(
      sql: """
        INSERT INTO attention (operation, queue, type, parameters, changes, performedAt, reason, message)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        bytes(id), numbers.number(queue: QueueID(queue), database), numbers.number(type: name, database),
        bytes("parameters"), bytes("changes"), (try? row.integer("performedAt")) ?? 0, reason.code.rawValue,
        reason.message,
      ])
  }
}

extension PendingOperation {
  fileprivate init(_ row: StoredRow, queue: QueueID, name: String) throws {
    let bytes = try row.bytes("changes")
    guard let id = UUIDValue(bytes: try row.bytes("id")) else { throw StoreError(.damaged, "An id is damaged.") }
    self.init(
      number: try row.integer("number"), id: id, queue: queue, name: name, parameters: try row.bytes("parameters"),
      changes: try OperationChanges(bytes: bytes), bytes: bytes,
      performedAt: Timestamp(millisecondsSince1970: try row.integer("performedAt")), record: OperationRecord(id: id))
    if row.has("firstSent") {
      firstSent = row.isNull("firstSent") ? nil : Timestamp(millisecondsSince1970: try row.integer("firstSent"))
      dependencies = row.isNull("dependencies") ? [] : try [UUIDValue](stored: row.bytes("dependencies"))
    } else {
      // Of version 1.
      firstSent = try row.integer("sent") != 0 ? .zero : nil
    }
    isVoided = try row.integer("voided") != 0
    guard !row.isNull("outcome") else { return }
    let code = row.isNull("outcomeCode") ? nil : try row.text("outcomeCode")
    guard let status = OperationOutcome.Status(try row.text("outcome"), code: code) else {
      throw StoreError(.damaged, "An outcome is damaged.")
    }
    outcome = OperationOutcome(operation: id, status: status, at: try row.integer("outcomeAt"))
  }
}
