// Copies rows of a damaged database into a new one. Only operations whose bytes can be trusted stay pending.

import Foundation
import GRDB
import ModelTypes
import SyncProtocol
import WireFormat

struct SalvagedRows {
  private let inspection: StoreInspection
  private var queues: [Int64: QueueID] = [0: .zero]
  private var types: [Int64: String] = [:]
  private var places: [QueueID: QueuePlace] = [:]
  private var problems: [String] = []
  /// Operations of the outbox and retired ones that name files.
  private var naming: [OutboxEntry] = []

  init(_ inspection: StoreInspection) {
    self.inspection = inspection
    for row in rows(.queue) {
      guard let number = try? row.integer("number"), let id = try? row.bytes("id") else { continue }
      queues[number] = QueueID(bytes: id)
      if number > 0, let id = queues[number] { places[id] = QueuePlace(salvaging: row) }
    }
    for row in rows(.type) {
      guard let number = try? row.integer("number"), let name = try? row.text("name") else { continue }
      types[number] = name
    }
  }

  /// Throws `foreign` if the store belongs to another user or schema. A store whose owner cannot be read is accepted.
  mutating func checkOwner(schema: String, user: UserID) throws {
    for row in rows(.property) {
      guard let name = try? row.text("name"), let value = try? row.text("value") else { continue }
      let expected = ["schema": schema, "user": user.description][name]
      guard expected == nil || expected == value else {
        throw StoreError(.foreign, "The store belongs to the \(name) \(value), not \(expected ?? "").")
      }
    }
  }

  mutating func copy(to transaction: StoreTransaction, _ salvage: inout Salvage) throws {
    // Every queue gets a row, so that sync loads it from its beginning.
    for id in queues.values { _ = try transaction.number(queue: id) }
    try copyRoles(to: transaction)
    for row in rows(.operation) {
      if let operation = operation(row) {
        try insert(operation, transaction)
        salvage.operations += 1
      } else {
        let reason = StoreError(.damaged, "The bytes of an operation are not those that were written.")
        try report(row, id: "id", reason, transaction)
        salvage.failedOperations += 1
      }
    }
    for row in rows(.failed) {
      let code = (try? row.text("reason")).flatMap(StoreError.Code.init(rawValue:)) ?? .damaged
      try report(row, id: "operation", StoreError(code, (try? row.text("message")) ?? ""), transaction)
      salvage.failedOperations += 1
    }
    try copyRetired(to: transaction)
    for (id, place) in places {
      try StoredPlaces.put(place, transaction.number(queue: id), transaction.database)
    }
    try copyServer(to: transaction.database)
    try copyFiles(to: transaction)
    try copyDeviceObjects(to: transaction, &salvage)
    salvage.problems += problems
  }

  /// Copies the user's roles, and which queues are invitations.
  private mutating func copyRoles(to transaction: StoreTransaction) throws {
    for row in rows(.queue) {
      guard let id = (try? row.integer("number")).flatMap({ queues[$0] }) else { continue }
      let number = try transaction.number(queue: id)
      let role = (try? row.integer("role")).flatMap { Int32(exactly: $0).flatMap(QueueRole.init(number:)) }
      if let role { try StoredPlaces.put(role, number, transaction.database) }
      if (try? row.integer("invited")) == 1 { try StoredPlaces.put(isInvited: true, number, transaction.database) }
    }
  }

  /// Copies the identity of the server, since the store syncs with no other, and its history, of which it has heard.
  private mutating func copyServer(to database: Database) throws {
    for row in rows(.property) {
      guard let name = try? row.text("name"), ["server", "history"].contains(name),
        let id = (try? row.bytes("value")).flatMap({ UUIDValue(bytes: $0) })
      else { continue }
      try database.execute(sql: "INSERT INTO property VALUES (?, ?)", arguments: [name, id.stored])
    }
  }

  /// Copies retired operations. Damaged rows are left out: the server has applied them, and has hardly lost them too.
  private mutating func copyRetired(to transaction: StoreTransaction) throws {
    let database = transaction.database
    for row in rows(.retired) {
      guard let operation = operation(row), let time = try? row.integer("outcomeTime"),
        try !isThere(operation, database)
      else { continue }
      try insert(operation, transaction)
      try RetiredOperations.insert(
        operation.number, decidedAt: Timestamp(millisecondsSince1970: time), database)
      try StoredOperations.delete(operation.number, database)
    }
  }

  private mutating func insert(_ operation: OutboxEntry, _ transaction: StoreTransaction) throws {
    if operation.changes.namesFiles { naming.append(operation) }
    try StoredOperations.insert(operation, transaction)
    try StoredOperations.update(operation, transaction.database)
  }

  /// Whether the outbox has the operation already, because damage can leave one in both tables.
  private func isThere(_ operation: OutboxEntry, _ database: Database) throws -> Bool {
    try Int64.fetchOne(
      database, sql: "SELECT 1 FROM operation WHERE id = ? OR number = ?",
      arguments: [operation.id.stored, operation.number]) != nil
  }

  /// Copies the rows of files; the bytes stay where they are. A damaged row is made anew from operations that name the
  /// file. The server is asked for those files, and for the newest uploads, as it is for retired operations.
  private mutating func copyFiles(to transaction: StoreTransaction) throws {
    for row in rows(.file) {
      guard let queue = (try? row.integer("queue")).flatMap({ $0 == 0 ? .zero : queues[$0] }),
        let hash = try? row.bytes("hash"), hash.count == 32, let state = try? row.integer("state"),
        StoredFiles.State(rawValue: state) != nil,
        let objects = try? row.bytes("objects"), objects.count % 16 == 0
      else { continue }
      let number = try transaction.number(queue: queue)
      try transaction.database.execute(
        sql:
          "INSERT OR IGNORE INTO file (queue, hash, state, number, objects, size, since) VALUES (?, ?, ?, ?, ?, ?, ?)",
        arguments: [
          number, Data(hash), state, (try? row.integer("number")) ?? 0, Data(objects), try? row.integer("size"),
          try? row.integer("since"),
        ])
    }
    for operation in naming { try StoredFiles.nameUnknown(operation, transaction) }
    try StoredFiles.doubtNewest(transaction.database)
  }

  private mutating func copyDeviceObjects(to transaction: StoreTransaction, _ salvage: inout Salvage) throws {
    for row in rows(.object, where: "queue", is: .integer(0)) {
      guard let id = try? row.bytes("id"), id.count == 16, let content = try? row.bytes("content"),
        let type = (try? row.integer("type")).flatMap({ types[$0] })
      else {
        problems.append("An object that never left the device cannot be read.")
        continue
      }
      try transaction.database.execute(
        sql: """
          INSERT OR IGNORE INTO object (id, queue, type, revision, createdAt, updatedAt, content)
          VALUES (?, 0, ?, 0, ?, ?, ?)
          """,
        arguments: [
          Data(id), transaction.number(type: type), (try? row.integer("createdAt")) ?? 0,
          (try? row.integer("updatedAt")) ?? 0, Data(content),
        ])
      salvage.deviceObjects += 1
    }
  }

  /// The rows of a table that can be read, each once. If some may be missing, `problems` says so.
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
      let problem = "Rows of `\(table.rawValue)` may be missing. \(error)"
      // Some tables are read twice.
      if !problems.contains(problem) { problems.append(problem) }
    }
    // Rows that were read from the end come in reverse order.
    return rows.sorted { ((try? $0.integer(table.key)) ?? 0) < ((try? $1.integer(table.key)) ?? 0) }
  }
}

extension SalvagedRows {
  /// The operation of a row; nil if its sum does not match.
  private func operation(_ row: StoredRow) -> OutboxEntry? {
    guard let queue = (try? row.integer("queue")).flatMap({ queues[$0] }), queue != .zero,
      let name = (try? row.integer("type")).flatMap({ types[$0] }),
      (try? row.hasSum(queue: queue, name: name)) == true
    else { return nil }
    return try? OutboxEntry(row, queue: queue, name: name)
  }

  /// Adds a row to `failedOperations` with as much of the operation as can be read, its bytes unchanged.
  private func report(_ row: StoredRow, id: String, _ reason: StoreError, _ transaction: StoreTransaction) throws {
    let bytes = { (column: String) in Data((try? row.bytes(column)) ?? []) }
    let queue = (try? row.integer("queue")).flatMap { queues[$0] } ?? .zero
    let name = (try? row.integer("type")).flatMap { types[$0] } ?? ""
    try transaction.database.execute(
      sql: """
        INSERT INTO failed
          (operation, queue, type, parameters, changes, performedAt, reason, message, firstSent, attempt, dependencies)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        bytes(id), transaction.number(queue: queue), transaction.number(type: name), bytes("parameters"),
        bytes("changes"), (try? row.integer("performedAt")) ?? 0, reason.code.rawValue, reason.message,
        try? row.integer("firstSent"), (try? row.integer("attempt")) ?? 0,
        (try? row.bytes("dependencies")).map { Data($0) },
      ])
  }
}
