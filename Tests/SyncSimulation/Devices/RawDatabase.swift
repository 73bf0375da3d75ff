// A connection to the database of a store, beside the store's own.

import GRDBSQLite
import WireFormat

/// Keeps its statements, because the oracles ask the same at each look.
final class RawDatabase {
  private var connection: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  struct Failure: Error {
    var message: String
  }

  init(folder: String) throws {
    let result = sqlite3_open_v2("\(folder)/store.sqlite", &connection, SQLITE_OPEN_READWRITE, nil)
    guard result == SQLITE_OK else { throw failure }
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(connection)
  }

  /// Runs a statement. Returns what `read` makes of each row.
  @discardableResult
  func rows<Value>(of sql: String, _ read: (Row) throws -> Value) throws -> [Value] {
    let statement = try prepared(sql)
    defer { sqlite3_reset(statement) }
    var values: [Value] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: values.append(try read(Row(statement: statement)))
      case SQLITE_DONE: return values
      default: throw failure
      }
    }
  }

  private func prepared(_ sql: String) throws -> OpaquePointer {
    if let known = statements[sql] { return known }
    var statement: OpaquePointer?
    sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard let statement else { throw failure }
    statements[sql] = statement
    return statement
  }

  private var failure: Failure { Failure(message: sqlite3_errmsg(connection).map { String(cString: $0) } ?? "") }

  /// The present row of a statement.
  struct Row {
    fileprivate let statement: OpaquePointer

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
    func number(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
    func id<Object>(_ column: Int32) -> ObjectID<Object>? { uuid(column).map { ObjectID($0) } }

    /// Nil if the value is NULL or does not have 16 bytes.
    func uuid(_ column: Int32) -> UUIDValue? {
      guard sqlite3_column_bytes(statement, column) == 16, let blob = sqlite3_column_blob(statement, column) else {
        return nil
      }
      let words = UnsafeRawBufferPointer(start: blob, count: 16)
      return UUIDValue(
        high: UInt64(bigEndian: words.loadUnaligned(as: UInt64.self)),
        low: UInt64(bigEndian: words.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    func bytes(_ column: Int32) -> [UInt8] {
      let count = Int(sqlite3_column_bytes(statement, column))
      guard count > 0, let blob = sqlite3_column_blob(statement, column) else { return [] }
      return [UInt8](UnsafeRawBufferPointer(start: blob, count: count))
    }

    /// All values as words; `-` stands for NULL.
    var line: String {
      (0..<sqlite3_column_count(statement)).map { column in
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "-"
      }.joined(separator: " ")
    }
  }
}
