// Reads confirmed objects, without ever waiting for the writer.

import Foundation
import GRDB
import ModelTypes
import SyncProtocol
import WireFormat

/// Has a connection of its own: in WAL mode it reads the last committed state while the writer writes the next one.
final class StoreReader: Sendable {
  private let path: String
  private let queue: DatabaseQueue
  private let damage: DamageMark
  /// The numbers of queues and types, as of the last load. Used inside `queue` only.
  private let numbers = Locked(NumberTable())

  init(path: String, _ damage: DamageMark) throws {
    self.path = path
    self.damage = damage
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 1") }
  }

  /// The object with this id; nil where there is none.
  func object(_ id: UUIDValue) throws -> ObjectVersion? {
    try damage.noting {
      try queue.unsafeRead { try object(id, $0) }
    }
  }

  /// Lets `body` read many objects in one transaction: all of one state, and cheaper than one transaction each.
  func reading<Result>(_ body: ((UUIDValue) throws -> ObjectVersion?) throws -> Result) throws -> Result {
    try damage.noting {
      try queue.unsafeRead { database in
        var result: Result?
        try database.inTransaction(.deferred) {
          result = try body { try object($0, database) }
          return .commit
        }
        guard let result else { preconditionFailure("the transaction has ended without an error") }
        return result
      }
    }
  }

  private func object(_ id: UUIDValue, _ database: Database) throws -> ObjectVersion? {
    let statement = try BoundStatement(
      "SELECT queue, type, createdBy, createdAt, updatedAt, content FROM object WHERE id = ?", database)
    defer { statement.reset() }
    try statement.bind(1, id)
    guard try statement.next() else { return nil }
    return try confirmed(
      statement.integer(0), statement.integer(1), statement.bytes(5), statement.system(from: 2), database)
  }

  /// The membership in an object of the home queue; nil if there is no such object, or its content cannot be decoded.
  func membership(_ id: UUIDValue) throws -> HomeMembership? {
    try damage.noting {
      try queue.unsafeRead { database in
        let statement = try BoundStatement("SELECT content, createdBy, newestBy FROM object WHERE id = ?", database)
        defer { statement.reset() }
        try statement.bind(1, id)
        guard try statement.next(), let said = try? QueueMembership(content: statement.bytes(0)) else { return nil }
        return HomeMembership(
          said, by: statement.isNull(1) ? nil : try statement.id(1),
          since: Timestamp(millisecondsSince1970: statement.isNull(2) ? 0 : try statement.integer(2)))
      }
    }
  }

  private func confirmed(
    _ queue: Int64, _ type: Int64, _ content: [UInt8], _ system: StoredSystemFields, _ database: Database
  ) throws -> ObjectVersion {
    try numbers.withLock { numbers in
      if !numbers.knows(queue: queue, type: type) { numbers = try NumberTable(database) }
      return ObjectVersion(
        queue: try numbers.queue(queue), type: try numbers.type(type), content: content, system: system)
    }
  }

  /// The state of a file in its queue; nil if it has no row.
  func state(of place: FileKey) throws -> StoredFiles.State? {
    try damage.noting { try queue.unsafeRead { try StoredFiles.state(of: place, $0) } }
  }

  /// The queues for which the server has a file, as far as this device knows. `searching` adds queues with an object
  /// whose bytes contain the hash, which looks at every object.
  func queues(with hash: ContentHash, searching: Bool) throws -> [QueueID] {
    try damage.noting { try queue.unsafeRead { try StoredFiles.queues(with: hash, searching: searching, $0) } }
  }

  /// Whether any row of `file` has the hash.
  func isFileNamed(_ hash: ContentHash) throws -> Bool {
    try damage.noting { try queue.unsafeRead { try StoredFiles.isNamed(hash, $0) } }
  }

  /// Whether a file has to stay on this device, because it may be nowhere else.
  func isFileNeeded(_ hash: ContentHash) throws -> Bool {
    try damage.noting { try queue.unsafeRead { try StoredFiles.isNeeded(hash, $0) } }
  }

  func close() { try? queue.close() }

  /// Opens a connection for a long read, in about a millisecond. Throws `closed` once this reader is closed.
  func scan() throws -> StoreScan {
    // A new connection could open the file even after this reader was closed.
    try damage.noting { try queue.unsafeRead { _ = try $0.cachedStatement(sql: "SELECT 1") } }
    return try StoreScan(path: path, damage)
  }
}
