// The statement that upserts confirmed objects, and keeps the queue's digest up to date.

import GRDB
import GRDBSQLite
import SyncProtocol
import WireFormat

/// Upserts objects of one queue. The statement calls the SQL function `replaces` with the row that would be replaced,
/// so no look-up before it is needed.
final class ObjectUpsert {
  var digest: QueueDigest
  /// Whether all rows are from a lost history: their revisions do not count, and the digest does not have them.
  var replacesAll = false
  private let statement: BoundStatement
  /// The object that is being put.
  private var id = UUIDValue(high: 0, low: 0)

  init(_ queue: Int64, _ digest: QueueDigest, _ database: Database) throws {
    self.digest = digest
    statement = try BoundStatement(
      """
      INSERT INTO object (type, revision, newestBy, createdBy, createdAt, updatedAt, content, id, queue)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET type = excluded.type, revision = excluded.revision,
        newestBy = excluded.newestBy, createdBy = excluded.createdBy, createdAt = excluded.createdAt,
        updatedAt = excluded.updatedAt, content = excluded.content
      WHERE replaces(?, excluded.revision, object.revision, object.updatedAt, object.content)
      """, database)
    try statement.bind(9, queue)
    // Not retained: SQLite calls the function only during `put`, while this object is alive.
    try statement.bind(10, pointer: Unmanaged.passUnretained(self).toOpaque(), of: Self.typeName)
  }

  /// Inserts or replaces an object, unless the stored row is newer.
  func put(_ object: ObjectState, _ live: ObjectState.Live, type: Int64) throws {
    id = object.id
    try statement.bind(1, type)
    try statement.bind(2, object.revision)
    try statement.bind(3, live.newestBy)
    try statement.bind(live.system, from: 4)
    try statement.bind(8, id)
    try statement.run(with: live.content, at: 7)
    guard statement.changes > 0 else { return }
    digest.add(object)
  }

  /// Whether the stored row may be replaced; if so, removes its term from the digest.
  private func replaces(_ old: Row, by revision: Int64) -> Bool {
    if replacesAll { return true }
    guard old.revision <= revision else { return false }
    digest.remove(
      term: QueueDigest.term(id: id, revision: old.revision, updatedAt: old.updatedAt, content: old.content))
    return true
  }

  private struct Row {
    var revision: Int64
    var updatedAt: Timestamp
    var content: UnsafeRawBufferPointer
  }
}

// The SQL function: replaces(upsert, new revision, old revision, old updatedAt, old content).
extension ObjectUpsert {
  /// Registers the SQL function. Called once, for the writing connection.
  static func register(_ database: Database) throws {
    let code = sqlite3_create_function_v2(
      database.sqliteConnection, "replaces", 5, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil,
      { context, _, values in
        guard let values, let upsert = ObjectUpsert.bound(to: values[0]) else {
          return sqlite3_result_error_code(context, SQLITE_MISUSE)
        }
        guard sqlite3_value_type(values[2]) == SQLITE_INTEGER, sqlite3_value_type(values[3]) == SQLITE_INTEGER,
          sqlite3_value_type(values[4]) == SQLITE_BLOB
        else {
          return sqlite3_result_error_code(context, SQLITE_CORRUPT)
        }
        // SQLite prescribes this order: `sqlite3_value_bytes` gives the size of what the first call returned.
        let start = sqlite3_value_blob(values[4])
        let count = Int(sqlite3_value_bytes(values[4]))
        let old = Row(
          revision: sqlite3_value_int64(values[2]),
          updatedAt: Timestamp(millisecondsSince1970: sqlite3_value_int64(values[3])),
          content: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
        let gives = upsert.replaces(old, by: sqlite3_value_int64(values[1]))
        sqlite3_result_int(context, gives ? 1 : 0)
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  /// The tag by which SQLite tells our pointers from others.
  private static let typeName: StaticString = "modelgen.ObjectUpsert"

  private static func bound(to value: OpaquePointer?) -> ObjectUpsert? {
    // The pointer is valid: a statement to which it is bound runs only during `put`, while the upsert is alive.
    sqlite3_value_pointer(value, typeName.characters).map {
      Unmanaged<ObjectUpsert>.fromOpaque($0).takeUnretainedValue()
    }
  }
}

extension StaticString {
  /// The text as a C string.
  var characters: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}
