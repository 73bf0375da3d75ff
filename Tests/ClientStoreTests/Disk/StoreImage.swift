// The content of a store's database, read beside the store by plain SQL, and the view that a user must have of it.

import Foundation
import GRDB
import ModelSupport
import StoreTestSupport

@testable import ClientStore

struct StoreImage: Equatable {
  var operations: [Operation] = []
  var failedOperations: [OperationID] = []
  var objects: [UUIDValue: Object] = [:]
  var cursors: [QueueID: Int64] = [:]
  var places: [QueueID: Place] = [:]
  /// Revisions of the rows in pages that are not shown yet.
  var staged: [UUIDValue: Int64] = [:]
  /// Revisions of deletes that operations of the outbox may not have seen.
  var tombstones: [UUIDValue: Int64] = [:]
  var retired: [OperationID] = []
  /// The server's history.
  var history: HistoryID?

  struct Place: Equatable {
    var load: Int64
    var cursor: Int64
    var position: Int64?
  }

  struct Operation: Equatable {
    var id: OperationID
    var changes: [UInt8]
    var isSent: Bool
    var isVoided: Bool
    var isHidden: Bool
    var outcome: String?
    var outcomeAt: Int64?
  }

  struct Object: Equatable {
    var queue: QueueID
    var type: String
    var revision: Int64
    var content: [UInt8]
  }

  init(_ disk: FaultDisk) throws {
    try self.init(folder: disk.folder)
  }

  /// Reads an image. It is empty if the tables do not exist yet.
  init(folder: String) throws {
    let database = try DatabaseQueue(path: folder + "/store.sqlite")
    try database.unsafeRead { database in
      guard try database.tableExists("operation") else { return }
      for row in try Row.fetchAll(database, sql: "SELECT * FROM operation ORDER BY number") {
        operations.append(try Operation(row))
      }
      failedOperations = try Data.fetchAll(database, sql: "SELECT operation FROM failed ORDER BY number").map(Self.id)
      let objects = """
        SELECT object.id, queue.id, type.name, revision, content FROM object
        JOIN queue ON queue.number = object.queue JOIN type ON type.number = object.type
        """
      for row in try Row.fetchAll(database, sql: objects) {
        self.objects[Self.id(try row.decode(atIndex: 0))] = Object(
          queue: Self.id(try row.decode(atIndex: 1)), type: try row.decode(atIndex: 2),
          revision: try row.decode(atIndex: 3), content: [UInt8](try row.decode(Data.self, atIndex: 4)))
      }
      for row in try Row.fetchAll(database, sql: "SELECT id, cursor FROM queue") {
        cursors[Self.id(try row.decode(atIndex: 0))] = try row.decode(atIndex: 1)
      }
      // This table exists since version 2.
      guard try database.tableExists("staged") else { return }
      try readSync(database)
    }
  }

  private mutating func readSync(_ database: Database) throws {
    // Leaves out queues that were never read. They have rows too, as soon as an object or an operation names them.
    let queues = "SELECT id, load, cursor, position FROM queue WHERE number > 0 AND load > 0"
    for row in try Row.fetchAll(database, sql: queues) {
      places[Self.id(try row.decode(atIndex: 0))] = Place(
        load: try row.decode(atIndex: 1), cursor: try row.decode(atIndex: 2), position: try row.decode(atIndex: 3))
    }
    for row in try Row.fetchAll(database, sql: "SELECT id, revision FROM staged") {
      staged[Self.id(try row.decode(atIndex: 0))] = try row.decode(atIndex: 1)
    }
    // This table exists since version 4.
    if try database.tableExists("tombstone") {
      for row in try Row.fetchAll(database, sql: "SELECT id, revision FROM tombstone") {
        tombstones[Self.id(try row.decode(atIndex: 0))] = try row.decode(atIndex: 1)
      }
    }
    retired = try Data.fetchAll(database, sql: "SELECT id FROM retired ORDER BY number").map(Self.id)
    let history = try Data.fetchOne(database, sql: "SELECT value FROM property WHERE name = 'history'")
    self.history = history.map { HistoryID(Self.id($0)) }
  }

  fileprivate static func id<Object>(_ data: Data) -> ObjectID<Object> { ObjectID(id(data)) }

  fileprivate static func id(_ data: Data) -> UUIDValue {
    data.withUnsafeBytes { bytes in
      UUIDValue(
        high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
  }
}

extension StoreImage.Operation {
  init(_ row: Row) throws {
    id = StoreImage.id(try row.decode(forColumn: "id"))
    changes = [UInt8](try row.decode(Data.self, forColumn: "changes"))
    isSent = try row.decode(Int64?.self, forColumn: "firstSent") != nil
    isVoided = try row.decode(forColumn: "voided")
    isHidden = try row.decode(forColumn: "hidden")
    outcome = try row.decode(forColumn: "outcome")
    outcomeAt = try row.decode(forColumn: "outcomeAt")
  }

  init(_ operation: OutboxEntry) {
    id = operation.id
    changes = operation.bytes
    isSent = operation.isSent
    isVoided = operation.isVoided
    isHidden = operation.isHidden
    outcome = operation.outcome?.status.stored.name
    outcomeAt = operation.outcome?.at
  }

  /// Whether the user sees the effect of the operation.
  var isShown: Bool { !isVoided && !isHidden && (outcome == nil || outcome == "applied" || outcome == "noEffect") }
}

extension StoreImage {
  /// Confirmed rows with the outbox replayed on top: the type and content of each object.
  func view() throws -> [UUIDValue: Content] {
    var view = objects.mapValues { Content(type: $0.type, bytes: $0.content) }
    for operation in operations where operation.isShown {
      for change in try OperationChanges(bytes: operation.changes).objects {
        let before = view[change.object]
        guard let after = try change.applied(to: before?.bytes) else {
          view[change.object] = nil
          continue
        }
        if let type = before?.type {
          view[change.object] = Content(type: type, bytes: after)
        } else if case .create(let type, _, _) = change.action {
          view[change.object] = Content(type: type, bytes: after)
        }
      }
    }
    return view
  }

  /// A short description for messages.
  var summary: String {
    """
    \(operations.count) operations (\(operations.filter(\.isSent).count) sent), \(failedOperations.count) failed, \
    \(objects.count) objects, cursors \(cursors.values.sorted()), \(staged.count) staged, \(retired.count) retired
    """
  }

  struct Content: Equatable {
    var type: String
    var bytes: [UInt8]
  }

  /// Differences between the database and the store that was opened on it; empty if there are none.
  ///
  /// Without `inOrder` the order of failed operations may differ. An operation that is refused on the device while sync
  /// settles others may be written after them.
  func problems(of store: ModelStore, inOrder: Bool = true) throws -> [String] {
    var problems: [String] = []
    var seen: [UUIDValue: Content] = [:]
    for entry in try store.objects(Entry.self) {
      seen[entry.id.rawValue] = Content(type: Entry.modelName, bytes: try entry.encoded())
      if try store.object(entry.id) != entry { problems.append("\(entry.id) differs in the list and alone") }
    }
    for sketch in try store.objects(Sketch.self) {
      seen[sketch.id.rawValue] = Content(type: Sketch.modelName, bytes: try sketch.encoded())
    }
    if try seen != view() { problems.append("the view is not confirmed state with the outbox on top") }
    let pending = store.memory.withLock { memory in
      memory.outbox.numbers.compactMap { memory.outbox.operations[$0] }.map(Operation.init)
    }
    if pending != operations { problems.append("the outbox in memory is not the one on disk") }
    if store.history != history { problems.append("the history in memory is not the one on disk") }
    for (queue, place) in places {
      let known = store.place(of: queue)
      if place != Place(load: known.load.rawValue, cursor: known.cursor, position: known.position) {
        problems.append("the place of a queue in memory is not the one on disk")
      }
    }
    let told = store.failedOperations.map(\.id)
    if inOrder ? told != failedOperations : Set(told) != Set(failedOperations) {
      problems.append("failed operations in memory are not those on disk")
    }
    return problems
  }
}
