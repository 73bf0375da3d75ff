// Writes steps of queues: rows, place and outcomes in one transaction.

import Foundation
import GRDB
import SyncProtocol
import WireFormat

extension StoreWriter {
  /// The result of a step, and the files whose bytes are to be moved.
  struct Advanced: Sendable {
    var result: QueueStep.Result
    /// Files to upload that the server may have lost.
    var uploads: StoredFiles.Uploads = [:]
    /// Files to which the user has lost the right, and that nothing else on the device names.
    var forgottenFiles: [ContentHash] = []
  }

  /// Writes all steps or none. `written` runs before the writer does anything else, so that memory takes in steps and
  /// histories in the order of the disk. Writes and returns nothing if the server has another history than that of the
  /// answers.
  func advance(
    _ steps: [QueueStep], in history: HistoryID?, written: @Sendable ([QueueStep.Result]) -> Void
  ) throws -> [Advanced] {
    guard history == nil || history == self.history else { return [] }
    let isLarge = steps.contains { $0.objects.count > Self.manyObjects }
    if isLarge { setCache(megabytes: 64) }
    defer { if isLarge { setCache(megabytes: 2) } }
    let advanced = try write(steps, loadingAgain: [])
    for (step, advanced) in zip(steps, advanced) where !advanced.result.hasFailed {
      leftUnsaved.formUnion(step.settlement.leavingUnsaved)
    }
    files.withLock { table in
      for (step, advanced) in zip(steps, advanced) {
        table.take(advanced.uploads)
        if step.endsRights { table.end(step.queue) }
      }
    }
    written(advanced.map(\.result))
    return advanced
  }

  /// Thrown to roll back a step whose rows would have another digest than the server's.
  private struct WrongDigest: Error {}

  /// Writes the steps; of queues in `wrong` only that they are loaded again. If a digest is wrong, all is rolled back
  /// and written anew without that step: this is rare, and a savepoint for each step would cost each of them.
  private func write(_ steps: [QueueStep], loadingAgain wrong: Set<QueueID>) throws -> [Advanced] {
    var found: QueueID?
    do {
      return try syncing { transaction in
        try steps.map { step in
          if wrong.contains(step.queue) { return try Self.loadAgain(step, transaction) }
          do { return try Self.write(step, transaction) } catch let error as WrongDigest {
            found = step.queue
            throw error
          }
        }
      }
    } catch {
      guard let found else { throw error }
      return try write(steps, loadingAgain: wrong.union([found]))
    }
  }

  private static func write(_ step: QueueStep, _ transaction: StoreTransaction) throws -> Advanced {
    let database = transaction.database
    let queue = try transaction.number(queue: step.queue)
    var advanced = Advanced(result: QueueStep.Result(place: step.place))
    if step.forgetsTombstones { try Tombstones.drop(queue, database) }
    let digest = try write(step.objects, queue, transaction)
    if let expected = step.digest, digest != expected { throw WrongDigest() }
    try write(step.settlement, retiring: step.retiring, transaction)
    if let time = step.oldestRetired { try RetiredOperations.forget(before: time, database) }
    if step.place.position == nil { try StagedObjects.clear(queue, database) }
    try StoredPlaces.put(step.place, queue, database)
    if let role = step.role { try StoredPlaces.put(role, queue, database) }
    if step.endsRights { advanced.forgottenFiles = try StoredFiles.drop(queue, at: step.goneAt ?? .zero, database) }
    var marked = try StoredFiles.doubt(step.named, in: queue, database)
    // An object that names a kept file may be there again.
    if case .reveal = step.objects { marked += try StoredFiles.bringKept(queue, database) }
    if step.place.load == .reloading, step.from.load != .reloading, let time = step.oldestRetired {
      marked += try StoredFiles.doubt(queue, since: time, database)
    }
    if marked > 0 { advanced.uploads = try StoredFiles.uploads(of: queue, database) }
    if step.objects.mayDelete {
      advanced.result.tombstones = try Tombstones.load(step.queue, queue, history: step.place.history, database)
    }
    return advanced
  }

  /// Writes only that the queue is loaded again: the server has lost changes that this device has, perhaps with files.
  private static func loadAgain(_ step: QueueStep, _ transaction: StoreTransaction) throws -> Advanced {
    let queue = try transaction.number(queue: step.queue)
    let place = step.from.beginningAgain(grant: step.place.grant)
    try StagedObjects.clear(queue, transaction.database)
    try StoredPlaces.put(place, queue, transaction.database)
    try StoredFiles.doubt(queue, since: .zero, transaction.database)
    let uploads = try StoredFiles.uploads(of: queue, transaction.database)
    return Advanced(result: QueueStep.Result(place: place, hasFailed: true), uploads: uploads)
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
}

// The server's history.
extension StoreWriter {
  /// What a new history changes.
  struct Heard: Sendable {
    /// Retired operations that are sent again.
    var returned: [OutboxEntry] = []
    /// Reports of retired operations whose rows are damaged.
    var damaged: [FailedOperation] = []
    /// The queues whose load begins again.
    var places: [QueueID: QueuePlace] = [:]
  }

  /// Stores the first history that the server names. Returns the one that is stored.
  func history(orFirst first: HistoryID, stored: @Sendable (HistoryID) -> Void) throws -> HistoryID {
    if let history { return history }
    try syncing { try Self.put(first, $0.database) }
    history = first
    stored(first)
    return first
  }

  /// Stores that the server has another history than `known`, and may have lost what it acknowledged since a time: sends
  /// that again, forgets outcomes of that time, and drops pages of loads that are under way. All queues change together.
  /// Returns the files to upload.
  ///
  /// `heard` runs before the writer does anything else. Nothing happens if the history is not `known` any more.
  func hear(
    _ next: HistoryID, since time: Timestamp, after known: HistoryID, heard: @Sendable (Heard) -> Void
  ) throws -> StoredFiles.Uploads {
    guard history == known else { return [:] }
    let (result, uploads) = try syncing { transaction in
      let database = transaction.database
      try Self.put(next, database)
      try database.execute(
        sql: """
          UPDATE operation SET outcome = NULL, outcomeCode = NULL, outcomeAt = NULL, outcomeTime = NULL
          WHERE outcomeTime >= ?
          """, arguments: [time.millisecondsSince1970])
      let taken = try RetiredOperations.bringBack(since: time, transaction)
      var result = Heard(returned: taken.operations, damaged: taken.damaged)
      try database.execute(sql: "DELETE FROM staged")
      for (queue, place) in try StoredPlaces.load(database) where place.droppingPages != place {
        result.places[queue] = place.droppingPages
        try StoredPlaces.put(place.droppingPages, transaction.number(queue: queue), database)
      }
      for operation in result.returned where operation.changes.namesFiles {
        try StoredFiles.name(operation, transaction)
      }
      // All uploads, because the folder of the server's files may be older than its database.
      try StoredFiles.doubt(nil, since: .zero, database)
      return (result, try StoredFiles.uploads(database))
    }
    history = next
    files.withLock { $0.take(uploads) }
    heard(result)
    return uploads
  }

  private static func put(_ history: HistoryID, _ database: Database) throws {
    try database.execute(
      sql: "INSERT INTO property VALUES ('history', ?1) ON CONFLICT DO UPDATE SET value = ?1",
      arguments: [history.stored])
  }
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

  /// Stores the roles of the user, as the home queue has them.
  func store(_ roles: [QueueID: QueueRole]) throws {
    try transaction { transaction in
      for (queue, role) in roles {
        try StoredPlaces.put(role, transaction.number(queue: queue), transaction.database)
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
