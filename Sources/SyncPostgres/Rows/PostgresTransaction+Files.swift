// The rows of files and of unfinished uploads, and the sums of their bytes.

import SyncProtocol
import SyncServer
import WireFormat

extension PostgresTransaction {
  func file(_ hash: ContentHash, in queue: QueueID) throws -> StoredFile? {
    try rows(Statement.file(.id(queue), .bytes(hash.bytes))).first.map { try StoredFile($0) }
  }

  func files(after place: FileKey?, limit: Int) throws -> [(place: FileKey, file: StoredFile)] {
    try rows(Statement.files(.id(place?.queue ?? .zero), .bytes(place?.hash.bytes ?? []), .limit(limit))).map { row in
      (FileKey(queue: try row.id(4), hash: try row.hash(5)), try StoredFile(row))
    }
  }

  func part(_ hash: ContentHash, in queue: QueueID) throws -> StoredPart? {
    try rows(Statement.part(.id(queue), .bytes(hash.bytes))).first.map {
      StoredPart(bytes: try $0.int(0), by: try $0.id(1))
    }
  }

  func partCount(of user: UserID) throws -> Int { Int(try rows(Statement.partCount(.id(user)))[0].int(0)) }

  func parts(after place: FileKey?, limit: Int) throws -> [FileKey] {
    try rows(Statement.parts(.id(place?.queue ?? .zero), .bytes(place?.hash.bytes ?? []), .limit(limit))).map {
      FileKey(queue: try $0.id(0), hash: try $0.hash(1))
    }
  }

  func fileBytes(in queue: QueueID) throws -> Int64 {
    try rows(Statement.bytes(.id(queue))).first?.int(0) ?? 0
  }

  func fileBytes(broughtBy user: UserID) throws -> Int64 { try rows(Statement.bytesBy(.id(user)))[0].int(0) }

  func put(_ file: StoredFile?, as hash: ContentHash, in queue: QueueID) throws {
    if let before = try self.file(hash, in: queue) { count(-before.size, in: queue, of: before.by) }
    guard let file else { return execute(Statement.noFile(.id(queue), .bytes(hash.bytes))) }
    execute(Statement.newFile(.id(queue), .bytes(hash.bytes), .int(file.size), .time(file.since), .id(file.by)))
    count(file.size, in: queue, of: file.by)
  }

  func put(part: StoredPart?, as hash: ContentHash, in queue: QueueID) throws {
    if let before = try self.part(hash, in: queue) { count(-before.bytes, in: queue, of: before.by) }
    guard let part else { return execute(Statement.noPart(.id(queue), .bytes(hash.bytes))) }
    execute(Statement.newPart(.id(queue), .bytes(hash.bytes), .int(part.bytes), .id(part.by)))
    count(part.bytes, in: queue, of: part.by)
  }

  private func count(_ bytes: Int64, in queue: QueueID, of user: UserID) {
    execute(Statement.addBytes(.id(queue), .int(bytes)))
    execute(Statement.addBytesBy(.id(queue), .id(user), .int(bytes)))
  }
}

private enum Statement {
  static let file = PostgresStatement(.queue, "\(columns) WHERE file.queue = $1 AND hash = $2")
  static let files = PostgresStatement(
    .allQueues(because: "upkeep walks through all files"),
    "\(columns) WHERE (file.queue, hash) > ($1, $2) ORDER BY file.queue, hash LIMIT $3")

  /// Files of a queue that has ended are as old as possible, and nothing names them.
  private static let columns = """
    SELECT size, CASE WHEN ended THEN 0 ELSE time END, brought_by, ended IS NOT TRUE AND EXISTS (
      SELECT 1 FROM file_reference AS r WHERE r.queue = file.queue AND r.hash = file.hash), file.queue, hash
    FROM file LEFT JOIN queue ON queue.queue = file.queue
    """

  static let part = PostgresStatement(.queue, "SELECT bytes, brought_by FROM part WHERE queue = $1 AND hash = $2")
  static let partCount = PostgresStatement(
    .allQueues(because: "a user may have so many uploads in all queues together"),
    "SELECT count(*) FROM part WHERE brought_by = $1")
  static let parts = PostgresStatement(
    .allQueues(because: "upkeep walks through all unfinished uploads"),
    "SELECT queue, hash FROM part WHERE (queue, hash) > ($1, $2) ORDER BY queue, hash LIMIT $3")
  static let bytes = PostgresStatement(.queue, "SELECT file_bytes FROM queue_usage WHERE queue = $1")
  static let bytesBy = PostgresStatement(
    .allQueues(because: "a limit of a user is for all queues"),
    "SELECT coalesce(sum(file_bytes), 0)::bigint FROM usage WHERE account = $1")
  static let noFile = PostgresStatement(.queue, "DELETE FROM file WHERE queue = $1 AND hash = $2")
  static let newFile = PostgresStatement(
    .queue,
    """
    INSERT INTO file (queue, hash, size, time, brought_by) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (queue, hash) DO UPDATE SET size = excluded.size, time = excluded.time,
      brought_by = excluded.brought_by
    """)
  static let noPart = PostgresStatement(.queue, "DELETE FROM part WHERE queue = $1 AND hash = $2")
  static let newPart = PostgresStatement(
    .queue,
    """
    INSERT INTO part (queue, hash, bytes, brought_by) VALUES ($1, $2, $3, $4)
    ON CONFLICT (queue, hash) DO UPDATE SET bytes = excluded.bytes, brought_by = excluded.brought_by
    """)
  static let addBytes = PostgresStatement(
    .queue,
    """
    INSERT INTO queue_usage (queue, file_bytes) VALUES ($1, $2)
    ON CONFLICT (queue) DO UPDATE SET file_bytes = queue_usage.file_bytes + excluded.file_bytes
    """)
  static let addBytesBy = PostgresStatement(
    .queue,
    """
    INSERT INTO usage (queue, account, file_bytes) VALUES ($1, $2, $3)
    ON CONFLICT (queue, account) DO UPDATE SET file_bytes = usage.file_bytes + excluded.file_bytes
    """)
}

extension PostgresValue {
  static func limit(_ limit: Int) -> Self { .int(Int64(min(limit, 1 << 40))) }
}

extension StoredFile {
  /// Reads size, time, brought_by, and whether something names it.
  fileprivate init(_ row: PostgresRow) throws {
    self.init(size: try row.int(0), since: try row.time(1), by: try row.id(2), isReferenced: try row.bool(3))
  }
}
