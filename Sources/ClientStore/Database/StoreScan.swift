// Reads all objects of a type as they are at one moment, while others go on writing.

import Foundation
import GRDB
import WireFormat

/// Has a connection of its own that holds one state of the database, so a long read keeps nobody waiting.
final class StoreScan: Sendable {
  /// An object without its content.
  struct Head {
    var id: UUIDValue
    /// Nil if the object never leaves the device.
    var queue: QueueID?
    var system: StoredSystemFields
  }

  /// Takes an object, and its content, valid until the body returns.
  typealias Body = (Head, UnsafeRawBufferPointer) throws -> Void

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
    try forEachObject(type: type, in: .everything) { head, content in
      if let queue = head.queue, hidden.contains(queue) { return }
      try body(head, content)
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
          statement = try BoundStatement(Self.objects + "type = ? AND queue = ?", database)
          try statement.bind(2, queue)
        } else {
          statement = try BoundStatement(Self.objects + "type = ?", database)
        }
        try statement.bind(1, type)
        defer { statement.reset() }
        var last: (number: Int64, queue: QueueID?) = (0, nil)
        while try statement.next() {
          let number = try statement.integer(1)
          if number != last.number { last = (number, try numbers.queue(number)) }
          let head = Head(id: try statement.id(0), queue: last.queue, system: try statement.system(from: 2))
          try statement.withBytes(5) { content in try DamageMark.unnoted { try body(head, content) } }
        }
      }
    }
  }

  private static let objects = "SELECT id, queue, createdBy, createdAt, updatedAt, content FROM object WHERE "

  /// Calls `body` with those of the confirmed objects of a type that have one of these ids.
  func forEachObject(of ids: [UUIDValue], type: String, _ body: Body) throws {
    guard !ids.isEmpty else { return }
    try damage.noting {
      try queue.unsafeRead { database in
        let numbers = try NumberTable(database)
        guard let type = numbers.number(ofType: type) else { return }
        let statement = try BoundStatement(Self.objects + "id = ? AND type = ?", database)
        defer { statement.reset() }
        for id in ids {
          statement.reset()
          try statement.bind(1, id)
          try statement.bind(2, type)
          guard try statement.next() else { continue }
          let head = Head(
            id: id, queue: try numbers.queue(statement.integer(1)), system: try statement.system(from: 2))
          try statement.withBytes(5) { content in try DamageMark.unnoted { try body(head, content) } }
        }
      }
    }
  }
}
