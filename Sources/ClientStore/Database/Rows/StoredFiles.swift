// Rows of the table `file`: for each queue the files to upload, those on the server, and those that were fetched.

import Foundation
import GRDB
import ModelTypes
import SyncProtocol
import WireFormat

enum StoredFiles {
  /// The raw values are stored in rows.
  enum State: Int64, CustomStringConvertible {
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

    /// The raw value, for the text of a query: SQLite uses an index with a `WHERE` only for the same condition.
    var description: String { String(rawValue) }
  }

  typealias Uploads = [FileKey: FileTable.Upload]

  /// The files to upload, of one queue or of all.
  static func uploads(of queue: Int64? = nil, _ database: Database) throws -> Uploads {
    var uploads: Uploads = [:]
    let row = try BoundStatement(
      """
      SELECT queue.id, file.hash, file.number, file.objects, file.size, file.attempts, file.retryAt, file.lastError
      FROM file JOIN queue ON queue.number = file.queue
      WHERE file.state = \(State.toUpload) \(queue == nil ? "" : "AND file.queue = ?")
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
          SELECT queue FROM file WHERE hash = ?1 AND state IN (\(State.fetched), \(State.uploaded))
          UNION SELECT queue FROM object WHERE ?2 AND instr(content, ?1) > 0)
        """, arguments: [Data(hash.bytes), searching])
    return try found.map { try QueueID(stored: $0) }
  }

  /// Whether any row has the hash.
  static func isNamed(_ hash: ContentHash, _ database: Database) throws -> Bool {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT 1 FROM file WHERE hash = ? LIMIT 1"), arguments: [Data(hash.bytes)]) != nil
  }

  /// Whether the file has to stay on this device, because it may be nowhere else.
  static func isNeeded(_ hash: ContentHash, _ database: Database) throws -> Bool {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT 1 FROM file WHERE hash = ? AND \(mayBeNowhereElse) LIMIT 1"),
      arguments: [Data(hash.bytes)]) != nil
  }

  /// Files that may be fetched again, because the server has had them since before `time` in each of their queues.
  /// Those of a queue stay while it has operations in the outbox, or retired ones from before `time`: they may go
  /// again.
  static func safe(before time: Timestamp, _ database: Database) throws -> [ContentHash] {
    let isSafe = """
      state = \(State.uploaded) AND since < ?1 AND NOT EXISTS (
        SELECT 1 FROM file AS other WHERE other.hash = file.hash
          AND (other.\(mayBeNowhereElse) OR other.state = \(State.uploaded) AND (other.since >= ?1
            OR EXISTS (SELECT 1 FROM retired WHERE retired.queue = other.queue AND outcomeTime < ?1)
            OR EXISTS (SELECT 1 FROM operation WHERE operation.queue = other.queue))))
      """
    return try hashes(where: isSafe, [time.millisecondsSince1970], database)
  }

  private static func hashes(
    where condition: String, _ arguments: StatementArguments, _ database: Database
  ) throws -> [ContentHash] {
    try Data.fetchAll(database, sql: "SELECT DISTINCT hash FROM file WHERE \(condition)", arguments: arguments)
      .map(hash)
  }

  /// The rows of a queue in a state, each with whether an object is there that has named the file.
  private static func rows(
    of queue: Int64, in state: State, _ database: Database
  ) throws -> [(row: Int64, hasObject: Bool)] {
    let find = try database.cachedStatement(sql: "SELECT 1 FROM object WHERE id = ? AND queue = ?")
    let rows = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT row, objects FROM file WHERE queue = ? AND state = \(state)"),
      arguments: [queue])
    return try rows.map { row in
      let objects = try [UUIDValue](stored: [UInt8](row.decode(Data.self, atIndex: 1)))
      let hasObject = try objects.contains { try Int64.fetchOne(find, arguments: [$0.stored, queue]) != nil }
      return (try row.decode(Int64.self, atIndex: 0), hasObject)
    }
  }
}

// Conditions on rows.
extension StoredFiles {
  private static let mayBeNowhereElse = "state IN (\(State.toUpload), \(State.kept), \(State.device))"
  private static let isNamedByRetired =
    "EXISTS (SELECT 1 FROM retired WHERE retired.queue = file.queue AND instr(retired.changes, file.hash) > 0)"
}

// Changes of state.
extension StoredFiles {
  /// Moves rows from one state to another, those that match the condition, and notes the time. Forgets their failed
  /// attempts. Returns the number of rows.
  @discardableResult
  static func move(
    _ old: State, to new: State, since time: Timestamp? = nil, where condition: String,
    _ arguments: StatementArguments, _ database: Database
  ) throws -> Int {
    try database.cachedStatement(
      sql: """
        UPDATE file SET state = \(new), since = ?, attempts = 0, retryAt = NULL, lastError = NULL
        WHERE state = \(old) AND \(condition)
        """
    ).execute(arguments: [time?.millisecondsSince1970] + arguments)
    return database.changesCount
  }

  /// Moves a file, unless it is in another state by now: its queue may have gone.
  static func move(
    _ place: FileKey, _ old: State, to new: State, since time: Timestamp, _ transaction: StoreTransaction
  ) throws {
    try move(
      old, to: new, since: time, where: "queue = ? AND hash = ?",
      [transaction.number(queue: place.queue), Data(place.hash.bytes)], transaction.database)
  }

  /// Deletes the rows that match the condition. Returns the files that no row has any more.
  @discardableResult
  private static func delete(
    where condition: String, _ arguments: StatementArguments, _ database: Database
  ) throws -> [ContentHash] {
    let hashes = try hashes(where: condition, arguments, database)
    try database.execute(sql: "DELETE FROM file WHERE \(condition)", arguments: arguments)
    return try hashes.filter { try !isNamed($0, database) }
  }

  /// Notes a file as fetched, unless it has a row.
  static func storeFetched(_ hash: ContentHash, _ queue: Int64, _ database: Database) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO file (queue, hash, state, number, objects) VALUES (?, ?, \(State.fetched), 0, x'')
        ON CONFLICT DO NOTHING
        """
    ).execute(arguments: [queue, Data(hash.bytes)])
  }

  static func forgetFetched(_ hash: ContentHash, _ queue: Int64, _ database: Database) throws {
    try delete(where: "queue = ? AND hash = ? AND state = \(State.fetched)", [queue, Data(hash.bytes)], database)
  }

  static func update(_ failure: QueueFailure?, of place: FileKey, _ queue: Int64, _ database: Database) throws {
    try database.cachedStatement(
      sql: """
        UPDATE file SET attempts = ?, retryAt = ?, lastError = ?
        WHERE queue = ? AND hash = ? AND state = \(State.toUpload)
        """
    ).execute(arguments: [
      failure?.attempts ?? 0, failure?.retryAt.millisecondsSince1970, failure?.message, queue, Data(place.hash.bytes),
    ])
  }

  /// Deletes the rows of a queue that has gone from this device. Files that are not uploaded yet become `kept`,
  /// because reports name them, or the queue may come back; so do those that retired operations name, because a server
  /// may lose both and be sent them again. Returns the files that no row has any more.
  static func drop(_ queue: Int64, at time: Timestamp, _ database: Database) throws -> [ContentHash] {
    try move(.toUpload, to: .kept, since: time, where: "queue = ?", [queue], database)
    try move(.uploaded, to: .kept, since: time, where: "queue = ? AND \(isNamedByRetired)", [queue], database)
    return try delete(where: "queue = ? AND state <> \(State.kept)", [queue], database)
  }

  /// Marks kept files of a queue for upload whose objects are there again, because a delete was undone, a restored
  /// server has lost it, or the queue is back. Returns the number of files.
  static func bringKept(_ queue: Int64, _ database: Database) throws -> Int {
    let back = try rows(of: queue, in: .kept, database).filter(\.hasObject)
    for (row, _) in back { try move(.kept, to: .toUpload, where: "row = ?", [row], database) }
    return back.count
  }

  /// Deletes the rows of files that are kept since before `time` and that no operation and no report names. Returns the
  /// files that no row has any more.
  static func dropKept(
    before time: Timestamp, but named: Set<ContentHash>, _ database: Database
  ) throws -> [ContentHash] {
    let isOld = "state = \(State.kept) AND since < ? AND NOT \(isNamedByRetired)"
    let time = time.millisecondsSince1970
    return try hashes(where: isOld, [time], database).filter { !named.contains($0) }
      .flatMap { try delete(where: "\(isOld) AND hash = ?", [time, Data($0.bytes)], database) }
  }

  /// Deletes rows of files whose objects never left the device and are gone. Returns files that no row has any more.
  static func dropUnused(_ database: Database) throws -> [ContentHash] {
    try rows(of: 0, in: .device, database).filter { !$0.hasObject }
      .flatMap { try delete(where: "row = ?", [$0.row], database) }
  }
}
