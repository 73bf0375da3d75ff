// Writes the rows of files, the references to them, and the sums of their bytes.

import Foundation
import GRDB
import SyncProtocol
import WireFormat

extension SQLiteTransaction {
  func put(_ file: StoredFile?, as hash: ContentHash, in queue: QueueID) throws {
    if let before = try self.file(hash, in: queue) { try count(-before.size, in: queue, of: before.by) }
    guard let file else {
      return try execute("DELETE FROM file WHERE queue = ? AND hash = ?", [queue.stored, Data(hash.bytes)])
    }
    try execute(
      "INSERT OR REPLACE INTO file (queue, hash, size, time, broughtBy) VALUES (?, ?, ?, ?, ?)",
      [queue.stored, Data(hash.bytes), file.size, file.since.millisecondsSince1970, file.by.stored])
    try count(file.size, in: queue, of: file.by)
  }

  func put(part: StoredPart?, as hash: ContentHash, in queue: QueueID) throws {
    if let before = try self.part(hash, in: queue) { try count(-before.bytes, in: queue, of: before.by) }
    guard let part else {
      return try execute("DELETE FROM part WHERE queue = ? AND hash = ?", [queue.stored, Data(hash.bytes)])
    }
    try execute(
      "INSERT OR REPLACE INTO part (queue, hash, bytes, broughtBy) VALUES (?, ?, ?, ?)",
      [queue.stored, Data(hash.bytes), part.bytes, part.by.stored])
    try count(part.bytes, in: queue, of: part.by)
  }

  func part(_ hash: ContentHash, in queue: QueueID) throws -> StoredPart? {
    try row("SELECT bytes, broughtBy FROM part WHERE queue = ? AND hash = ?", [queue.stored, Data(hash.bytes)]).map {
      StoredPart(bytes: try $0.decode(Int64.self, atIndex: 0), by: try $0.id(1))
    }
  }

  func partCount(of user: UserID) throws -> Int {
    try row("SELECT count(*) FROM part WHERE broughtBy = ?", [user.stored])?.decode(Int.self, atIndex: 0) ?? 0
  }

  func parts(after place: FileKey?, limit: Int) throws -> [FileKey] {
    try rows(
      "SELECT queue, hash FROM part WHERE (queue, hash) > (?, ?) ORDER BY queue, hash LIMIT ?",
      [place?.queue.stored ?? Data(), Data(place?.hash.bytes ?? []), limit]
    ).map { FileKey(queue: try $0.id(0), hash: try $0.hash(1)) }
  }

  private func count(_ bytes: Int64, in queue: QueueID, of user: UserID) throws {
    for (table, key, id) in [("queueBytes", "queue", queue.stored), ("accountBytes", "account", user.stored)] {
      try execute(
        """
        INSERT INTO \(table) (\(key), bytes) VALUES (?, ?) ON CONFLICT (\(key)) DO UPDATE SET bytes = bytes + excluded.bytes
        """, [id, bytes])
      try execute("DELETE FROM \(table) WHERE \(key) = ? AND bytes = 0", [id])
    }
  }

  func fileBytes(in queue: QueueID) throws -> Int64 {
    try row("SELECT bytes FROM queueBytes WHERE queue = ?", [queue.stored])?.decode(Int64.self, atIndex: 0) ?? 0
  }

  func fileBytes(broughtBy user: UserID) throws -> Int64 {
    try row("SELECT bytes FROM accountBytes WHERE account = ?", [user.stored])?.decode(Int64.self, atIndex: 0) ?? 0
  }

  /// Rows that are there already stay.
  func refer(to files: [ContentHash], from object: UUIDValue, tag: Int, in queue: QueueID) throws {
    for file in files {
      try execute(
        "INSERT OR IGNORE INTO fileReference (queue, id, tag, hash) VALUES (?, ?, ?, ?)",
        [queue.stored, object.stored, tag, Data(file.bytes)])
    }
  }

  func referenceCount(of object: UUIDValue, in queue: QueueID) throws -> Int {
    try row(
      "SELECT count(*) FROM (SELECT 1 FROM fileReference WHERE queue = ? AND id = ? LIMIT ?)",
      [queue.stored, object.stored, ProtocolLimits.fileReferences + 1]
    )?.decode(Int.self, atIndex: 0) ?? 0
  }

  func removeReferences(from object: UUIDValue, tag: Int, in queue: QueueID) throws {
    try execute(
      "DELETE FROM fileReference WHERE queue = ? AND id = ? AND tag = ?", [queue.stored, object.stored, tag])
  }
}
