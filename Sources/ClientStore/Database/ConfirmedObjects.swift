// Rows of confirmed state: written by deltas, and by operations on objects that never leave the device.

import Foundation
import GRDB
import ModelTypes
import SyncProtocol
import WireFormat

/// The confirmed rows of one queue, inside a transaction; keeps the queue's digest in step with them.
struct ConfirmedObjects {
  private let queue: Int64
  private let database: Database
  private var digest: QueueDigest
  private let find: BoundStatement
  private let insert: BoundStatement
  private let update: BoundStatement
  private let delete: BoundStatement
  /// Whether the last object was new. Those of a delta are mostly all new or all there, and what is new need not be
  /// looked for.
  private var expectsNew = true

  init(_ queue: Int64, _ database: Database) throws {
    self.queue = queue
    self.database = database
    digest = try StoredPlaces.digest(of: queue, database)
    find = try BoundStatement("SELECT row, revision, content FROM object WHERE id = ? AND queue = ?", database)
    insert = try BoundStatement(
      """
      INSERT INTO object (type, revision, newestBy, createdBy, content, id, queue) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id, queue) DO NOTHING
      """, database)
    update = try BoundStatement(
      "UPDATE object SET type = ?, revision = ?, newestBy = ?, createdBy = ?, content = ? WHERE row = ?", database)
    delete = try BoundStatement("DELETE FROM object WHERE row = ?", database)
  }

  /// A delta as a whole. Returns whether it is not older than what is there: an older one has nothing to say, and would
  /// bring back what was deleted since.
  static func apply(_ delta: QueueDelta, _ numbers: inout NumberTable, _ database: Database) throws -> Bool {
    let queue = try numbers.number(queue: QueueID(delta.queue), database)
    let cursor = try Int64.fetchOne(database, sql: "SELECT cursor FROM queue WHERE number = ?", arguments: [queue])
    guard delta.cursor >= cursor ?? 0 else { return false }
    var objects = try Self(queue, database)
    for object in delta.objects { try objects.put(object, &numbers) }
    _ = try objects.finish()
    try database.execute(
      sql: "UPDATE queue SET cursor = ?1, position = ?1, load = 2, scanID = NULL WHERE number = ?2",
      arguments: [delta.cursor, queue])
    return true
  }

  /// Puts or deletes an object, unless what is there is newer.
  mutating func put(_ object: ObjectState, _ numbers: inout NumberTable) throws {
    if expectsNew, let live = object.live, try insert(object, live, &numbers) { return }
    let old = try row(of: object.id)
    expectsNew = old == nil
    if let old {
      if old.revision > object.revision { return }
      digest.remove(term: old.term)
    }
    try write(object, over: old, &numbers)
  }

  /// Shows what is staged, and what a last page brought on top of it.
  mutating func reveal(_ objects: [ObjectState], sweeping: Bool, _ numbers: inout NumberTable) throws {
    let isSinglePage = try !sweeping && StagedObjects.isEmpty(queue, database)
    if !isSinglePage { try StagedObjects.put(objects, queue, &numbers, database) }
    if sweeping { try sweep() }
    for object in isSinglePage ? objects : [] { try put(object, &numbers) }
    if !isSinglePage {
      // A copy, since reading changes no number.
      var given = numbers
      try StagedObjects.forEach(in: queue, numbers, database) { object in
        if sweeping { try write(object, over: try row(of: object.id), &given) } else { try put(object, &given) }
      }
      try StagedObjects.clear(queue, database)
    }
  }

  /// Takes out what is not staged, whatever its revision: a history that begins anew counts anew.
  private mutating func sweep() throws {
    try database.execute(
      sql: """
        DELETE FROM object WHERE queue = ?1 AND id NOT IN (SELECT id FROM staged WHERE queue = ?1 AND type IS NOT NULL)
        """, arguments: [queue])
    digest = .empty
  }

  /// Everything of the queue goes.
  mutating func drop() throws {
    try database.execute(sql: "DELETE FROM object WHERE queue = ?", arguments: [queue])
    try StagedObjects.clear(queue, database)
    digest = .empty
  }

  /// Writes the digest, and returns it.
  func finish() throws -> QueueDigest {
    try StoredPlaces.put(digest, queue, database)
    return digest
  }

  private struct StoredObject {
    var row: Int64
    var revision: Int64
    /// Of the digest.
    var term: UInt64
  }

  private func row(of id: UUIDValue) throws -> StoredObject? {
    defer { find.reset() }
    try find.bind(1, id)
    try find.bind(2, queue)
    guard try find.next() else { return nil }
    let revision = try find.integer(1)
    let term = try find.withBytes(2) { QueueDigest.term(id: id, revision: revision, content: $0) }
    return StoredObject(row: try find.integer(0), revision: revision, term: term)
  }

  private mutating func write(
    _ object: ObjectState, over old: StoredObject?, _ numbers: inout NumberTable
  ) throws {
    guard let live = object.live else {
      guard let old else { return }
      try delete.bind(1, old.row)
      return try delete.run()
    }
    guard let old else {
      guard try insert(object, live, &numbers) else {
        throw StoreError(.damaged, "An object is in the index of its table, and not in the table.")
      }
      return
    }
    try bind(object, live, to: update, &numbers)
    try update.bind(6, old.row)
    try update.run()
    digest.add(id: object.id, revision: object.revision, content: live.content)
  }

  /// Whether the object was not there.
  private mutating func insert(
    _ object: ObjectState, _ live: ObjectState.Live, _ numbers: inout NumberTable
  ) throws -> Bool {
    try bind(object, live, to: insert, &numbers)
    try insert.bind(6, object.id)
    try insert.bind(7, queue)
    try insert.run()
    guard database.changesCount > 0 else { return false }
    digest.add(id: object.id, revision: object.revision, content: live.content)
    return true
  }

  private func bind(
    _ object: ObjectState, _ live: ObjectState.Live, to statement: BoundStatement, _ numbers: inout NumberTable
  ) throws {
    try statement.bind(1, numbers.number(type: live.type, database))
    try statement.bind(2, object.revision)
    try statement.bind(3, live.newestBy)
    try statement.bind(4, live.createdBy)
    try statement.bind(5, live.content)
  }
}

/// Objects that never leave the device: an operation on them is confirmed as soon as it is saved.
enum DeviceObjects {
  /// Throws a `WireError`, before anything is written, where a change cannot be merged.
  static func apply(
    _ operation: PendingOperation, _ contents: inout [UUIDValue: [UInt8]?], _ numbers: inout NumberTable,
    _ database: Database
  ) throws {
    let results = try operation.changes.objects.map { change in
      let before = try Data.fetchOne(
        database, sql: "SELECT content FROM object WHERE id = ? AND queue = 0", arguments: [change.object.stored])
      return (change, isNew: before == nil, after: try change.applied(to: before.map { [UInt8]($0) }))
    }
    for (change, isNew, after) in results {
      let id = change.object.stored
      contents[change.object] = .some(after)
      if let after {
        if case .create(let type, _, _) = change.action, isNew {
          try database.execute(
            sql: "INSERT INTO object (id, queue, type, revision, content) VALUES (?, 0, ?, 0, ?)",
            arguments: [id, numbers.number(type: type, database), Data(after)])
        } else {
          try database.execute(
            sql: "UPDATE object SET content = ? WHERE id = ? AND queue = 0", arguments: [Data(after), id])
        }
      } else {
        try database.execute(sql: "DELETE FROM object WHERE id = ? AND queue = 0", arguments: [id])
      }
    }
  }
}
