// A row as it is in the database, with uninterpreted values, so that even a damaged one can be shown.

import Foundation
import GRDB
package import WireFormat

/// The columns of one row, by name.
package struct StoredRow: Hashable, Sendable {
  /// The values by column name; a column that the table does not have is absent.
  package var columns: [String: StoredValue]

  package init(_ columns: [String: StoredValue]) {
    self.columns = columns
  }

  /// Throws a `StoreError` where the column is absent or holds something else.
  package func integer(_ column: String) throws -> Int64 {
    guard case .integer(let value)? = columns[column] else { throw wrong(column, "a number") }
    return value
  }

  /// Throws a `StoreError` where the column is absent or holds something else.
  package func text(_ column: String) throws -> String {
    guard case .text(let value)? = columns[column] else { throw wrong(column, "a text") }
    return value
  }

  /// Throws a `StoreError` where the column is absent or holds something else.
  package func bytes(_ column: String) throws -> [UInt8] {
    guard case .bytes(let value)? = columns[column] else { throw wrong(column, "bytes") }
    return value
  }

  /// Whether the stored sum of an operation matches its columns.
  ///
  /// `queue` and `name` are what the numbers in the row stand for. Throws a `StoreError` if a column is absent or
  /// wrong.
  package func hasSum(queue: QueueID?, name: String) throws -> Bool {
    guard let id = OperationID(bytes: try bytes("id")) else { return false }
    let sum = OutboxEntry.sum(
      number: try integer("number"), id: id, queue: queue, name: name,
      performedAt: Timestamp(millisecondsSince1970: try integer("performedAt")), parameters: try bytes("parameters"),
      changes: try bytes("changes"), dependencies: try dependencies())
    return sum == (try integer("sum"))
  }

  func dependencies() throws -> [OperationID] {
    isNull("dependencies") ? [] : try [OperationID](stored: bytes("dependencies"))
  }

  /// Whether the table has the column: `retired` has fewer columns than `operation`.
  package func has(_ column: String) -> Bool { columns[column] != nil }

  /// False also where the table does not have the column.
  package func isNull(_ column: String) -> Bool { columns[column] == .null }

  private func wrong(_ column: String, _ expected: String) -> StoreError {
    StoreError(.damaged, "`\(column)` is \(columns[column]?.kind ?? "not there") instead of \(expected).")
  }
}

/// A value that SQLite can hold in a column.
package enum StoredValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])

  fileprivate var kind: String {
    switch self {
    case .null: "empty"
    case .integer: "a number"
    case .real: "a fraction"
    case .text: "a text"
    case .bytes: "bytes"
    }
  }
}

extension StoredRow {
  init(_ row: Row) {
    columns = Dictionary(row.map { ($0, StoredValue($1)) }) { first, _ in first }
  }
}

extension StoredValue {
  init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let value): self = .integer(value)
    case .double(let value): self = .real(value)
    case .string(let value): self = .text(value)
    case .blob(let value): self = .bytes([UInt8](value))
    }
  }

  var argument: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let value): value.databaseValue
    case .bytes(let value): Data(value).databaseValue
    }
  }
}
