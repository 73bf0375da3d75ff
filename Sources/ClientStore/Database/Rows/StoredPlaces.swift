// Rows of `queue` as sync reads and writes them.

import Foundation
import GRDB
import ModelTypes
import SyncProtocol
import WireFormat

enum StoredPlaces {
  static func load(_ database: Database) throws -> [QueueID: QueuePlace] {
    var places: [QueueID: QueuePlace] = [:]
    for row in try Row.fetchAll(database, sql: "SELECT * FROM queue WHERE number > 0") {
      let id = try QueueID(stored: row.decode(Data.self, forColumn: "id"))
      places[id] = try place(row)
    }
    return places
  }

  private static func place(_ row: Row) throws -> QueuePlace {
    func id<ID: StoredID>(_ column: String) throws -> ID? {
      try row.decode(Data?.self, forColumn: column).map { try ID(stored: $0) }
    }
    var place = QueuePlace()
    guard let load = QueuePlace.Load(rawValue: try row.decode(Int64.self, forColumn: "load")) else {
      throw StoreError(.damaged, "A queue has an unknown state.")
    }
    place.load = load
    place.grant = try id("grant")
    place.cursor = try row.decode(Int64.self, forColumn: "cursor")
    place.position = try row.decode(Int64?.self, forColumn: "position")
    place.scan = try id("scanID").map {
      ScanCursor(newestBy: try row.decode(Int64?.self, forColumn: "scanNewestBy"), id: $0)
    }
    place.history = try id("history")
    return place
  }

  static func put(_ place: QueuePlace, _ queue: Int64, _ database: Database) throws {
    try database.cachedStatement(
      sql: """
        UPDATE queue SET load = ?, "grant" = ?, cursor = ?, position = ?, scanNewestBy = ?, scanID = ?, history = ?
        WHERE number = ?
        """
    ).execute(arguments: [
      place.load.rawValue, place.grant?.stored, place.cursor, place.position, place.scan?.newestBy,
      place.scan?.id.stored, place.history?.stored, queue,
    ])
  }

  /// The user's role in each queue of which one was heard.
  static func roles(_ database: Database) throws -> [QueueID: QueueRole] {
    var roles: [QueueID: QueueRole] = [:]
    for row in try Row.fetchAll(database, sql: "SELECT id, role FROM queue WHERE role IS NOT NULL") {
      let id = try QueueID(stored: row.decode(Data.self, atIndex: 0))
      roles[id] = QueueRole(number: try row.decode(Int32.self, atIndex: 1))
    }
    return roles
  }

  static func put(_ role: QueueRole, _ queue: Int64, _ database: Database) throws {
    try database.cachedStatement(sql: "UPDATE queue SET role = ? WHERE number = ?")
      .execute(arguments: [role.number, queue])
  }

  /// Queues that are hidden, because the user has not accepted the invitation.
  static func invited(_ database: Database) throws -> Set<QueueID> {
    let ids = try Data.fetchAll(database, sql: "SELECT id FROM queue WHERE invited <> 0")
    return Set(try ids.map { try QueueID(stored: $0) })
  }

  static func put(isInvited: Bool, _ queue: Int64, _ database: Database) throws {
    try database.cachedStatement(sql: "UPDATE queue SET invited = ? WHERE number = ?")
      .execute(arguments: [isInvited ? 1 : 0, queue])
  }

  static func digest(of queue: Int64, _ database: Database) throws -> QueueDigest {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT live, sum FROM queue WHERE number = ?"), arguments: [queue])
    guard let row else { throw StoreError(.damaged, "Queue \(queue) is not there.") }
    return QueueDigest(
      live: try row.decode(Int64.self, atIndex: 0), sum: UInt64(bitPattern: try row.decode(Int64.self, atIndex: 1)))
  }

  static func put(_ digest: QueueDigest, _ queue: Int64, _ database: Database) throws {
    try database.cachedStatement(sql: "UPDATE queue SET live = ?, sum = ? WHERE number = ?")
      .execute(arguments: [digest.live, Int64(bitPattern: digest.sum), queue])
  }

  static func failures(_ database: Database) throws -> [QueueID: QueueFailure] {
    var failures: [QueueID: QueueFailure] = [:]
    for row in try Row.fetchAll(database, sql: "SELECT id, attempts, retryAt, lastError FROM queue WHERE attempts > 0")
    {
      failures[try QueueID(stored: row.decode(Data.self, atIndex: 0))] = QueueFailure(
        attempts: Int(clamping: try row.decode(Int64.self, atIndex: 1)),
        retryAt: Timestamp(millisecondsSince1970: try row.decode(Int64?.self, atIndex: 2) ?? 0),
        message: try row.decode(String?.self, atIndex: 3) ?? "")
    }
    return failures
  }

  /// Stores how many requests of a queue have failed in a row, and when the next one is due. `modelinspect` shows it.
  static func put(_ failure: QueueFailure?, _ queue: Int64, _ database: Database) throws {
    try database.cachedStatement(sql: "UPDATE queue SET attempts = ?, retryAt = ?, lastError = ? WHERE number = ?")
      .execute(arguments: [
        failure?.attempts ?? 0, failure?.retryAt.millisecondsSince1970, failure?.message, queue,
      ])
  }
}
