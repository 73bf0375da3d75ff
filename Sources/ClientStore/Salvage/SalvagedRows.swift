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
  private var places: [UUIDValue: QueuePlace] = [:]
  private var problems: [String] = []
  /// Operations of the outbox and retired ones that name files.
  private var naming: [PendingOperation] = []

  init(_ inspection: StoreInspection) {
    self.inspection = inspection
    for row in rows(.queue) {
      guard let number = try? row.integer("number"), let id = try? row.bytes("id") else { continue }
      queues[number] = UUIDValue(bytes: id)
      if number > 0, let id = queues[number] { places[id] = QueuePlace(salvaging: row) }
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
    try copyRoles(to: database, &numbers)
    for row in rows(.operation) {
      if let operation = operation(row) {
        try insert(operation, &numbers, database)
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
    try copyRetired(to: database, &numbers)
    for (id, place) in places { try StoredPlaces.put(place, numbers.number(queue: QueueID(id), database), database) }
    try copyServer(to: database)
    try copyFiles(to: database, &numbers)
    try copyDeviceObjects(to: database, &numbers, &salvage)
    salvage.problems += problems
  }

  /// Whether the user may give birth to a queue again, and whether it waits to be accepted.
  private mutating func copyRoles(to database: Database, _ numbers: inout NumberTable) throws {
    for row in rows(.queue) {
      guard let id = (try? row.integer("number")).flatMap({ queues[$0] }) else { continue }
      let number = try numbers.number(queue: QueueID(id), database)
      let role = (try? row.integer("role")).flatMap { QueueRole(number: Int32(truncatingIfNeeded: $0)) }
      if let role { try StoredPlaces.put(role, number, database) }
      if (try? row.integer("invited")) == 1 { try StoredPlaces.put(isInvited: true, number, database) }
    }
  }

  /// The store goes on with no other server, and knows in which history its files are there.
  private mutating func copyServer(to database: Database) throws {
    for row in rows(.property) {
      guard let name = try? row.text("name"), ["server", "fileHistory"].contains(name),
        let id = (try? row.bytes("value")).flatMap({ UUIDValue(bytes: $0) })
      else { continue }
      try database.execute(sql: "INSERT INTO property VALUES (?, ?)", arguments: [name, id.stored])
    }
  }

  /// Nobody misses a row that is damaged, as long as the server does not.
  private mutating func copyRetired(to database: Database, _ numbers: inout NumberTable) throws {
    for row in rows(.retired) {
      guard let operation = operation(row), let time = try? row.integer("outcomeTime"),
        try !isThere(operation, database)
      else { continue }
      try insert(operation, &numbers, database)
      try RetiredOperations.retire(
        operation.number, decidedAt: Timestamp(millisecondsSince1970: time), database)
      try StoredOperations.delete(operation.number, database)
      let known = (try? row.integer("doubt")).flatMap(RetiredOperations.Doubt.init(rawValue:)) ?? .toBeAsked
      guard let queue = operation.queue?.rawValue else { continue }
      // The server may have lost it, and nothing else would tell. Nor is anything of a queue shown that the user has
      // ended, where it is not known any more that it has.
      let isSure = places[queue]?.asksAnyway ?? false && (!operation.isEnd || places[queue]?.load == .ended)
      let doubt = known == .none && !isSure ? .toBeAsked : known
      if doubt != .none { places[queue]?.askFirst() }
      try RetiredOperations.settle(operation.number, doubt, database)
    }
  }

  private mutating func insert(
    _ operation: PendingOperation, _ numbers: inout NumberTable, _ database: Database
  ) throws {
    if operation.changes.namesFiles { naming.append(operation) }
    try StoredOperations.insert(operation, &numbers, database)
    try StoredOperations.update(operation, database)
  }

  /// Damage can leave one operation in both tables.
  private func isThere(_ operation: PendingOperation, _ database: Database) throws -> Bool {
    try Int64.fetchOne(
      database, sql: "SELECT 1 FROM operation WHERE id = ? OR number = ?",
      arguments: [operation.id.stored, operation.number]) != nil
  }

  /// The bytes lie beside the database, and stay there. Where a row is damaged, the operations say that there is a file, and
  /// the server is asked for it; also for what was brought last, as it is for retired operations.
  private mutating func copyFiles(to database: Database, _ numbers: inout NumberTable) throws {
    for row in rows(.file) {
      guard let queue = (try? row.integer("queue")).flatMap({ $0 == 0 ? .zero : queues[$0] }),
        let hash = try? row.bytes("hash"), hash.count == 32, let state = try? row.integer("state"),
        StoredFiles.State(rawValue: state) != nil,
        let objects = try? row.bytes("objects"), objects.count % 16 == 0
      else { continue }
      let number = try numbers.number(queue: QueueID(queue), database)
      try database.execute(
        sql:
          "INSERT OR IGNORE INTO file (queue, hash, state, number, objects, size, since) VALUES (?, ?, ?, ?, ?, ?, ?)",
        arguments: [
          number, Data(hash), state, (try? row.integer("number")) ?? 0, Data(objects), try? row.integer("size"),
          try? row.integer("since"),
        ])
    }
    for operation in naming { try StoredFiles.nameUnknown(operation, &numbers, database) }
    try StoredFiles.doubtNewest(database)
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
    // Rows that were read from the end come in reverse order.
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
