// Reads the rows that upkeep and files need.

import Foundation
import GRDB
import SyncProtocol
import WireFormat

extension SQLiteTransaction {
  func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
    try Row.fetchAll(try database.cachedStatement(sql: sql), arguments: arguments)
  }

  func file(_ hash: ContentHash, in queue: QueueID) throws -> StoredFile? {
    try row(Self.files + "WHERE file.queue = ? AND hash = ?", [queue.stored, Data(hash.bytes)]).map(StoredFile.init)
  }

  func files(after place: FileKey?, limit: Int) throws -> [(place: FileKey, file: StoredFile)] {
    try rows(
      Self.files + "WHERE (file.queue, hash) > (?, ?) ORDER BY file.queue, hash LIMIT ?",
      // Empty blobs come before all others.
      [place?.queue.stored ?? Data(), Data(place?.hash.bytes ?? []), limit]
    ).map { row in
      (FileKey(queue: try row.id(3), hash: try row.hash(4)), try StoredFile(row))
    }
  }

  /// Files of a queue that has ended are as old as possible, and nothing names them.
  private static let files = """
    SELECT size, iif(ended IS 1, 0, time), ended IS NOT 1 AND EXISTS (
      SELECT 1 FROM fileReference r WHERE r.queue = file.queue AND r.hash = file.hash), file.queue, hash, broughtBy
    FROM file LEFT JOIN queue ON queue.queue = file.queue\u{20}
    """

  func queues(after queue: QueueID?, limit: Int) throws -> [(id: QueueID, queue: StoredQueue)] {
    try rows(
      """
      SELECT schema, head, floor, retention, live, digest, ended, newest, queue FROM queue WHERE queue > ?
      ORDER BY queue LIMIT ?
      """, [queue?.stored ?? Data(), limit]
    ).map { (try $0.id(8), try StoredQueue($0)) }
  }

  func marks(of queue: QueueID) throws -> [QueueMark] {
    try rows("SELECT head, time FROM mark WHERE queue = ? ORDER BY head DESC", [queue.stored]).map {
      QueueMark(head: try $0.decode(Int64.self, atIndex: 0), time: try $0.time(1))
    }
  }

  func tombstones(in queue: QueueID, after cursor: Int64, upTo revision: Int64, limit: Int) throws -> [Int64] {
    try rows(
      """
      SELECT revision FROM object INDEXED BY tombstone
      WHERE queue = ? AND type IS NULL AND revision > ? AND revision <= ? ORDER BY revision LIMIT ?
      """, [queue.stored, cursor, revision, limit]
    ).map { try $0.decode(Int64.self, atIndex: 0) }
  }

  func outcomes(after number: Int64, limit: Int) throws -> [OutcomeKey] {
    // Rows get their numbers in the order in which they are written.
    try rows(
      "SELECT queue, operation, time, rowid FROM outcome WHERE rowid > ? ORDER BY rowid LIMIT ?", [number, limit]
    ).map {
      OutcomeKey(
        queue: try $0.id(0), operation: try $0.id(1), time: try $0.time(2),
        number: try $0.decode(Int64.self, atIndex: 3))
    }
  }

  func newestTime() throws -> Timestamp {
    guard let row = try row("SELECT max(newest) FROM clock", []) else { return .zero }
    return try row.time(0)
  }
}

extension StoredFile {
  fileprivate init(_ row: Row) throws {
    self.init(
      size: try row.decode(Int64.self, atIndex: 0), since: try row.time(1), by: try row.id(5),
      isReferenced: try row.decode(Bool.self, atIndex: 2))
  }
}
