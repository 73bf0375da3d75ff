// Reads confirmed objects, beside the writer and never waiting for it.

import Foundation
import GRDB
import ModelTypes
import WireFormat

/// A connection of its own: in WAL mode it reads the last committed state while another one is being written.
final class StoreReader: Sendable {
  private let path: String
  private let queue: DatabaseQueue
  /// The numbers that have been met so far; reached inside `queue` only.
  private let numbers = StoreLock(NumberTable())

  init(path: String) throws {
    self.path = path
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 1") }
  }

  /// The object with this id that the device saw first; nil where there is none.
  func object(_ id: UUIDValue) throws -> Outbox.Confirmed? {
    try StoreError.translating {
      try queue.unsafeRead { try object(id, $0) }
    }
  }

  /// Lets `body` read many objects of one state of the database, which is cheaper than to look for it each time.
  func reading<Result>(_ body: ((UUIDValue) throws -> Outbox.Confirmed?) throws -> Result) throws -> Result {
    try StoreError.translating {
      try queue.unsafeRead { database in
        var result: Result?
        try database.inTransaction(.deferred) {
          result = try body { try object($0, database) }
          return .commit
        }
        guard let result else { preconditionFailure("the transaction has ended without an error") }
        return result
      }
    }
  }

  private func object(_ id: UUIDValue, _ database: Database) throws -> Outbox.Confirmed? {
    let statement = try BoundStatement("SELECT row, queue, type, content FROM object WHERE id = ?", database)
    defer { statement.reset() }
    try statement.bind(1, id)
    // Hardly ever more than one: choosing here is cheaper than letting SQLite sort.
    var first: (row: Int64, queue: Int64, type: Int64, content: [UInt8])?
    while try statement.next() {
      let row = try statement.integer(0)
      if let first, first.row < row { continue }
      first = (row, try statement.integer(1), try statement.integer(2), try statement.bytes(3))
    }
    return try first.map { try confirmed($0.queue, $0.type, $0.content, database) }
  }

  private func confirmed(
    _ queue: Int64, _ type: Int64, _ content: [UInt8], _ database: Database
  ) throws -> Outbox.Confirmed {
    try numbers.withLock { numbers in
      if !numbers.knows(queue: queue, type: type) { try numbers.load(database) }
      return Outbox.Confirmed(queue: try numbers.queue(queue), type: try numbers.type(type), content: content)
    }
  }

  func close() { try? queue.close() }

  /// A connection for reading more than one object; costs about a millisecond to make.
  func scan() throws -> StoreScan { try StoreScan(path: path) }
}
