// Statements that pass numbers and bytes to SQLite directly, without a `DatabaseValue` for each.

import GRDB
import GRDBSQLite
import WireFormat

/// Binds, runs and reads with SQLite's own functions; GRDB keeps the statement and the connection.
///
/// Reading throws `StoreError` where a column has not the type that was written: a damaged file must not crash the app.
struct BoundStatement {
  private let statement: Statement
  private let database: Database

  /// GRDB prepares a text once for each connection, so two statements of one text cannot be read at the same time.
  init(_ sql: String, _ database: Database) throws {
    statement = try database.cachedStatement(sql: sql)
    self.database = database
  }

  /// Runs a statement that gives no rows.
  func run() throws {
    guard try !next() else { preconditionFailure("the statement gives rows") }
  }

  /// Binds bytes without copying them, and runs a statement that gives no rows.
  func run(with bytes: [UInt8], at index: Int32) throws {
    try bytes.withUnsafeBytes { bytes in
      try bind(index, bytes, Self.inPlace)
      // The statement must not keep a pointer to bytes that are gone.
      defer { _ = sqlite3_bind_null(statement.sqliteStatement, index) }
      try run()
    }
  }

  /// How many rows the last INSERT, UPDATE or DELETE of the connection has changed.
  var changes: Int32 { sqlite3_changes(sqlite3_db_handle(statement.sqliteStatement)) }

  /// Steps to the next row; false behind the last one. Then, and after an error, the statement can be bound again.
  func next() throws -> Bool {
    switch sqlite3_step(statement.sqliteStatement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      reset()
      return false
    case let code:
      let error = DatabaseError(
        resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage, sql: statement.sql)
      reset()
      throw error
    }
  }

  /// Ends reading before the last row. An unfinished statement would keep its read transaction open.
  func reset() {
    // It returns the code of the last step, which `next` has thrown.
    _ = sqlite3_reset(statement.sqliteStatement)
  }
}

// Binding. SQLite copies what it is given, except in `run(with:at:)`.
extension BoundStatement {
  func bind(_ index: Int32, _ number: Int64?) throws {
    if let number {
      try check(sqlite3_bind_int64(statement.sqliteStatement, index, number))
    } else {
      try check(sqlite3_bind_null(statement.sqliteStatement, index))
    }
  }

  func bind<Object>(_ index: Int32, _ id: ObjectID<Object>) throws { try bind(index, id.rawValue) }

  func bind(_ index: Int32, _ id: UUIDValue) throws {
    try withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { try bind(index, $0, Self.copying) }
  }

  func bind(_ index: Int32, _ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try bind(index, $0, Self.copying) }
  }

  func bind(_ index: Int32, _ text: String) throws {
    var text = text
    try text.withUTF8 { bytes in
      try check(
        sqlite3_bind_text64(
          statement.sqliteStatement, index, UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self),
          UInt64(bytes.count), Self.copying, UInt8(SQLITE_UTF8)))
    }
  }

  /// Binds a pointer for a function of ours that SQL calls; `type` is the name by which the function asks for it.
  func bind(_ index: Int32, pointer: UnsafeMutableRawPointer, of type: StaticString) throws {
    try check(sqlite3_bind_pointer(statement.sqliteStatement, index, pointer, type.characters, nil))
  }

  private func bind(
    _ index: Int32, _ bytes: UnsafeRawBufferPointer, _ lifetime: sqlite3_destructor_type?
  ) throws {
    // Without an address SQLite would bind NULL.
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      return try check(sqlite3_bind_zeroblob(statement.sqliteStatement, index, 0))
    }
    try check(sqlite3_bind_blob64(statement.sqliteStatement, index, start, UInt64(bytes.count), lifetime))
  }

  // SQLITE_STATIC and SQLITE_TRANSIENT: Swift does not import these macros.
  private static var inPlace: sqlite3_destructor_type? { nil }
  private static var copying: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  private func check(_ code: Int32) throws {
    guard code != SQLITE_OK else { return }
    throw DatabaseError(
      resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage, sql: statement.sql)
  }
}

// Reading the row that `next` has found.
extension BoundStatement {
  func integer(_ index: Int32) throws -> Int64 {
    try expect(SQLITE_INTEGER, at: index)
    return sqlite3_column_int64(statement.sqliteStatement, index)
  }

  func bytes(_ index: Int32) throws -> [UInt8] {
    try withBytes(index) { [UInt8]($0) }
  }

  func id<Object>(_ index: Int32) throws -> ObjectID<Object> { ObjectID(try id(index)) }

  func id(_ index: Int32) throws -> UUIDValue {
    try withBytes(index) { bytes in
      guard bytes.count == 16 else { throw StoreError(.damaged, "An id has \(bytes.count) bytes instead of 16.") }
      return UUIDValue(
        high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
  }

  func text(_ index: Int32) throws -> String {
    try expect(SQLITE_TEXT, at: index)
    let start = sqlite3_column_text(statement.sqliteStatement, index)
    let count = Int(sqlite3_column_bytes(statement.sqliteStatement, index))
    let bytes = UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw StoreError(.damaged, "A text of the store is not UTF-8.")
    }
    return text
  }

  func isNull(_ index: Int32) -> Bool {
    sqlite3_column_type(statement.sqliteStatement, index) == SQLITE_NULL
  }

  /// Lends the bytes of a column, which are valid until `body` returns.
  func withBytes<Result>(_ index: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    try expect(SQLITE_BLOB, at: index)
    // SQLite asks for this order: the first call converts the value, the second one gives the size of the result.
    let start = sqlite3_column_blob(statement.sqliteStatement, index)
    let count = Int(sqlite3_column_bytes(statement.sqliteStatement, index))
    return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  private func expect(_ type: Int32, at index: Int32) throws {
    guard sqlite3_column_type(statement.sqliteStatement, index) == type else {
      throw StoreError(.damaged, "A column of the store has another type than it was written with.")
    }
  }
}
