// Reads the confirmed rows of a device's database, beside its store (docs/formats/store-layout.md).

import StoreTestSupport
import SyncProtocol
import WireFormat

/// Has a connection of its own, for as long as the app lives.
final class DeviceRows {
  private let database: RawDatabase
  private let disk: FaultDisk
  /// The result of the last read, and the `points` of the disk at that time.
  private var newest: (points: Int, queues: [QueueID: Queue])?

  struct Row: Hashable {
    var revision: Int64
    var type: String
    var newestBy: Int64?
    var createdBy: UserID?
    var createdAt: Int64
    var updatedAt: Int64
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
    database = try RawDatabase(folder: disk.folder)
    // Reads the schema before the disk may fail.
    _ = try read()
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
    try database.rows(of: "BEGIN") { _ in }
    defer { _ = try? database.rows(of: "COMMIT") { _ in } }
    var ids: [Int64: QueueID] = [:]
    var result: [QueueID: Queue] = [:]
    try database.rows(of: "SELECT number, id, cursor, load, history FROM queue WHERE number > 0") { row in
      guard let load = Load(rawValue: row.number(3)) else { throw RawDatabase.Failure(message: "an unknown load") }
      let id: QueueID = row.id(1) ?? .zero
      ids[row.number(0)] = id
      result[id] = Queue(load: load, cursor: row.number(2), history: row.id(4))
    }
    try database.rows(of: "SELECT queue, id, revision FROM tombstone") { row in
      if let queue = ids[row.number(0)], let id = row.uuid(1) { result[queue]?.tombstones[id] = row.number(2) }
    }
    try database.rows(of: "SELECT queue, id FROM operation WHERE hidden <> 0") { row in
      if let queue = ids[row.number(0)], let id: OperationID = row.id(1) { result[queue]?.hidden.insert(id) }
    }
    let objects = """
      SELECT object.queue, object.id, revision, type.name, content, newestBy, createdBy, createdAt, updatedAt
      FROM object JOIN type ON type.number = object.type
      """
    try database.rows(of: objects) { row in
      guard let queue = ids[row.number(0)], let id = row.uuid(1) else { return }
      result[queue]?.rows[id] = Row(
        revision: row.number(2), type: String(decoding: row.bytes(3), as: UTF8.self),
        newestBy: row.isNull(5) ? nil : row.number(5), createdBy: row.id(6), createdAt: row.number(7),
        updatedAt: row.number(8), content: row.bytes(4))
    }
    return result
  }

  /// The ids of the retired operations.
  func readRetired() throws -> Set<OperationID> { try ids(of: "SELECT id FROM retired") }

  /// The ids of the operations in the outbox.
  func readOutbox() throws -> Set<OperationID> { try ids(of: "SELECT id FROM operation") }

  /// The queues whose last request has failed. Their next one waits, also after a restart.
  func readFailing() throws -> Set<QueueID> { try ids(of: "SELECT id FROM queue WHERE attempts > 0") }

  private func ids<Object>(of sql: String) throws -> Set<ObjectID<Object>> {
    Set(try database.rows(of: sql) { $0.id(0) }.compactMap { $0 })
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
    let files = """
      SELECT queue.id, hash, state, load, size, since FROM file JOIN queue ON queue.number = file.queue
      ORDER BY queue.id, hash
      """
    return try database.rows(of: files) { row in
      guard let queue: QueueID = row.id(0), let hash = ContentHash(bytes: row.bytes(1)) else {
        throw RawDatabase.Failure(message: "a file without a queue or a hash")
      }
      return File(
        place: FileKey(queue: queue, hash: hash), state: row.number(2), load: Load(rawValue: row.number(3)),
        wasHere: !row.isNull(4), since: row.number(5))
    }
  }

  /// The files that are still to be uploaded.
  func readUploads() throws -> [FileKey] { try readFiles().filter { $0.state == File.toUpload }.map(\.place) }

  /// By queue: the number of the user's role that the device last heard.
  func readRoles() throws -> [QueueID: Int64] {
    let roles = try database.rows(of: "SELECT id, role FROM queue WHERE role IS NOT NULL") { row in
      row.uuid(0).map { (QueueID($0), row.number(1)) }
    }
    return Dictionary(uniqueKeysWithValues: roles.compactMap { $0 })
  }
}

extension OperationChanges {
  func deletes(_ object: UUIDValue) -> Bool {
    objects.contains { change in
      if case .delete = change.action { change.object == object } else { false }
    }
  }
}
