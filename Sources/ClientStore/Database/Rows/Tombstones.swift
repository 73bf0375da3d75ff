// The rows of `tombstone`: deletes that operations of the outbox may not have seen.

import Foundation
import GRDB
import SyncProtocol
import WireFormat

enum Tombstones {
  /// The tombstones of all queues.
  static func load(
    _ places: [QueueID: QueuePlace], _ transaction: StoreTransaction
  ) throws -> [UUIDValue: Tombstone] {
    var tombstones: [UUIDValue: Tombstone] = [:]
    for number in try Int64.fetchAll(transaction.database, sql: "SELECT DISTINCT queue FROM tombstone") {
      guard let queue = try transaction.queue(number) else { continue }
      tombstones.merge(try load(queue, number, history: places[queue]?.history, transaction.database)) { $1 }
    }
    return tombstones
  }

  static func put(_ object: ObjectState, _ queue: Int64, _ database: Database) throws {
    try database.cachedStatement(sql: "INSERT OR REPLACE INTO tombstone (id, queue, revision) VALUES (?, ?, ?)")
      .execute(arguments: [object.id.stored, queue, object.revision])
  }

  static func drop(_ queue: Int64, _ database: Database) throws {
    try database.cachedStatement(sql: "DELETE FROM tombstone WHERE queue = ?").execute(arguments: [queue])
  }

  static func load(
    _ id: QueueID, _ queue: Int64, history: HistoryID?, _ database: Database
  ) throws -> [UUIDValue: Tombstone] {
    let statement = try database.cachedStatement(sql: "SELECT id, revision FROM tombstone WHERE queue = ?")
    let rows = try Row.fetchAll(statement, arguments: [queue])
    return try Dictionary(
      rows.map { row in
        let revision = try row.decode(Int64.self, atIndex: 1)
        let object = try UUIDValue(stored: row.decode(Data.self, atIndex: 0))
        return (object, Tombstone(queue: id, revision: revision, history: history))
      }
    ) { $1 }
  }
}
