// The one writer: every transaction of a store, one after the other.

import Foundation
import GRDB
import ModelTypes
import SyncProtocol
import WireFormat

/// Writes whole steps: each call is one transaction, on disk when it returns.
actor StoreWriter {
  private let queue: DatabaseQueue
  private var numbers: NumberTable
  /// Operations that left the outbox by a settlement before the batch with them was written: never to be written.
  var leftUnsaved: Set<Int64> = []
  /// Operations whose report was put away: the batch with it may come later.
  private var dismissed: Set<UUIDValue> = []

  /// The client that syncs, as far as this process knows.
  var syncHolder: UUIDValue?

  init(_ queue: DatabaseQueue, _ numbers: NumberTable) {
    self.queue = queue
    self.numbers = numbers
  }

  /// Operations that were performed or taken back since the last save.
  struct Batch: Sendable {
    var operations: [PendingOperation] = []
    var attention: [AttentionItem] = []
    /// Numbers of operations that were taken back before they were sent.
    var removed: [Int64] = []
    /// Numbers of operations that were taken back after they were sent.
    var voided: [Int64] = []
    /// Of the files that the operations name: those that are on this device, with their sizes.
    var sizes: [ContentHash: Int64] = [:]
  }

  /// The result of saving operations on objects that never leave the device.
  struct Saved: Sendable {
    /// The new contents, nil for objects that are gone.
    var contents: [UUIDValue: [UInt8]?] = [:]
    /// Operations that could not be merged, and are in attention.
    var refused: [AttentionItem] = []
    /// Files that are to be brought to the server.
    var uploads: StoredFiles.Uploads = [:]
  }

  func save(_ batch: Batch) throws -> Saved {
    let left = leftUnsaved
    defer { leftUnsaved.subtract(batch.operations.map(\.number)) }
    return try transaction { database, numbers in
      var saved = Saved()
      for operation in batch.operations where !left.contains(operation.number) {
        if operation.queue == nil {
          do {
            try DeviceObjects.apply(operation, &saved.contents, &numbers, database)
          } catch let error as WireError {
            // One object that has grown too large, or is damaged, must not take the others along.
            let item = AttentionItem(operation, StoreError(.refused, "It cannot be merged: \(error)."))
            saved.refused.append(item)
            try StoredOperations.insert(item, &numbers, database)
          }
        } else {
          try StoredOperations.insert(operation, &numbers, database)
          for queue in operation.acceptedQueues {
            try StoredPlaces.put(isInvited: false, numbers.number(queue: queue, database), database)
          }
        }
        guard operation.changes.namesFiles else { continue }
        let uploads = try StoredFiles.name(operation, sizes: batch.sizes, &numbers, database)
        saved.uploads.merge(uploads) { $1 }
      }
      for item in batch.attention where !dismissed.contains(item.id) {
        try StoredOperations.insert(item, &numbers, database)
      }
      for number in batch.removed { try StoredOperations.delete(number, database) }
      for number in batch.voided {
        try database.cachedStatement(sql: "UPDATE operation SET voided = 1 WHERE number = ?")
          .execute(arguments: [number])
      }
      return saved
    }
  }

  /// Notes that operations may have left the device: when first, and in which history of the server.
  func markSent(_ leaving: [LeavingOperations]) throws {
    try syncing { database, _ in
      let statement = try BoundStatement("UPDATE operation SET firstSent = ?, sentIn = ? WHERE number = ?", database)
      for leaving in leaving {
        for (operation, firstSent) in zip(leaving.operations, leaving.times) {
          try statement.bind(1, firstSent.millisecondsSince1970)
          if let history = leaving.history {
            try statement.bind(2, history)
          } else {
            try statement.bind(2, nil as Int64?)
          }
          try statement.bind(3, operation.number)
          try statement.run()
        }
      }
    }
  }

  /// Ids come in no order: a large delta comes back to pages again and again, and writes twice what it could not keep.
  static let manyObjects = 1_000

  /// Where it fails, writing is slow and no less safe.
  func setCache(megabytes: Int) {
    try? queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA cache_size = -\(megabytes * 1_000)") }
  }

  /// Outcomes, what leaves by them, and what has to be told. `retiring` are those that are retired, with the times
  /// of their outcomes.
  static func write(
    _ settlement: Settlement, retiring: [Int64: Timestamp], _ numbers: inout NumberTable, _ database: Database
  ) throws {
    let leaving = Set(settlement.leaving)
    let outcome = try database.cachedStatement(
      sql: "UPDATE operation SET outcome = ?, outcomeCode = ?, outcomeAt = ?, outcomeTime = ? WHERE number = ?")
    for (number, value) in settlement.outcomes where !leaving.contains(number) {
      try outcome.execute(arguments: [
        value.status.stored.name, value.status.stored.code, value.at, value.time.millisecondsSince1970, number,
      ])
    }
    for number in settlement.leaving {
      if let time = retiring[number] { try RetiredOperations.retire(number, decidedAt: time, database) }
      try StoredOperations.delete(number, database)
    }
    for item in settlement.attention { try StoredOperations.insert(item, &numbers, database) }
  }

  func dismiss(_ id: UUIDValue) throws {
    try transaction { database, _ in
      try database.execute(sql: "DELETE FROM attention WHERE operation = ?", arguments: [id.stored])
    }
    dismissed.insert(id)
  }

  /// Nothing is written after that.
  func close() { try? queue.close() }

  /// Numbers given inside a transaction that fails were never given.
  func transaction<Result>(_ body: (Database, inout NumberTable) throws -> Result) throws -> Result {
    var numbers = self.numbers
    let result = try StoreError.translating {
      try queue.write { database in try body(database, &numbers) }
    }
    self.numbers = numbers
    return result
  }
}
