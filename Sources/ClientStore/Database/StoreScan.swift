// Reads all objects of a type as they are at one moment, while others go on writing.

import Foundation
import GRDB
import ModelTypes
import WireFormat

/// A connection of its own that holds one state of the database: a long read keeps nobody waiting.
final class StoreScan: Sendable {
  private let queue: DatabaseQueue

  init(path: String) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.allowsUnsafeTransactions = true
    queue = try StoreError.translating { try DatabaseQueue(path: path, configuration: configuration) }
  }

  /// Keeps the state of this moment; short, unlike reading it.
  func begin() throws {
    try StoreError.translating {
      try queue.unsafeRead { database in
        // The transaction takes its state at its first read.
        try database.execute(sql: "PRAGMA query_only = 1; BEGIN")
        _ = try Int64.fetchOne(database, sql: "SELECT count(*) FROM property")
      }
    }
  }

  /// Every confirmed object of a type in no order; of an id that stands in two queues the one that came first.
  func forEachObject(type: String, _ body: (UUIDValue, [UInt8]) throws -> Void) throws {
    try StoreError.translating {
      try queue.unsafeRead { database in
        let rows = try Row.fetchCursor(
          database,
          sql: """
            SELECT object.id, object.content FROM object JOIN type ON type.number = object.type
            WHERE type.name = ? ORDER BY object.row
            """, arguments: [type])
        var seen: Set<UUIDValue> = []
        while let row = try rows.next() {
          let id = try UUIDValue(stored: row.decode(Data.self, atIndex: 0))
          if seen.insert(id).inserted { try body(id, [UInt8](try row.decode(Data.self, atIndex: 1))) }
        }
      }
    }
  }
}
