// Copies a database of PostgreSQL to one of another kind, and back.

package import SyncServer
import WireFormat

extension PostgresStorage {
  /// Reads everything that a database has at one moment. No server may use it: what it wrote meanwhile would be missing.
  package static func copied<Result>(
    from address: String, _ body: (any CopySource) throws -> Result
  ) throws -> Result {
    try alone(with: address, creates: false) { sessions in try sessions.run(.reading) { try body($0) } }
  }

  /// Makes the tables in an empty database, and fills them in one transaction. No server may use it.
  package static func fill<Result>(_ address: String, _ body: (any CopyTarget) throws -> Result) throws -> Result {
    try alone(with: address, creates: true) { sessions in
      try sessions.run(.writing(to: .zero)) { transaction in
        guard try transaction.rows(Statement.queues()).isEmpty else {
          throw StorageError(.foreign, "This PostgreSQL database has queues already; copy into an empty one.")
        }
        transaction.execute(Statement.noHistory())
        return try body(transaction)
      }
    }
  }

  /// Opens a database that no server uses. Throws `busy` if one does.
  static func alone<Result>(
    with address: String, creates: Bool, _ body: (PostgresSessions) throws -> Result
  ) throws -> Result {
    let sessions = PostgresSessions(ConnectionPool(address))
    defer { sessions.close() }
    _ = try DatabaseOpening.open(sessions, creates: creates)
    let servers = try sessions.run(.reading) { try $0.rows(Statement.servers())[0].int(0) }
    guard servers == 0 else {
      throw StorageError(.busy, "A modelserver uses this PostgreSQL database; stop all of them first.")
    }
    return try body(sessions)
  }
}

extension PostgresTransaction: CopySource, CopyTarget {
  package func identity() throws -> ServerID { try rows(Statement.identity())[0].id(0) }

  package func rows(of table: CopiedTable, _ take: ([[CopiedValue]]) throws -> Void) throws {
    let columns = table.columns.map(\.name).joined(separator: ", ")
    let order = table.name == "outcome" ? " ORDER BY number" : ""
    execute(
      PostgresStatement(Statement.all, "DECLARE rows CURSOR FOR SELECT \(columns) FROM \(table.name)\(order)")())
    let next = PostgresStatement(Statement.all, "FETCH 500 FROM rows -- \(table.name)")
    while true {
      let rows = try self.rows(next()).map { row in
        try table.columns.indices.map { try row.copied($0, table.columns[$0].kind) }
      }
      if rows.isEmpty { break }
      try take(rows)
    }
    execute(Statement.noCursor())
  }

  package func insert(_ rows: [[CopiedValue]], into table: CopiedTable) throws {
    let names = table.columns.map(\.name).joined(separator: ", ")
    let arrays = table.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    // A truth value comes as a number.
    let values = table.columns.map { $0.kind == .bool ? "\($0.name) <> 0" : $0.name }.joined(separator: ", ")
    let sql = "INSERT INTO \(table.name) (\(names)) SELECT \(values) FROM unnest(\(arrays)) AS part (\(names))"
    let columns = table.columns.indices.map { index in
      PostgresValue(rows.map { $0[index] }, of: table.columns[index].kind)
    }
    // Not left for later: all of them together need not fit into memory.
    _ = try self.rows([PostgresCall(statement: PostgresStatement(Statement.all, sql), values: columns)])
  }

  package func addUp() throws {
    execute(Statement.queueUsage())
    execute(Statement.usage())
  }

  package func become(_ identity: ServerID, at time: Timestamp) throws {
    execute(Statement.become(.id(identity), .time(time)))
  }
}

extension PostgresRow {
  fileprivate func copied(_ index: Int, _ kind: CopiedTable.Kind) throws -> CopiedValue {
    guard let bytes = try bytesIfAny(index) else { return .none }
    return switch kind {
    case .id: .id(try id(index))
    case .bytes: .bytes(bytes)
    case .int: .int(try int(index))
    case .text: .text(try text(index))
    case .bool: .bool(try bool(index))
    }
  }
}

extension PostgresValue {
  /// A column of an array.
  fileprivate init(_ values: [CopiedValue], of kind: CopiedTable.Kind) {
    switch kind {
    case .id: self = .ids(values.map { if case .id(let id) = $0 { id } else { nil } })
    case .bytes: self = .blobs(values.map { if case .bytes(let bytes) = $0 { bytes } else { nil } })
    case .int: self = .ints(values.map { if case .int(let number) = $0 { number } else { nil } })
    case .text: self = .texts(values.map { if case .text(let text) = $0 { text } else { nil } })
    case .bool: self = .ints(values.map { if case .bool(let isTrue) = $0 { isTrue ? 1 : 0 } else { nil } })
    }
  }
}

private enum Statement {
  static let all = PostgresStatement.Reach.allQueues(because: "a copy is of everything")
  static let servers = PostgresStatement(
    .everywhere,
    """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = current_setting('application_name')
      AND pid <> pg_backend_pid()
    """)
  static let identity = PostgresStatement(.everywhere, "SELECT id FROM server")
  static let queues = PostgresStatement(
    all, "SELECT 1 FROM queue LIMIT 1")
  static let noHistory = PostgresStatement(.everywhere, "DELETE FROM history")
  static let noCursor = PostgresStatement(.nothing, "CLOSE rows")
  static let become = PostgresStatement(.everywhere, "UPDATE server SET id = $1, newest_time = $2")
  static let queueUsage = PostgresStatement(
    all,
    """
    INSERT INTO queue_usage (queue, rows, bytes, file_bytes)
    SELECT queue, sum(rows)::bigint, sum(bytes)::bigint, sum(file_bytes)::bigint FROM (
      SELECT queue, 1 AS rows, coalesce(octet_length(content), 0) AS bytes, 0 AS file_bytes FROM object
      UNION ALL SELECT queue, 0, 0, size FROM file
      UNION ALL SELECT queue, 0, 0, bytes FROM part) AS part
    GROUP BY queue
    """)
  static let usage = PostgresStatement(
    all,
    """
    INSERT INTO usage (queue, account, rows, bytes, file_bytes)
    SELECT queue, account, sum(rows)::bigint, sum(bytes)::bigint, sum(file_bytes)::bigint FROM (
      SELECT queue, created_by AS account, 1 AS rows, octet_length(content) AS bytes, 0 AS file_bytes
      FROM object WHERE created_by IS NOT NULL
      UNION ALL SELECT queue, account, 1, 0, 0 FROM outcome
      UNION ALL SELECT queue, brought_by, 0, 0, size FROM file
      UNION ALL SELECT queue, brought_by, 0, 0, bytes FROM part) AS part
    GROUP BY queue, account
    """)
}
