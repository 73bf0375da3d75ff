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

  /// Every confirmed object of a type in no order, but for those of hidden queues; with its queue, nil for what never
  /// leaves the device.
  func forEachObject(
    type: String, hiding hidden: Set<QueueID>, _ body: (UUIDValue, QueueID?, [UInt8]) throws -> Void
  ) throws {
    try StoreError.translating {
      try queue.unsafeRead { database in
        let rows = try Row.fetchCursor(
          database,
          sql: """
            SELECT object.id, object.content, object.queue FROM object JOIN type ON type.number = object.type
            WHERE type.name = ?
            """, arguments: [type])
        var numbers = NumberTable()
        try numbers.load(database)
        while let row = try rows.next() {
          let queue = try numbers.queue(row.decode(Int64.self, atIndex: 2))
          if let queue, hidden.contains(queue) { continue }
          let id = try UUIDValue(stored: row.decode(Data.self, atIndex: 0))
          try body(id, queue, [UInt8](row.decode(Data.self, atIndex: 1)))
        }
      }
    }
  }

  /// Every confirmed object of a type in a part of the database, in no order.
  func forEachObject(
    type: String, in scope: ListState.Scope, _ body: (UUIDValue, QueueID?, [UInt8]) throws -> Void
  ) throws {
    guard case .queue(let id) = scope else { return try forEachObject(type: type, hiding: [], body) }
    try StoreError.translating {
      try queue.unsafeRead { database in
        let rows = try Row.fetchCursor(
          database,
          sql: """
            SELECT id, content FROM object WHERE queue = (SELECT number FROM queue WHERE id = ?)
              AND type = (SELECT number FROM type WHERE name = ?)
            """, arguments: [id.rawValue.stored, type])
        while let row = try rows.next() {
          try body(
            UUIDValue(stored: row.decode(Data.self, atIndex: 0)), id, [UInt8](row.decode(Data.self, atIndex: 1)))
        }
      }
    }
  }

  /// The content of every confirmed object of a type in one queue, in no order.
  func forEachObject(type: String, in queue: QueueID, _ body: ([UInt8]) throws -> Void) throws {
    try StoreError.translating {
      try self.queue.unsafeRead { database in
        let rows = try Row.fetchCursor(
          database,
          sql: """
            SELECT content FROM object WHERE queue = (SELECT number FROM queue WHERE id = ?)
              AND type = (SELECT number FROM type WHERE name = ?)
            """, arguments: [queue.rawValue.stored, type])
        while let row = try rows.next() {
          try body([UInt8](row.decode(Data.self, atIndex: 0)))
        }
      }
    }
  }
}
