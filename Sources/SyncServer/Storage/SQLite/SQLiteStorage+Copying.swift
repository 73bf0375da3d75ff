// Copies a database of SQLite to one of another kind, and back.

import Foundation
import GRDB
import WireFormat

extension SQLiteStorage {
  /// Reads everything that this database has at one moment.
  package func copied<Result>(_ body: (any CopySource) throws -> Result) throws -> Result {
    try readNow { try body(SQLiteTransaction(database: $0)) }
  }

  /// Fills this database, which has just been made, in one transaction.
  package func fill<Result>(_ body: (any CopyTarget) throws -> Result) throws -> Result {
    try writeNow { database in
      try database.execute(sql: "DELETE FROM history")
      return try body(SQLiteTransaction(database: database))
    }
  }
}

extension SQLiteTransaction: CopySource, CopyTarget {
  /// Rows that are written at once.
  private static let batch = 500

  package func identity() throws -> ServerID {
    guard let row = try row("SELECT id FROM identity", []) else {
      throw StorageError(.damaged, "The server's database has no id.")
    }
    return try row.id(0)
  }

  package func rows(of table: CopiedTable, _ take: ([[CopiedValue]]) throws -> Void) throws {
    // By default in the order in which they were stored.
    let sql = "SELECT \(table.columnsOnSQLite) FROM \(table.nameOnSQLite)"
    var rows: [[CopiedValue]] = []
    let cursor = try Row.fetchCursor(database, sql: table.name == "outcome" ? sql + " ORDER BY rowid" : sql)
    while let row = try cursor.next() {
      rows.append(try table.columns.indices.map { try row.copied($0, table.columns[$0].kind) })
      if rows.count == Self.batch {
        try take(rows)
        rows = []
      }
    }
    if !rows.isEmpty { try take(rows) }
  }

  package func insert(_ rows: [[CopiedValue]], into table: CopiedTable) throws {
    let places = table.columns.map { _ in "?" }.joined(separator: ", ")
    let statement = try database.cachedStatement(
      sql: "INSERT INTO \(table.nameOnSQLite) (\(table.columnsOnSQLite)) VALUES (\(places))")
    for row in rows { try statement.execute(arguments: StatementArguments(row.map(\.stored))) }
  }

  package func addUp() throws {
    for (table, key) in [("queueBytes", "queue"), ("accountBytes", "broughtBy")] {
      try database.execute(
        sql: """
          INSERT INTO \(table) SELECT key, sum(bytes) FROM (
            SELECT \(key) AS key, size AS bytes FROM file UNION ALL SELECT \(key), bytes FROM part
          ) GROUP BY key HAVING sum(bytes) > 0
          """)
    }
    try database.execute(
      sql: """
        INSERT INTO queueUsage SELECT queue, count(*), sum(ifnull(length(content), 0)) FROM object GROUP BY queue;
        INSERT INTO accountUsage SELECT account, sum(rows), sum(bytes) FROM (
          SELECT createdBy AS account, 1 AS rows, length(content) AS bytes FROM object WHERE type IS NOT NULL
          UNION ALL SELECT account, 1, 0 FROM outcome
        ) GROUP BY account;
        """)
  }

  package func become(_ identity: ServerID, at time: Timestamp) throws {
    try database.execute(sql: "UPDATE identity SET id = ?", arguments: [identity.stored])
    try put(newestTime: time)
  }
}

extension CopiedTable {
  fileprivate var nameOnSQLite: String { name.camelCased }
  fileprivate var columnsOnSQLite: String { columns.map(\.name.camelCased).joined(separator: ", ") }
}

extension String {
  fileprivate var camelCased: String {
    let words = split(separator: "_")
    return words.dropFirst().reduce(String(words[0])) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
  }
}

extension Row {
  fileprivate func copied(_ index: Int, _ kind: CopiedTable.Kind) throws -> CopiedValue {
    if hasNull(atIndex: index) { return .none }
    return switch kind {
    case .id: .id(try id(index))
    case .bytes: .bytes([UInt8](try decode(Data.self, atIndex: index)))
    case .int: .int(try decode(Int64.self, atIndex: index))
    case .text: .text(try decode(String.self, atIndex: index))
    case .bool: .bool(try decode(Bool.self, atIndex: index))
    }
  }
}

extension CopiedValue {
  fileprivate var stored: (any DatabaseValueConvertible)? {
    switch self {
    case .none: nil
    case .id(let id): Data(id.bytes)
    case .bytes(let bytes): Data(bytes)
    case .int(let number): number
    case .text(let text): text
    case .bool(let isTrue): isTrue
    }
  }
}
