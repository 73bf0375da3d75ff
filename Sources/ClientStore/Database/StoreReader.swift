// Reads confirmed objects, beside the writer and never waiting for it.

import Foundation
import GRDB
import ModelTypes
import WireFormat

/// A connection of its own: in WAL mode it reads the last committed state while another one is being written.
final class StoreReader: Sendable {
  private let queue: DatabaseQueue

  init(path: String) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 1") }
  }

  /// The object with this id that the device saw first; nil where there is none.
  func object(_ id: UUIDValue) throws -> Outbox.Confirmed? {
    try StoreError.translating {
      try queue.unsafeRead { database in
        let statement = try database.cachedStatement(
          sql: """
            SELECT queue.id, type.name, object.content FROM object
            JOIN queue ON queue.number = object.queue JOIN type ON type.number = object.type
            WHERE object.id = ? ORDER BY object.row LIMIT 1
            """)
        guard let row = try Row.fetchOne(statement, arguments: [id.stored]) else { return nil }
        let queue = try UUIDValue(stored: row.decode(Data.self, atIndex: 0))
        return Outbox.Confirmed(
          queue: queue == .zero ? nil : QueueID(queue), type: try row.decode(String.self, atIndex: 1),
          content: [UInt8](try row.decode(Data.self, atIndex: 2)))
      }
    }
  }

  /// Every confirmed object of a type, in no order.
  func forEachObject(type: String, _ body: (UUIDValue, [UInt8]) throws -> Void) throws {
    try StoreError.translating {
      try queue.unsafeRead { database in
        let rows = try Row.fetchCursor(
          database,
          sql: """
            SELECT object.id, object.content FROM object JOIN type ON type.number = object.type
            WHERE type.name = ? ORDER BY object.row DESC
            """, arguments: [type])
        while let row = try rows.next() {
          try body(
            try UUIDValue(stored: row.decode(Data.self, atIndex: 0)), [UInt8](try row.decode(Data.self, atIndex: 1)))
        }
      }
    }
  }
}
