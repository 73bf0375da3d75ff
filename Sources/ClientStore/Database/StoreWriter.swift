// The one writer of a store, which runs all write transactions one after the other.

import Foundation
import GRDB
import SyncProtocol
import WireFormat

/// Each call is one transaction, which is on disk when the call returns.
actor StoreWriter {
  private let queue: DatabaseQueue
  private var numbers: NumberTable
  private let damage: DamageMark
  /// The table of files. It changes here, after the rows and before the writer does anything else.
  let files: FileTableLock
  /// Operations that left the outbox by a settlement before their batch was saved. `save` skips them.
  var leftUnsaved: Set<Int64> = []

  /// The client that syncs, as far as this process knows.
  var syncHolder: UUIDValue?
  /// The server's history that is stored; nil before the first answer.
  var history: HistoryID?

  init(
    _ queue: DatabaseQueue, _ numbers: NumberTable, _ damage: DamageMark, _ files: FileTableLock, _ history: HistoryID?
  ) {
    self.queue = queue
    self.numbers = numbers
    self.damage = damage
    self.files = files
    self.history = history
  }

  /// Operations that were performed or taken back since the last save.
  struct Batch: Sendable {
    var operations: [OutboxEntry] = []
    var failedOperations: [FailedOperation] = []
    /// Numbers of operations that were taken back before they were sent.
    var removed: [Int64] = []
    /// Numbers of operations that were taken back after they were sent.
    var voided: [Int64] = []
    /// The sizes in bytes of those named files that are on this device.
    var sizes: [ContentHash: Int64] = [:]
  }

  /// The result of saving a batch.
  struct Saved: Sendable {
    /// Objects that never leave the device, as they are now; nil for deleted ones.
    var deviceObjects: [UUIDValue: DeviceObjects.Saved?] = [:]
    /// Operations that could not be merged, and are among the failed operations.
    var unmerged: [FailedOperation] = []
  }

  /// Saves a batch, but for reports that are not in `reported` any more. `written` runs before the writer does anything
  /// else.
  func save(
    _ batch: Batch, reported: @Sendable () -> Set<OperationID>, written: @Sendable (Saved) -> Void
  ) throws {
    let reported = batch.failedOperations.isEmpty ? [] : reported()
    let left = leftUnsaved
    defer { leftUnsaved.subtract(batch.operations.map(\.number)) }
    let (saved, uploads) = try transaction { transaction in
      var saved = Saved()
      var uploads: StoredFiles.Uploads = [:]
      for operation in batch.operations where !left.contains(operation.number) {
        if operation.queue == nil {
          do {
            try DeviceObjects.apply(operation, &saved.deviceObjects, transaction)
          } catch let error as WireError {
            // One object that has grown too large, or is damaged, must not fail the whole batch.
            let item = FailedOperation(operation, StoreError(.refused, "It cannot be merged: \(error)."))
            saved.unmerged.append(item)
            try StoredOperations.insert(item, transaction)
          }
        } else {
          try StoredOperations.insert(operation, transaction)
          for queue in operation.acceptedQueues {
            try StoredPlaces.put(isInvited: false, transaction.number(queue: queue), transaction.database)
          }
        }
        guard operation.changes.namesFiles else { continue }
        uploads.merge(try StoredFiles.name(operation, sizes: batch.sizes, transaction)) { $1 }
      }
      for number in batch.removed { try StoredOperations.delete(number, transaction.database) }
      for item in batch.failedOperations where reported.contains(item.id) {
        try StoredOperations.insert(item, transaction)
      }
      for number in batch.voided {
        try transaction.database.cachedStatement(sql: "UPDATE operation SET voided = 1 WHERE number = ?")
          .execute(arguments: [number])
      }
      return (saved, uploads)
    }
    // Before callers that wait are resumed, so that they find the uploads.
    files.withLock { table in
      table.take(uploads)
      for place in uploads.keys where batch.sizes[place.hash] != nil { table.didFind(place) }
    }
    written(saved)
  }

  /// Stores when operations may first have left the device.
  func markSent(_ numbers: [Int64], at time: Timestamp) throws {
    try syncing {
      let statement = try BoundStatement("UPDATE operation SET firstSent = ? WHERE number = ?", $0.database)
      for number in numbers {
        try statement.bind(1, time.millisecondsSince1970)
        try statement.bind(2, number)
        try statement.run()
      }
    }
  }

  /// Steps with more objects than this get a larger page cache. Ids are random, so a large delta returns to each page
  /// often, and a page that the cache could not keep is written again.
  static let manyObjects = 1_000

  /// Sets the size of the page cache. Errors are ignored: writing is then slow, and no less safe.
  func setCache(megabytes: Int) {
    try? queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA cache_size = -\(megabytes * 1_000)") }
  }

  /// Writes outcomes, removes operations that leave, and adds reports. `retiring` has those that become retired, with
  /// the times of their outcomes.
  static func write(_ settlement: Settlement, retiring: [Int64: Timestamp], _ transaction: StoreTransaction) throws {
    let leaving = Set(settlement.leaving)
    let outcome = try transaction.database.cachedStatement(
      sql: "UPDATE operation SET outcome = ?, outcomeCode = ?, outcomeAt = ?, outcomeTime = ? WHERE number = ?")
    for (number, value) in settlement.outcomes where !leaving.contains(number) {
      try outcome.execute(arguments: [
        value?.status.stored.name, value?.status.stored.code, value?.at, value?.time.millisecondsSince1970, number,
      ])
    }
    let reveal = try transaction.database.cachedStatement(sql: "UPDATE operation SET hidden = 0 WHERE number = ?")
    for number in settlement.revealed where !leaving.contains(number) { try reveal.execute(arguments: [number]) }
    for number in settlement.leaving {
      if let time = retiring[number] { try RetiredOperations.insert(number, decidedAt: time, transaction.database) }
      try StoredOperations.delete(number, transaction.database)
    }
    for item in settlement.failedOperations { try StoredOperations.insert(item, transaction) }
  }

  /// Moves failed operations into the outbox: those that `choose` returns. It runs before the writer writes anything,
  /// `moved` before it does anything else. Returns the files to upload.
  func retry(
    _ choose: @Sendable () throws -> [OutboxEntry], moved: @Sendable ([OutboxEntry]) -> Void
  ) throws -> StoredFiles.Uploads {
    let operations = try choose()
    let uploads = try transaction { transaction in
      var uploads: StoredFiles.Uploads = [:]
      for operation in operations {
        try StoredOperations.deleteReport(of: operation.id, transaction.database)
        // That it has left the outbox may not be saved yet.
        try StoredOperations.delete(operation.id, transaction.database)
        try StoredOperations.insert(operation, transaction)
        try StoredOperations.update(operation, transaction.database)
        uploads.merge(try StoredFiles.name(operation, transaction)) { $1 }
      }
      return uploads
    }
    files.withLock { $0.take(uploads) }
    moved(operations)
    return uploads
  }

  /// Deletes a report. `dismissed` runs before the writer does anything else.
  func dismiss(_ id: OperationID, dismissed: @Sendable () -> Void) throws {
    try transaction { try StoredOperations.deleteReport(of: id, $0.database) }
    dismissed()
  }

  /// Closes the connection. Later writes throw `closed`.
  func close() { try? queue.close() }

  /// Runs a transaction. If it fails, the numbers that it gave to queues and types are forgotten.
  func transaction<Result>(_ body: (StoreTransaction) throws -> Result) throws -> Result {
    let (result, given) = try damage.noting {
      try queue.write { database in
        let transaction = StoreTransaction(database, numbers)
        return (try body(transaction), transaction.numbers)
      }
    }
    numbers = given
    return result
  }
}
