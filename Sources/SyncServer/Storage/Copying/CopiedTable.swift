// The tables that both kinds of database have, for a copy from one to the other.

package import WireFormat

/// A table with the columns that are copied. What a database can work out from other rows is not among them: sums, the
/// numbers of types. Names are those of PostgreSQL.
package struct CopiedTable: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case id, bytes, int, text, bool }

  package struct Column: Hashable, Sendable {
    package let name: String
    package let kind: Kind
  }

  package let name: String
  package let columns: [Column]

  private init(_ name: String, _ columns: KeyValuePairs<String, Kind>) {
    self.name = name
    self.columns = columns.map { Column(name: $0.key, kind: $0.value) }
  }

  package static let all = [
    CopiedTable("history", ["number": .int, "id": .id, "since": .int]),
    CopiedTable(
      "queue",
      [
        "queue": .id, "schema": .text, "head": .int, "floor": .int, "retention": .int, "live": .int, "digest": .int,
        "ended": .bool, "newest": .int,
      ]),
    CopiedTable(
      "member",
      ["queue": .id, "account": .id, "role": .int, "membership": .id, "added_by": .id, "since": .int]),
    CopiedTable("former_member", ["queue": .id, "account": .id]),
    CopiedTable(
      "object",
      [
        "queue": .id, "id": .id, "revision": .int, "type": .text, "newest_by": .int, "created_by": .id,
        "created_at": .int, "updated_at": .int, "content": .bytes,
      ]),
    CopiedTable(
      "outcome",
      [
        "queue": .id, "operation": .id, "status": .int, "code": .text, "at": .int, "time": .int, "attempt": .int,
        "account": .id,
      ]),
    CopiedTable("file", ["queue": .id, "hash": .bytes, "size": .int, "time": .int, "brought_by": .id]),
    CopiedTable("part", ["queue": .id, "hash": .bytes, "bytes": .int, "brought_by": .id]),
    CopiedTable("file_reference", ["queue": .id, "id": .id, "tag": .int, "hash": .bytes]),
    CopiedTable("duty", ["queue": .id, "account": .id, "head": .int]),
    CopiedTable("mark", ["queue": .id, "head": .int, "time": .int]),
    CopiedTable("invitation", ["account": .id, "day": .int, "people": .int, "memberships": .int]),
    CopiedTable("seen", ["account": .id, "schema": .text, "version": .text, "day": .int]),
  ]
}

/// What stands in a column.
package enum CopiedValue: Hashable, Sendable {
  case none
  case id(UUIDValue)
  case bytes([UInt8])
  case int(Int64)
  case text(String)
  case bool(Bool)
}

/// All rows of a database at one moment.
package protocol CopySource {
  func identity() throws -> ServerID
  func newestTime() throws -> Timestamp
  /// Calls `take` with all rows of a table, some hundreds at a time. Outcomes come in the order in which they were stored.
  func rows(of table: CopiedTable, _ take: ([[CopiedValue]]) throws -> Void) throws
}

/// A transaction that fills an empty database.
package protocol CopyTarget {
  func insert(_ rows: [[CopiedValue]], into table: CopiedTable) throws
  /// Works out what is not copied. To be called when all rows are there.
  func addUp() throws
  /// From now on it is the same server for its clients.
  func become(_ identity: ServerID, at time: Timestamp) throws
}

extension CopyTarget {
  /// Takes everything over. Returns how many rows each table has.
  package func fill(from source: any CopySource) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for table in CopiedTable.all {
      try source.rows(of: table) { rows in
        try insert(rows, into: table)
        counts[table.name, default: 0] += rows.count
      }
    }
    try addUp()
    try become(source.identity(), at: source.newestTime())
    return counts
  }
}
