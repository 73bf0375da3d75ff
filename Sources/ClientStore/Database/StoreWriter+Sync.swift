// Writes steps of queues: rows, place and outcomes in one transaction.

import Foundation
import GRDB
import SyncProtocol
import WireFormat

extension StoreWriter {
  /// Writes all steps or none.
  func advance(_ steps: [QueueStep]) throws -> [QueueStep.Result] {
    let isLarge = steps.contains { $0.objects.count > Self.manyObjects }
    if isLarge { setCache(megabytes: 64) }
    defer { if isLarge { setCache(megabytes: 2) } }
    let results = try syncing { transaction in
      try steps.map { try Self.write($0, transaction) }
    }
    for step in steps { leftUnsaved.formUnion(step.settlement.leavingUnsaved) }
    return results
  }

  private static func write(_ step: QueueStep, _ transaction: StoreTransaction) throws -> QueueStep.Result {
    let database = transaction.database
    let queue = try transaction.number(queue: step.queue)
    var result = QueueStep.Result(isLost: step.isLost, place: step.place)
    if step.forgetsTombstones { try Tombstones.drop(queue, database) }
    let digest = try write(step.objects, queue, transaction)
    try write(step.settlement, retiring: step.decidedAt, transaction)
    if let time = step.oldestRetired { result.forgotten = try RetiredOperations.forget(before: time, queue, database) }
    try write(step.retired, isRevealed: step.digest != nil && !step.isLost, step.queue, queue, &result, transaction)
    if let expected = step.digest, digest != expected { result.isLost = true }
    if result.isLost {
      try lose(step, queue, &result, database)
    } else if step.asksForRetired {
      try doubtRetired(queue, &result, database)
    }
    if result.place.position == nil { try StagedObjects.clear(queue, database) }
    try StoredPlaces.put(result.place, queue, database)
    if let role = step.role { try StoredPlaces.put(role, queue, database) }
    if step.mayMoveEnd || step.asksForRetired || result.isLost {
      result.end = try RetiredOperations.end(of: step.queue, transaction)
    }
    if step.endsRights {
      result.forgottenFiles = try StoredFiles.drop(queue, at: step.goneAt ?? .zero, database)
    }
    // The server does not have the returned operations, and may have collected their files.
    result.uploads = try StoredFiles.name(result.returned, transaction)
    if !step.named.isEmpty {
      result.uploads.merge(try StoredFiles.doubt(step.named, in: queue, database)) { $1 }
    }
    // An object that names a kept file may be there again.
    if case .reveal = step.objects { result.uploads.merge(try StoredFiles.bringKept(queue, database)) { $1 } }
    if result.isLost {
      // All uploads, because the server's folder of files may be restored to an older state than its database.
      result.uploads.merge(try StoredFiles.doubt(queue, since: .zero, database)) { $1 }
    } else if step.asksForRetired, let time = step.oldestRetired {
      result.uploads.merge(try StoredFiles.doubt(queue, since: time, database)) { $1 }
    }
    if step.objects.mayDelete {
      result.tombstones = try Tombstones.load(step.queue, queue, epoch: result.place.shownEpoch, database)
    }
    return result
  }

  private static func write(
    _ objects: QueueStep.Objects, _ queue: Int64, _ transaction: StoreTransaction
  ) throws -> QueueDigest? {
    if case .none = objects { return nil }
    let confirmed = try ConfirmedObjects(queue, transaction)
    switch objects {
    case .none: break
    case .stage(let staged, let early):
      try StagedObjects.put(staged, queue, transaction)
      // An earlier page may have staged them, for operations cancelled since. `reveal` would restore older rows.
      try StagedObjects.remove(early, queue, transaction.database)
      for object in early { try confirmed.put(object) }
    case .reveal(let last, let sweeping): try confirmed.reveal(last, sweeping: sweeping)
    case .drop: try confirmed.drop()
    }
    return try confirmed.finish()
  }

  /// Forgets the outcomes of the queue, begins its load again, and puts its retired operations into doubt.
  private static func lose(
    _ step: QueueStep, _ queue: Int64, _ result: inout QueueStep.Result, _ database: Database
  ) throws {
    try database.execute(
      sql: """
        UPDATE operation SET outcome = NULL, outcomeCode = NULL, outcomeAt = NULL, outcomeTime = NULL
        WHERE queue = ?
        """, arguments: [queue])
    if case .returns = step.retired { return }
    if step.place.load != .awaitingMembership {
      result.place = step.place.beginningAgain(epoch: step.place.epoch, grant: step.place.grant)
    }
    try doubtRetired(queue, &result, database)
  }

  private static func doubtRetired(_ queue: Int64, _ result: inout QueueStep.Result, _ database: Database) throws {
    try RetiredOperations.doubtAll(queue, .toBeAsked, database)
    result.doubtful = try RetiredOperations.doubtful(in: queue, database)
  }

  private static func write(
    _ retired: QueueStep.Retired, isRevealed: Bool, _ id: QueueID, _ queue: Int64, _ result: inout QueueStep.Result,
    _ transaction: StoreTransaction
  ) throws {
    let database = transaction.database
    switch retired {
    case .untouched: return
    case .asked(let asked, let outcomes, let retention):
      for entry in try RetiredOperations.inDoubt(queue, transaction) {
        let operation = entry.operation
        if entry.isAsked {
          if isRevealed { result.returned.append(operation) }
          continue
        }
        guard asked.contains(operation.id) else { continue }
        if let outcome = outcomes[operation.id] {
          if let failure = outcome.failure {
            try report(operation, failure, &result, database)
          } else {
            try RetiredOperations.settle(operation.number, decidedAt: outcome.time, database)
          }
        } else if let firstSent = operation.firstSent, firstSent < retention {
          try report(operation, .unknownOutcome, &result, database)
        } else if isRevealed {
          result.returned.append(operation)
        } else {
          try RetiredOperations.settle(operation.number, .unknownToServer, database)
        }
      }
    case .returns(let history):
      if let history { try StoredOperations.unsend(in: queue, butUnder: history, database) }
      try RetiredOperations.doubtAll(queue, .unknownToServer, database)
      result.returned = try RetiredOperations.inDoubt(queue, transaction).map(\.operation)
    case .dropped(let outcomes, let retention, let reason):
      let ends = reason.code == .ended ? try RetiredOperations.settleEnds(of: id, transaction) : []
      for entry in try RetiredOperations.inDoubt(queue, transaction) {
        let outcome = outcomes[entry.operation.id]
        if outcome == nil || outcome?.failure != nil {
          // The server may have applied it, and forgotten the outcome.
          let isForgotten = entry.operation.firstSent.map { $0 < retention } ?? false
          let failure = outcome?.failure ?? (isForgotten ? .unknownOutcome : reason)
          try report(entry.operation, failure, &result, database)
        }
      }
      try RetiredOperations.drop(queue, but: ends, database)
    }
    for index in result.returned.indices { result.returned[index].becomeUnsent() }
    try RetiredOperations.putBack(result.returned, transaction)
    result.retiredDependencies = try RetiredOperations.queues(of: result.returned.flatMap(\.dependencies), transaction)
    for item in result.failedOperations { try StoredOperations.insert(item, transaction) }
  }

  /// Reports a retired operation that was not applied, and removes it from `retired`.
  private static func report(
    _ operation: OutboxEntry, _ failure: StoreError, _ result: inout QueueStep.Result, _ database: Database
  ) throws {
    result.failedOperations.append(FailedOperation(operation, failure))
    try RetiredOperations.remove(operation.number, database)
  }
}

extension QueueStep {
  /// Whether the user may not see the queue any more. Files stay while a membership is awaited.
  var endsRights: Bool { place.load == .revoked || place.load == .ended }
}

// Reads and writes that belong to no step.
extension StoreWriter {
  func staged(_ ids: [UUIDValue], in queue: QueueID) throws -> [ObjectState] {
    guard !ids.isEmpty else { return [] }
    return try transaction { try StagedObjects.states(of: ids, in: $0.number(queue: queue), $0) }
  }

  func store(_ failure: QueueFailure?, in queue: QueueID) throws {
    try transaction { try StoredPlaces.put(failure, $0.number(queue: queue), $0.database) }
  }

  func failures() throws -> [QueueID: QueueFailure] {
    try transaction { try StoredPlaces.failures($0.database) }
  }

  /// The objects of a type in a queue, each with the user who created it.
  func objects(of type: String, in queue: QueueID) throws -> [(content: [UInt8], createdBy: UserID?)] {
    try transaction { transaction in
      let rows = try Row.fetchAll(
        transaction.database,
        sql: """
          SELECT content, createdBy FROM object WHERE queue = (SELECT number FROM queue WHERE id = ?)
            AND type = (SELECT number FROM type WHERE name = ?)
          """, arguments: [queue.stored, type])
      return try rows.map { row in
        let createdBy = try row.decode(Data?.self, atIndex: 1).map { try UserID(stored: $0) }
        return ([UInt8](try row.decode(Data.self, atIndex: 0)), createdBy)
      }
    }
  }

  func store(invited: [QueueID: Bool]) throws {
    try transaction { transaction in
      // Sorted, so that a simulation can be repeated.
      for (queue, isInvited) in invited.sorted(by: { $0.key < $1.key }) {
        try StoredPlaces.put(isInvited: isInvited, transaction.number(queue: queue), transaction.database)
      }
    }
  }
}

// Only one client syncs a store.
extension StoreWriter {
  /// Stores which client syncs. `taken` runs before the writer does anything else.
  func takeSync(_ holder: UUIDValue, taken: @Sendable () -> Void) throws {
    try transaction {
      try $0.database.execute(
        sql: "INSERT INTO property VALUES ('sync', ?1) ON CONFLICT DO UPDATE SET value = ?1",
        arguments: [holder.stored])
    }
    syncHolder = holder
    taken()
  }

  /// The server that the store syncs with. Stores `id` if none is known yet.
  func server(orFirst id: ServerID) throws -> ServerID {
    try syncing { transaction in
      let database = transaction.database
      try database.execute(sql: "INSERT OR IGNORE INTO property VALUES ('server', ?)", arguments: [id.stored])
      return try Data.fetchOne(database, sql: "SELECT value FROM property WHERE name = 'server'").map {
        try ServerID(stored: $0)
      } ?? id
    }
  }

  /// Stores the roles of the user, as the home queue has them in `history`.
  func store(_ roles: [QueueID: QueueRole], in history: HistoryID?) throws {
    try transaction { transaction in
      for (queue, role) in roles {
        let number = try transaction.number(queue: queue)
        try StoredPlaces.put(role, number, transaction.database)
        try StoredPlaces.putWhereUnread(history, number, transaction.database)
      }
    }
  }

  /// Runs a transaction, unless another client has begun to sync the store: then throws `busy`. The check is inside the
  /// transaction, so that no other client can come between.
  func syncing<Result>(_ body: (StoreTransaction) throws -> Result) throws -> Result {
    try transaction { [syncHolder] transaction in
      if let syncHolder {
        let statement = try transaction.database.cachedStatement(sql: "SELECT value FROM property WHERE name = 'sync'")
        guard try Data.fetchOne(statement) == syncHolder.stored else { throw StoreError.syncedByAnother }
      }
      return try body(transaction)
    }
  }
}

extension QueueStep.Objects {
  fileprivate var mayDelete: Bool {
    switch self {
    case .none: false
    case .stage(_, let early): !early.isEmpty
    case .reveal, .drop: true
    }
  }

  var count: Int {
    switch self {
    case .none, .drop: 0
    case .stage(let staged, let early): staged.count + early.count
    case .reveal(let last, let sweeping): sweeping ? .max : last.count
    }
  }
}
