// Reads confirmed objects, beside the writer and never waiting for it.

import Foundation
import GRDB
import ModelTypes
import WireFormat

/// A connection of its own: in WAL mode it reads the last committed state while another one is being written.
final class StoreReader: Sendable {
  private let path: String
  private let queue: DatabaseQueue

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

  /// A connection for reading more than one object; costs about a millisecond to make.
  func scan() throws -> StoreScan { try StoreScan(path: path) }
}
