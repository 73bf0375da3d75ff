// Rows of confirmed objects: written by deltas, and by operations on objects that never leave the device.

import Foundation
import GRDB
import SyncProtocol
import WireFormat

/// Writes the confirmed rows of one queue inside a transaction, and updates the queue's digest with them.
struct ConfirmedObjects {
  private let queue: Int64
  private let transaction: StoreTransaction
  private let upsert: ObjectUpsert
  private let find: BoundStatement
  private let delete: BoundStatement

  private var database: Database { transaction.database }

  init(_ queue: Int64, _ transaction: StoreTransaction) throws {
    self.queue = queue
    self.transaction = transaction
    upsert = try ObjectUpsert(queue, StoredPlaces.digest(of: queue, transaction.database), transaction.database)
    find = try BoundStatement("SELECT row, revision, updatedAt, content FROM object WHERE id = ?", transaction.database)
    delete = try BoundStatement("DELETE FROM object WHERE row = ?", transaction.database)
  }

  /// Upserts or deletes an object, unless the stored row is newer. A delete also stores a tombstone.
  func put(_ object: ObjectState) throws {
    guard let live = object.live else { return try remove(object) }
    try upsert.put(object, live, type: transaction.number(type: live.type))
  }

  private func remove(_ object: ObjectState) throws {
    try Tombstones.put(object, queue, database)
    guard let old = try row(of: object.id), old.revision <= object.revision else { return }
    try delete.bind(1, old.row)
    try delete.run()
    upsert.digest.remove(term: old.term)
  }

  private func row(of id: UUIDValue) throws -> (row: Int64, revision: Int64, term: UInt64)? {
    defer { find.reset() }
    try find.bind(1, id)
    guard try find.next() else { return nil }
    let revision = try find.integer(1)
    let updatedAt = Timestamp(millisecondsSince1970: try find.integer(2))
    let term = try find.withBytes(3) {
      QueueDigest.term(id: id, revision: revision, updatedAt: updatedAt, content: $0)
    }
    return (try find.integer(0), revision, term)
  }

  /// Makes the staged objects and those of the last page confirmed. `sweeping` first deletes all rows that neither has.
  func reveal(_ objects: [ObjectState], sweeping: Bool) throws {
    guard try sweeping || !StagedObjects.isEmpty(queue, database) else {
      for object in objects { try put(object) }
      return
    }
    try StagedObjects.put(objects, queue, transaction)
    if sweeping { try sweep() }
    try StagedObjects.forEach(in: queue, transaction, put)
    try StagedObjects.clear(queue, database)
  }

  /// Deletes every row of the queue that is not staged, whatever its revision: a new history counts revisions anew.
  private func sweep() throws {
    try database.execute(
      sql: """
        DELETE FROM object WHERE queue = ?1 AND id NOT IN (SELECT id FROM staged WHERE queue = ?1 AND type IS NOT NULL)
        """, arguments: [queue])
    upsert.digest = .empty
    upsert.replacesAll = true
    // Before those that come with this load.
    try Tombstones.drop(queue, database)
  }

  /// Deletes everything of the queue: rows, staged objects and tombstones.
  func drop() throws {
    try database.execute(sql: "DELETE FROM object WHERE queue = ?", arguments: [queue])
    try StagedObjects.clear(queue, database)
    try Tombstones.drop(queue, database)
    upsert.digest = .empty
  }

  /// Stores the queue's digest, and returns it.
  func finish() throws -> QueueDigest {
    try StoredPlaces.put(upsert.digest, queue, database)
    return upsert.digest
  }
}

/// Objects that never leave the device: an operation on them is confirmed as soon as it is saved.
enum DeviceObjects {
  /// Such an object as its row has it.
  struct Saved: Sendable {
    var content: [UInt8]
    var system: StoredSystemFields
  }

  /// Applies an operation to the rows, and puts the objects into `saved`, nil for a deleted one. Throws a `WireError`
  /// before anything is written if a change cannot be merged.
  static func apply(
    _ operation: OutboxEntry, _ saved: inout [UUIDValue: Saved?], _ transaction: StoreTransaction
  ) throws {
    let database = transaction.database
    let results = try operation.changes.objects.map { change in
      let before = try row(of: change.object, database)
      let content = try change.applied(to: before?.content)
      var system = before?.system ?? StoredSystemFields(at: operation.performedAt)
      if content != before?.content { system.update(at: operation.performedAt) }
      return (change, isNew: before == nil, after: content.map { Saved(content: $0, system: system) })
    }
    for (change, isNew, after) in results {
      let id = change.object.stored
      saved[change.object] = .some(after)
      if let after {
        let updatedAt = after.system.updatedAt.millisecondsSince1970
        if case .create(let type, _, _) = change.action, isNew {
          try database.execute(
            sql: """
              INSERT INTO object (id, queue, type, revision, createdAt, updatedAt, content)
              VALUES (?, 0, ?, 0, ?, ?, ?)
              """,
            arguments: [
              id, transaction.number(type: type), after.system.createdAt.millisecondsSince1970, updatedAt,
              Data(after.content),
            ])
        } else {
          try database.execute(
            sql: "UPDATE object SET content = ?, updatedAt = ? WHERE id = ?",
            arguments: [Data(after.content), updatedAt, id])
        }
      } else {
        try database.execute(sql: "DELETE FROM object WHERE id = ?", arguments: [id])
      }
    }
  }
  private static func row(of id: UUIDValue, _ database: Database) throws -> Saved? {
    let row = try BoundStatement("SELECT createdBy, createdAt, updatedAt, content FROM object WHERE id = ?", database)
    defer { row.reset() }
    try row.bind(1, id)
    guard try row.next() else { return nil }
    return Saved(content: try row.bytes(3), system: try row.system(from: 0))
  }
}
