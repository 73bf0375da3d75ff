// Reads all objects of a type as they are at one moment, while others go on writing.

import Foundation
import GRDB
import WireFormat

/// Has a connection of its own that holds one state of the database, so a long read keeps nobody waiting.
final class StoreScan: Sendable {
  /// Takes an object's id, its queue (nil if it never leaves the device), and its content, valid until the body
  /// returns.
  typealias Body = (UUIDValue, QueueID?, UnsafeRawBufferPointer) throws -> Void

  private let queue: DatabaseQueue
  private let damage: DamageMark

  init(path: String, _ damage: DamageMark) throws {
    self.damage = damage
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.allowsUnsafeTransactions = true
    queue = try damage.noting { try DatabaseQueue(path: path, configuration: configuration) }
  }

  /// Begins a transaction on the present state; fast, unlike the reads after it.
  func begin() throws {
    try damage.noting {
      try queue.unsafeRead { database in
        // The transaction takes its state at its first read.
        try database.execute(sql: "PRAGMA query_only = 1; BEGIN")
        _ = try Int64.fetchOne(database, sql: "SELECT count(*) FROM property")
      }
    }
  }

  /// Calls `body` with every confirmed object of a type, in no order, except those of `hidden` queues.
  func forEachObject(type: String, hiding hidden: Set<QueueID>, _ body: Body) throws {
    try forEachObject(type: type, in: .everything) { id, queue, content in
      if let queue, hidden.contains(queue) { return }
      try body(id, queue, content)
    }
  }

  /// Calls `body` with every confirmed object of a type in a part of the database, in no order.
  func forEachObject(type: String, in scope: ListScope, _ body: Body) throws {
    try damage.noting {
      try queue.unsafeRead { database in
        let numbers = try NumberTable(database)
        guard let type = numbers.number(ofType: type) else { return }
        let statement: BoundStatement
        if case .queue(let id) = scope {
          guard let queue = numbers.number(of: id) else { return }
          statement = try BoundStatement("SELECT id, queue, content FROM object WHERE type = ? AND queue = ?", database)
          try statement.bind(2, queue)
        } else {
          statement = try BoundStatement("SELECT id, queue, content FROM object WHERE type = ?", database)
        }
        try statement.bind(1, type)
        defer { statement.reset() }
        var last: (number: Int64, queue: QueueID?) = (0, nil)
        while try statement.next() {
          let number = try statement.integer(1)
          if number != last.number { last = (number, try numbers.queue(number)) }
          let id = try statement.id(0)
          try statement.withBytes(2) { content in try DamageMark.unnoted { try body(id, last.queue, content) } }
        }
      }
    }
  }

  /// Calls `body` with those of the confirmed objects of a type that have one of these ids.
  func forEachObject(of ids: [UUIDValue], type: String, _ body: Body) throws {
    guard !ids.isEmpty else { return }
    try damage.noting {
      try queue.unsafeRead { database in
        let numbers = try NumberTable(database)
        guard let type = numbers.number(ofType: type) else { return }
        let statement = try BoundStatement("SELECT queue, content FROM object WHERE id = ? AND type = ?", database)
        defer { statement.reset() }
        for id in ids {
          statement.reset()
          try statement.bind(1, id)
          try statement.bind(2, type)
          guard try statement.next() else { continue }
          let queue = try numbers.queue(statement.integer(0))
          try statement.withBytes(1) { content in try DamageMark.unnoted { try body(id, queue, content) } }
        }
      }
    }
  }
}
