// Reads the confirmed rows of a device's database, beside its store (docs/formats/store-layout.md).

import GRDBSQLite
import StoreTestSupport
import SyncProtocol
import WireFormat

/// Has a connection of its own, for as long as the app lives.
final class DeviceRows {
  private var database: OpaquePointer?
  private var objects: OpaquePointer?
  private var queues: OpaquePointer?
  private var retired: OpaquePointer?
  private var roles: OpaquePointer?
  private var hidden: OpaquePointer?
  private var tombstones: OpaquePointer?
  private var files: OpaquePointer?
  private let disk: FaultDisk
  /// The result of the last read, and the `points` of the disk at that time.
  private var newest: (points: Int, queues: [QueueID: Queue])?

  struct Failure: Error {}

  struct Row: Hashable {
    var revision: Int64
    var type: String
    var newestBy: Int64?
    var createdBy: UserID?
    var content: [UInt8]
  }

  struct Queue: Hashable {
    var load: Load
    var cursor: Int64
    /// The server's history of the shown rows; nil before a load is complete.
    var history: HistoryID?
    var rows: [UUIDValue: Row] = [:]
    /// Deletes that are remembered, with their revisions.
    var tombstones: [UUIDValue: Int64] = [:]
    /// Operations that are sent again after a loss. They are in the rows, and not replayed on top of them.
    var hidden: Set<OperationID> = []
  }

  enum Load: Int64 { case unread, loading, loaded, reloading, revoked, ended }

  init(disk: FaultDisk) throws {
    self.disk = disk
    guard sqlite3_open_v2("\(disk.folder)/store.sqlite", &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      throw Failure()
    }
    queues = try prepare("SELECT number, id, cursor, load, history FROM queue WHERE number > 0")
    tombstones = try prepare("SELECT queue, id, revision FROM tombstone")
    retired = try prepare("SELECT id FROM retired")
    files = try prepare(
      """
      SELECT queue.id, hash, state, load, size, since FROM file JOIN queue ON queue.number = file.queue
      ORDER BY queue.id, hash
      """)
    roles = try prepare("SELECT id, role FROM queue WHERE role IS NOT NULL")
    hidden = try prepare("SELECT queue, id FROM operation WHERE hidden <> 0")
    objects = try prepare(
      """
      SELECT object.queue, object.id, revision, type.name, content, newestBy, createdBy
      FROM object JOIN type ON type.number = object.type
      """)
  }

  deinit {
    sqlite3_finalize(roles)
    sqlite3_finalize(retired)
    sqlite3_finalize(hidden)
    sqlite3_finalize(files)
    sqlite3_finalize(tombstones)
    sqlite3_finalize(objects)
    sqlite3_finalize(queues)
    sqlite3_close_v2(database)
  }

  /// Every queue of the store with its live objects, read in one transaction. Returns the last result again if nothing
  /// was written to the disk meanwhile.
  func read() throws -> [QueueID: Queue] {
    let points = disk.points
    if let newest, newest.points == points { return newest.queues }
    newest = nil
    let queues = try readAll()
    newest = (points, queues)
    return queues
  }

  private func readAll() throws -> [QueueID: Queue] {
    guard sqlite3_exec(database, "BEGIN", nil, nil, nil) == SQLITE_OK else { throw Failure() }
    defer { sqlite3_exec(database, "COMMIT", nil, nil, nil) }
    var ids: [Int64: QueueID] = [:]
    var result: [QueueID: Queue] = [:]
    while try step(queues) {
      let id: QueueID = id(queues, 1) ?? .zero
      ids[sqlite3_column_int64(queues, 0)] = id
      guard let load = Load(rawValue: sqlite3_column_int64(queues, 3)) else { throw Failure() }
      result[id] = Queue(load: load, cursor: sqlite3_column_int64(queues, 2), history: self.id(queues, 4))
    }
    while try step(tombstones) {
      guard let queue = ids[sqlite3_column_int64(tombstones, 0)], let id = uuid(tombstones, 1) else { continue }
      result[queue]?.tombstones[id] = sqlite3_column_int64(tombstones, 2)
    }
    while try step(hidden) {
      guard let queue = ids[sqlite3_column_int64(hidden, 0)], let id: OperationID = id(hidden, 1) else { continue }
      result[queue]?.hidden.insert(id)
    }
    while try step(objects) {
      guard let queue = ids[sqlite3_column_int64(objects, 0)], let id = uuid(objects, 1) else {
        continue
      }
      result[queue]?.rows[id] = Row(
        revision: sqlite3_column_int64(objects, 2), type: String(decoding: bytes(objects, 3), as: UTF8.self),
        newestBy: sqlite3_column_type(objects, 5) == SQLITE_NULL ? nil : sqlite3_column_int64(objects, 5),
        createdBy: UserID(bytes: bytes(objects, 6)), content: bytes(objects, 4))
    }
    return result
  }

  /// The ids of the retired operations.
  func readRetired() throws -> Set<OperationID> {
    var ids: Set<OperationID> = []
    while try step(retired) { if let id = OperationID(bytes: bytes(retired, 0)) { ids.insert(id) } }
    return ids
  }

  /// The ids of the operations in the outbox.
  func readOutbox() throws -> Set<OperationID> {
    let outbox = try prepare("SELECT id FROM operation")
    defer { sqlite3_finalize(outbox) }
    var ids: Set<OperationID> = []
    while try step(outbox) { if let id = OperationID(bytes: bytes(outbox, 0)) { ids.insert(id) } }
    return ids
  }

  /// The queues whose last request has failed. Their next one waits, also after a restart.
  func readFailing() throws -> Set<QueueID> {
    let failing = try prepare("SELECT id FROM queue WHERE attempts > 0")
    defer { sqlite3_finalize(failing) }
    var queues: Set<QueueID> = []
    while try step(failing) { if let queue: QueueID = id(failing, 0) { queues.insert(queue) } }
    return queues
  }

  struct File {
    var place: FileKey
    var state: Int64
    /// How far the file's queue is loaded.
    var load: Load?
    /// The row has a size: the bytes were on this device.
    var wasHere: Bool
    var since: Int64

    static let toUpload: Int64 = 1
    static let uploaded: Int64 = 2
    /// Kept although its queue or its objects have gone.
    static let kept: Int64 = 3
  }

  /// Every row of the table of files.
  func readFiles() throws -> [File] {
    var found: [File] = []
    while try step(files) {
      guard let queue: QueueID = id(files, 0), let hash = ContentHash(bytes: bytes(files, 1)) else { throw Failure() }
      found.append(
        File(
          place: FileKey(queue: queue, hash: hash), state: sqlite3_column_int64(files, 2),
          load: Load(rawValue: sqlite3_column_int64(files, 3)),
          wasHere: sqlite3_column_type(files, 4) != SQLITE_NULL, since: sqlite3_column_int64(files, 5)))
    }
    return found
  }

  /// The files that are still to be uploaded.
  func readUploads() throws -> [FileKey] { try readFiles().filter { $0.state == File.toUpload }.map(\.place) }

  /// By queue: the number of the user's role that the device last heard.
  func readRoles() throws -> [QueueID: Int64] {
    var result: [QueueID: Int64] = [:]
    while try step(roles) { if let id: QueueID = id(roles, 0) { result[id] = sqlite3_column_int64(roles, 1) } }
    return result
  }

  private func prepare(_ sql: String) throws -> OpaquePointer? {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK else {
      throw Failure()
    }
    return statement
  }

  /// Steps the statement and returns whether there is a row. Resets the statement when there is none, and on an error.
  private func step(_ statement: OpaquePointer?) throws -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      sqlite3_reset(statement)
      return false
    default:
      sqlite3_reset(statement)
      throw Failure()
    }
  }

  private func id<Object>(_ statement: OpaquePointer?, _ column: Int32) -> ObjectID<Object>? {
    uuid(statement, column).map { ObjectID($0) }
  }

  /// Nil if the value is NULL or does not have 16 bytes.
  private func uuid(_ statement: OpaquePointer?, _ column: Int32) -> UUIDValue? {
    guard sqlite3_column_bytes(statement, column) == 16, let blob = sqlite3_column_blob(statement, column) else {
      return nil
    }
    let words = UnsafeRawBufferPointer(start: blob, count: 16)
    return UUIDValue(
      high: UInt64(bigEndian: words.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: words.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }

  private func bytes(_ statement: OpaquePointer?, _ column: Int32) -> [UInt8] {
    let count = Int(sqlite3_column_bytes(statement, column))
    guard count > 0, let blob = sqlite3_column_blob(statement, column) else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: blob, count: count))
  }
}

extension OperationChanges {
  func deletes(_ object: UUIDValue) -> Bool {
    objects.contains { change in
      if case .delete = change.action { change.object == object } else { false }
    }
  }
}
