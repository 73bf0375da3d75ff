// Rows of the table `file`: for each queue the files to upload, those on the server, and those that were fetched.

import Foundation
import GRDB
import ModelTypes
import SyncProtocol
import WireFormat

enum StoredFiles {
  /// The raw values are stored in rows.
  enum State: Int64 {
    /// Fetched from the queue.
    case fetched = 0
    /// Named by an operation of this device, and not on the server yet.
    case toUpload = 1
    /// Uploaded by this device.
    case uploaded = 2
    /// Not to be uploaded now, because its queue or its objects have gone from this device. If an object that names the
    /// file comes back, it becomes `toUpload`. The row goes after 7 days, once no operation (retired or not) and no
    /// report in `failedOperations` names the file.
    case kept = 3
    /// Named by an object that never leaves the device.
    case device = 4
  }

  typealias Uploads = [FileKey: FileTable.Upload]

  /// The files to upload, of one queue or of all.
  static func uploads(of queue: Int64? = nil, _ database: Database) throws -> Uploads {
    var uploads: Uploads = [:]
    let row = try BoundStatement(
      """
      SELECT queue.id, file.hash, file.number, file.objects, file.size, file.attempts, file.retryAt, file.lastError
      FROM file JOIN queue ON queue.number = file.queue WHERE file.state = 1 \(queue == nil ? "" : "AND file.queue = ?")
      """, database)
    defer { row.reset() }
    if let queue { try row.bind(1, queue) }
    while try row.next() {
      var upload = FileTable.Upload(
        number: try row.integer(2), objects: Set(try [UUIDValue](stored: row.bytes(3))),
        size: row.isNull(4) ? nil : try row.integer(4))
      let attempts = try row.integer(5)
      if attempts > 0 {
        upload.failure = QueueFailure(
          attempts: Int(clamping: attempts),
          retryAt: Timestamp(millisecondsSince1970: row.isNull(6) ? 0 : try row.integer(6)),
          message: row.isNull(7) ? "" : try row.text(7))
      }
      uploads[FileKey(queue: try row.id(0), hash: try hash(Data(row.bytes(1))))] = upload
    }
    return uploads
  }

  private static func hash(_ stored: Data) throws -> ContentHash {
    guard let hash = ContentHash(bytes: stored) else {
      throw StoreError(.damaged, "The hash of a file has 32 bytes, not \(stored.count).")
    }
    return hash
  }

  static func state(of place: FileKey, _ database: Database) throws -> State? {
    let statement = try database.cachedStatement(
      sql: "SELECT state FROM file WHERE queue = (SELECT number FROM queue WHERE id = ?) AND hash = ?")
    return try Int64.fetchOne(statement, arguments: [place.queue.stored, Data(place.hash.bytes)])
      .flatMap(State.init(rawValue:))
  }

  static func queues(with hash: ContentHash, searching: Bool, _ database: Database) throws -> [QueueID] {
    let found = try Data.fetchAll(
      database,
      sql: """
        SELECT id FROM queue WHERE number IN (
          SELECT queue FROM file WHERE hash = ?1 AND state IN (0, 2)
          UNION SELECT queue FROM object WHERE ?2 AND instr(content, ?1) > 0)
        """, arguments: [Data(hash.bytes), searching])
    return try found.map { try QueueID(stored: $0) }
  }

  /// Whether any row has the hash.
  static func isNamed(_ hash: ContentHash, _ database: Database) throws -> Bool {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT 1 FROM file WHERE hash = ? LIMIT 1"), arguments: [Data(hash.bytes)]) != nil
  }

  /// Whether the file is to be uploaded, is kept, or is named by an object that never leaves the device.
  static func isNeeded(_ hash: ContentHash, _ database: Database) throws -> Bool {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT 1 FROM file WHERE hash = ? AND state IN (1, 3, 4) LIMIT 1"),
      arguments: [Data(hash.bytes)]) != nil
  }
}

// Changes of state.
extension StoredFiles {
  static func update(_ state: State, of place: FileKey, at time: Timestamp, _ queue: Int64, _ database: Database) throws
  {
    try database.cachedStatement(
      sql: """
        INSERT INTO file (queue, hash, state, number, objects, since) VALUES (?1, ?2, ?3, 0, x'', ?4)
        ON CONFLICT (queue, hash) DO UPDATE SET state = ?3, since = ?4, attempts = 0, retryAt = NULL, lastError = NULL
        """
    ).execute(arguments: [queue, Data(place.hash.bytes), state.rawValue, time.millisecondsSince1970])
  }

  /// Notes a file as fetched, unless it has a row.
  static func storeFetched(_ hash: ContentHash, _ queue: Int64, _ database: Database) throws {
    try database.cachedStatement(
      sql: "INSERT INTO file (queue, hash, state, number, objects) VALUES (?, ?, 0, 0, x'') ON CONFLICT DO NOTHING"
    ).execute(arguments: [queue, Data(hash.bytes)])
  }

  static func forgetFetched(_ hash: ContentHash, _ queue: Int64, _ database: Database) throws {
    try database.cachedStatement(sql: "DELETE FROM file WHERE queue = ? AND hash = ? AND state = 0")
      .execute(arguments: [queue, Data(hash.bytes)])
  }

  /// Notes a file as uploaded if it is still `toUpload`, because its queue may have gone.
  static func storeUploaded(_ hash: ContentHash, at time: Timestamp, _ queue: Int64, _ database: Database) throws {
    try database.cachedStatement(
      sql: """
        UPDATE file SET state = 2, since = ?, attempts = 0, retryAt = NULL, lastError = NULL
        WHERE queue = ? AND hash = ? AND state = 1
        """
    ).execute(arguments: [time.millisecondsSince1970, queue, Data(hash.bytes)])
  }

  static func update(_ failure: QueueFailure?, of place: FileKey, _ queue: Int64, _ database: Database) throws {
    try database.cachedStatement(
      sql: "UPDATE file SET attempts = ?, retryAt = ?, lastError = ? WHERE queue = ? AND hash = ?"
    ).execute(arguments: [
      failure?.attempts ?? 0, failure?.retryAt.millisecondsSince1970, failure?.message, queue, Data(place.hash.bytes),
    ])
  }

  static func remove(_ hash: ContentHash, _ queue: Int64, _ database: Database) throws {
    try database.cachedStatement(sql: "DELETE FROM file WHERE queue = ? AND hash = ?")
      .execute(arguments: [queue, Data(hash.bytes)])
  }

  /// Deletes the rows of a queue that has gone from this device. Files that are not uploaded yet become `kept`,
  /// because reports name them, or the queue may come back; so do those that retired operations name, because a server
  /// may lose both and be sent them again. Returns the files that no row has any more.
  static func drop(_ queue: Int64, at time: Timestamp, _ database: Database) throws -> [ContentHash] {
    try database.cachedStatement(
      sql: """
        UPDATE file SET state = 3, since = ?
        WHERE queue = ? AND (state = 1 OR state = 2 AND \(isNamedByRetired))
        """
    ).execute(arguments: [time.millisecondsSince1970, queue])
    let hashes = try Data.fetchAll(
      database, sql: "SELECT hash FROM file WHERE queue = ? AND state <> 3", arguments: [queue])
    try database.execute(sql: "DELETE FROM file WHERE queue = ? AND state <> 3", arguments: [queue])
    return try hashes.map(hash).filter { try !isNamed($0, database) }
  }

  /// Keeps a file that is not to be uploaded any more. Does nothing if it is not `toUpload`.
  static func keep(_ place: FileKey, at time: Timestamp, _ queue: Int64, _ database: Database) throws {
    guard try row(queue, place.hash, database)?.state == .toUpload else { return }
    try update(.kept, of: place, at: time, queue, database)
  }

  /// Marks kept files of a queue for upload whose objects are there again, because a delete was undone, a restored
  /// server has lost it, or the queue is back. Returns all uploads of the queue, or nothing if none was marked.
  static func bringKept(_ queue: Int64, _ database: Database) throws -> Uploads {
    let kept = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT row, objects FROM file WHERE queue = ? AND state = 3"), arguments: [queue])
    let update = try database.cachedStatement(sql: "UPDATE file SET state = 1 WHERE row = ?")
    var hasMarked = false
    for row in kept {
      let objects = try [UUIDValue](stored: [UInt8](row.decode(Data.self, atIndex: 1)))
      guard try isAnyThere(objects, in: queue, database) else { continue }
      try update.execute(arguments: [row.decode(Int64.self, atIndex: 0)])
      hasMarked = true
    }
    return hasMarked ? try uploads(of: queue, database) : [:]
  }

  private static func isAnyThere(
    _ objects: some Sequence<UUIDValue>, in queue: Int64, _ database: Database
  ) throws -> Bool {
    let find = try database.cachedStatement(sql: "SELECT 1 FROM object WHERE id = ? AND queue = ?")
    return try objects.contains { try Int64.fetchOne(find, arguments: [$0.stored, queue]) != nil }
  }

  /// Files that may be fetched again, because the server has had them since before `time` in each of their queues.
  /// Those of a queue stay while it has operations in the outbox, or retired ones from before `time`: they may go
  /// again.
  static func safe(before time: Timestamp, _ database: Database) throws -> [ContentHash] {
    try Data.fetchAll(
      database,
      sql: """
        SELECT hash FROM file WHERE state = 2 AND since < ?1 AND NOT EXISTS (
          SELECT 1 FROM file AS other WHERE other.hash = file.hash
            AND (other.state IN (1, 3, 4) OR other.state = 2 AND (other.since >= ?1
              OR EXISTS (SELECT 1 FROM retired WHERE retired.queue = other.queue AND outcomeTime < ?1)
              OR EXISTS (SELECT 1 FROM operation WHERE operation.queue = other.queue))))
        """, arguments: [time.millisecondsSince1970]
    ).map(hash)
  }

  /// A condition on a row of `file`.
  private static let isNamedByRetired =
    "EXISTS (SELECT 1 FROM retired WHERE retired.queue = file.queue AND instr(retired.changes, file.hash) > 0)"

  /// Deletes the rows of files that are kept since before `time` and that no operation and no report names. Returns the
  /// files that no row has any more.
  static func dropKept(
    before time: Timestamp, but named: Set<ContentHash>, _ database: Database
  ) throws -> [ContentHash] {
    let kept = try Data.fetchAll(
      database, sql: "SELECT DISTINCT hash FROM file WHERE state = 3 AND since < ? AND NOT \(isNamedByRetired)",
      arguments: [time.millisecondsSince1970]
    ).map(hash)
    let gone = kept.filter { !named.contains($0) }
    for hash in gone {
      try database.execute(
        sql: "DELETE FROM file WHERE state = 3 AND hash = ? AND since < ? AND NOT \(isNamedByRetired)",
        arguments: [Data(hash.bytes), time.millisecondsSince1970])
    }
    return try gone.filter { try !isNamed($0, database) }
  }
}

extension StoredFiles {
  /// Deletes rows of files whose objects never left the device and are gone. Returns files that no row has any more.
  static func dropUnused(_ database: Database) throws -> [ContentHash] {
    let rows = try Row.fetchAll(database, sql: "SELECT hash, objects FROM file WHERE state = 4")
    var gone: [ContentHash] = []
    for row in rows {
      let objects = try [UUIDValue](stored: [UInt8](row.decode(Data.self, atIndex: 1)))
      let find = try database.cachedStatement(sql: "SELECT 1 FROM object WHERE id = ?")
      guard try objects.allSatisfy({ try Int64.fetchOne(find, arguments: [$0.stored]) == nil }) else { continue }
      gone.append(try hash(row.decode(Data.self, atIndex: 0)))
    }
    for hash in gone { try remove(hash, 0, database) }
    return try gone.filter { try !isNamed($0, database) }
  }
}
