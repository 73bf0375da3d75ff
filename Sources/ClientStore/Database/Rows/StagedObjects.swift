// Staged objects: rows of pages whose catch-up is not complete. They are on disk, and not shown.

import Foundation
import GRDB
import SyncProtocol
import WireFormat

enum StagedObjects {
  static func put(_ objects: [ObjectState], _ queue: Int64, _ transaction: StoreTransaction) throws {
    let statement = try BoundStatement(
      """
      INSERT INTO staged (queue, id, revision, type, newestBy, createdBy, createdAt, updatedAt, content)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (queue, id) DO UPDATE SET revision = excluded.revision, type = excluded.type,
        newestBy = excluded.newestBy, createdBy = excluded.createdBy, createdAt = excluded.createdAt,
        updatedAt = excluded.updatedAt, content = excluded.content
      WHERE excluded.revision >= staged.revision
      """, transaction.database)
    for object in objects {
      try statement.bind(1, queue)
      try statement.bind(2, object.id)
      try statement.bind(3, object.revision)
      if let live = object.live {
        try statement.bind(4, transaction.number(type: live.type))
        try statement.bind(5, live.newestBy)
        try statement.bind(live.system, from: 6)
        try statement.run(with: live.content, at: 9)
      } else {
        for column: Int32 in 4...9 { try statement.bind(column, nil as Int64?) }
        try statement.run()
      }
    }
  }

  /// Calls `body` with each staged object, in the order of revisions.
  static func forEach(
    in queue: Int64, _ transaction: StoreTransaction, _ body: (ObjectState) throws -> Void
  ) throws {
    // Stays open while `body` runs other statements.
    let row = try BoundStatement(
      """
      SELECT \(columns) FROM staged WHERE queue = ? ORDER BY revision
      """, transaction.database)
    defer { row.reset() }
    try row.bind(1, queue)
    while try row.next() { try body(object(row, transaction)) }
  }

  /// The staged state of each id that has one.
  static func states(of ids: [UUIDValue], in queue: Int64, _ transaction: StoreTransaction) throws -> [ObjectState] {
    let row = try BoundStatement(
      "SELECT \(columns) FROM staged WHERE queue = ? AND id = ?", transaction.database)
    var states: [ObjectState] = []
    for id in ids {
      try row.bind(1, queue)
      try row.bind(2, id)
      if try row.next() { states.append(try object(row, transaction)) }
      row.reset()
    }
    return states
  }

  private static let columns = "id, revision, type, newestBy, createdBy, createdAt, updatedAt, content"

  private static func object(_ row: BoundStatement, _ transaction: StoreTransaction) throws -> ObjectState {
    let live: ObjectState.Live? =
      row.isNull(2)
      ? nil
      : ObjectState.Live(
        type: try transaction.type(row.integer(2)), content: try row.bytes(7),
        newestBy: row.isNull(3) ? nil : try row.integer(3), system: try row.systemOfServer(from: 4))
    return ObjectState(id: try row.id(0), revision: try row.integer(1), live: live)
  }

  static func remove(_ objects: [ObjectState], _ queue: Int64, _ database: Database) throws {
    guard try !objects.isEmpty && !isEmpty(queue, database) else { return }
    let statement = try BoundStatement("DELETE FROM staged WHERE queue = ? AND id = ?", database)
    for object in objects {
      try statement.bind(1, queue)
      try statement.bind(2, object.id)
      try statement.run()
    }
  }

  static func clear(_ queue: Int64, _ database: Database) throws {
    try database.cachedStatement(sql: "DELETE FROM staged WHERE queue = ?").execute(arguments: [queue])
  }

  static func isEmpty(_ queue: Int64, _ database: Database) throws -> Bool {
    let statement = try database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM staged WHERE queue = ?)")
    return try Int64.fetchOne(statement, arguments: [queue]) == 0
  }
}
