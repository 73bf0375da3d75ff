// An open transaction: the database, and the numbers of queues and types.

import Foundation
import GRDB
import WireFormat

/// An open transaction of a store's database, with the numbers that rows hold instead of queue ids and type names.
///
/// One thread uses it, and nothing keeps it after the transaction.
final class StoreTransaction {
  let database: Database
  private(set) var numbers: NumberTable
  /// The last look-up, because most objects of a delta have the same type.
  private var lastType: (name: String, number: Int64)?

  init(_ database: Database, _ numbers: NumberTable) {
    self.database = database
    self.numbers = numbers
  }

  /// The number of a queue; inserts a row if the queue has none. Nil stands for objects that never leave the device.
  func number(queue: QueueID?) throws -> Int64 {
    let queue = queue ?? .zero
    if let number = numbers.number(of: queue) { return number }
    try database.execute(sql: "INSERT INTO queue (id) VALUES (?)", arguments: [queue.stored])
    numbers.add(queue: queue, database.lastInsertedRowID)
    return database.lastInsertedRowID
  }

  /// The number of a type; inserts a row if the type has none.
  func number(type: String) throws -> Int64 {
    if let lastType, lastType.name == type { return lastType.number }
    if let number = numbers.number(ofType: type) {
      lastType = (type, number)
      return number
    }
    try database.execute(sql: "INSERT INTO type (name, fields) VALUES (?, '[]')", arguments: [type])
    numbers.add(type: type, database.lastInsertedRowID)
    return database.lastInsertedRowID
  }

  func queue(_ number: Int64) throws -> QueueID? { try numbers.queue(number) }
  func type(_ number: Int64) throws -> String { try numbers.type(number) }
}
