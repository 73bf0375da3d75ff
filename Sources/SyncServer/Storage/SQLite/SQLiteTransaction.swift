// Reads the rows of queues.

import Foundation
import GRDB
import SyncProtocol
import WireFormat

/// A transaction of SQLite, or a snapshot. Valid only until it ends.
struct SQLiteTransaction {
  let database: Database

  func row(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
    try Row.fetchOne(try database.cachedStatement(sql: sql), arguments: arguments)
  }
}

extension SQLiteTransaction: QueueSnapshot {
  func load(
    _ keys: [RowKey], of queue: QueueID, into rows: inout [RowKey: RowValue], bytes: Int
  ) throws -> [RowKey] {
    var (left, behind): (Int, [RowKey]) = (bytes, [])
    for key in keys where rows[key] == nil {
      if case .object = key, left <= 0 {
        behind.append(key)
        continue
      }
      let value = try value(of: key, in: queue)
      if case .object(let object?) = value { left -= object.live?.content.count ?? 0 }
      rows[key] = value
    }
    return behind
  }

  private func value(of key: RowKey, in queue: QueueID) throws -> RowValue {
    switch key {
    case .queue: .queue(try self.queue(queue))
    case .membership(let user, let queue): .membership(try membership(of: user, in: queue))
    case .members: .members(try members(of: queue))
    case .wasMember(let user):
      .isThere(try isThere("formerMember WHERE queue = ? AND account = ?", [queue.stored, user.stored]))
    case .object(let id): .object(try object(id, in: queue))
    case .references(let object): .count(try referenceCount(of: object, in: queue))
    case .outcome(let operation): .outcome(try outcome(of: operation, in: queue))
    case .file(let hash):
      .isThere(try isThere("file WHERE queue = ? AND hash = ?", [queue.stored, Data(hash.bytes)]))
    case .duty(let duty):
      .isThere(
        try isThere(
          "duty WHERE queue = ? AND account = ? AND head = ?", [duty.queue.stored, duty.user.stored, duty.head]))
    case .usage: .usage(try usage(of: "queueUsage WHERE queue = ?", queue.stored))
    case .usageBy(let user): .usage(try usage(of: "accountUsage WHERE account = ?", user.stored))
    case .queueCount(let user): .queueCount(try queueCount(of: user))
    case .sharing(let user, let other): .isThere(try shareQueue(user, other))
    case .invitations(let user, let day): .invitations(try invitations(by: user, on: day))
    case .page(let range): .page(try page(range, of: queue))
    }
  }

  private func isThere(_ rows: String, _ arguments: StatementArguments) throws -> Bool {
    try row("SELECT 1 FROM \(rows) LIMIT 1", arguments) != nil
  }

  private func queue(_ id: QueueID) throws -> StoredQueue? {
    let sql = "SELECT schema, head, floor, retention, live, digest, ended, newest FROM queue WHERE queue = ?"
    return try row(sql, [id.stored]).map(StoredQueue.init)
  }

  private func membership(of user: UserID, in queue: QueueID) throws -> StoredMembership? {
    try row(
      "SELECT role, membership, addedBy, since FROM member WHERE queue = ? AND account = ?",
      [queue.stored, user.stored]
    ).map { try StoredMembership($0, at: 0) }
  }

  private func members(of queue: QueueID) throws -> [UserID: StoredMembership] {
    let rows = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT account, role, membership, addedBy, since FROM member WHERE queue = ?"),
      arguments: [queue.stored])
    return Dictionary(uniqueKeysWithValues: try rows.map { (try $0.id(0), try StoredMembership($0, at: 1)) })
  }

  func places(of user: UserID, schema: String, after queue: QueueID?, limit: Int) throws -> [ChangedAnswer.Head] {
    try rows(
      """
      SELECT member.queue, membership, head FROM member INDEXED BY memberByAccount JOIN queue USING (queue)
      WHERE account = ? AND member.queue > ? AND schema = ? ORDER BY member.queue LIMIT ?
      """, [user.stored, queue?.stored ?? Data(), schema, limit]
    ).map { row in
      ChangedAnswer.Head(
        queue: try row.id(0), grant: try row.id(1), head: try row.decode(Int64.self, atIndex: 2))
    }
  }

  func queues(of user: UserID, after queue: QueueID?, limit: Int) throws -> [QueueID] {
    try rows(
      """
      SELECT queue FROM member INDEXED BY memberByAccount WHERE account = ? AND queue > ? ORDER BY queue LIMIT ?
      """, [user.stored, queue?.stored ?? Data(), limit]
    ).map { try $0.id(0) }
  }

  private func shareQueue(_ user: UserID, _ other: UserID) throws -> Bool {
    try row(
      """
      SELECT 1 FROM (SELECT queue FROM member WHERE account = ? LIMIT 1000) AS others
      JOIN member INDEXED BY memberByAccount ON member.account = ? AND member.queue = others.queue LIMIT 1
      """, [other.stored, user.stored]) != nil
  }

  private func invitations(by user: UserID, on day: Int64) throws -> Invitations {
    // A commit that took its time before midnight may find the count of the new day, and goes by that.
    let sql = "SELECT people, memberships FROM invitation WHERE account = ? AND day >= ?"
    guard let row = try row(sql, [user.stored, day]) else { return Invitations() }
    return Invitations(
      people: try row.decode(Int.self, atIndex: 0), memberships: try row.decode(Int.self, atIndex: 1))
  }

  private func object(_ id: UUIDValue, in queue: QueueID) throws -> ObjectState? {
    try row(Self.objects + "WHERE queue = ? AND id = ?", [queue.stored, id.stored]).map(ObjectState.init)
  }

  private static let objects =
    "SELECT id, revision, type, newestBy, createdBy, createdAt, updatedAt, content FROM object "

  private func outcome(of operation: OperationID, in queue: QueueID) throws -> OperationOutcome? {
    try row(
      "SELECT status, code, at, time, attempt FROM outcome WHERE queue = ? AND operation = ?",
      [queue.stored, operation.stored]
    ).map { try OperationOutcome(operation, $0) }
  }

  private func page(_ range: ObjectRange, of queue: QueueID) throws -> ObjectPage {
    if let member = range.member, try membership(of: member, in: queue) == nil { return ObjectPage() }
    switch range.start {
    case .changes(let cursor):
      return try page(range, "WHERE queue = ? AND revision > ? ORDER BY revision", [queue.stored, cursor])
    // An absent number is stored as the smallest one, so that one index has the order.
    case .live(nil, let revision):
      return try page(
        range, "WHERE queue = ? AND type IS NOT NULL AND revision <= ? ORDER BY newestBy DESC, id DESC",
        [queue.stored, revision ?? .max])
    case .live(let place?, let revision):
      return try page(
        range,
        """
        WHERE queue = ?1 AND type IS NOT NULL AND revision <= ?4 AND (newestBy, id) < (?2, ?3)
        ORDER BY newestBy DESC, id DESC
        """, [queue.stored, place.newestBy, place.id.stored, revision ?? .max])
    }
  }

  private func page(
    _ range: ObjectRange, _ condition: String, _ arguments: StatementArguments
  ) throws -> ObjectPage {
    let rows = try Row.fetchCursor(
      try database.cachedStatement(sql: Self.objects + condition), arguments: arguments)
    var (page, bytes) = (ObjectPage(), 0)
    while let row = try rows.next() {
      let object = try ObjectState(row)
      let size = object.live?.content.count ?? 0
      bytes += page.objects.isEmpty ? min(size, range.bytes) : size
      guard page.objects.count < range.rows, bytes <= range.bytes else {
        page.isLast = false
        break
      }
      page.objects.append(object)
    }
    return page
  }

  func duties(after duty: HomeDuty?, limit: Int) throws -> [HomeDuty] {
    try rows(
      """
      SELECT duty.queue, account, duty.head, schema FROM duty JOIN queue USING (queue)
      WHERE (duty.queue, account, duty.head) > (?, ?, ?) ORDER BY duty.queue, account, duty.head LIMIT ?
      """, [duty?.queue.stored ?? Data(), duty?.user.stored ?? Data(), duty?.head ?? 0, limit]
    ).map { row in
      HomeDuty(
        user: try row.id(1), queue: try row.id(0), head: try row.decode(Int64.self, atIndex: 2),
        schema: try row.decode(String.self, atIndex: 3))
    }
  }
}

extension StoredQueue {
  /// Reads the columns of a queue after its id, in the order of the table.
  init(_ row: Row) throws {
    self.init(of: try row.decode(String.self, atIndex: 0))
    head = try row.decode(Int64.self, atIndex: 1)
    floor = try row.decode(Int64.self, atIndex: 2)
    retention = try row.time(3)
    digest = QueueDigest(
      live: try row.decode(Int64.self, atIndex: 4), sum: UInt64(bitPattern: try row.decode(Int64.self, atIndex: 5)))
    isEnded = try row.decode(Bool.self, atIndex: 6)
    newest = try row.time(7)
  }
}

extension StoredMembership {
  fileprivate init(_ row: Row, at index: Int) throws {
    let number = try row.decode(Int32.self, atIndex: index)
    guard let role = QueueRole(number: number) else { throw StorageError(.damaged, "There is no role \(number).") }
    self.init(
      role: role, grant: try row.id(index + 1), by: try row.id(index + 2),
      since: try row.time(index + 3))
  }
}

extension ObjectState {
  fileprivate init(_ row: Row) throws {
    self.init(id: try row.id(0), revision: try row.decode(Int64.self, atIndex: 1), live: nil)
    guard let type = try row.decode(String?.self, atIndex: 2) else { return }
    let newestBy = try row.decode(Int64.self, atIndex: 3)
    live = Live(
      type: type, content: [UInt8](try row.decode(Data.self, atIndex: 7)), newestBy: newestBy == .min ? nil : newestBy,
      system: SystemFields(createdBy: try row.id(4), createdAt: try row.time(5), updatedAt: try row.time(6)))
  }
}

extension OperationOutcome {
  fileprivate init(_ operation: OperationID, _ row: Row) throws {
    let code = try row.decode(String?.self, atIndex: 1)
    guard let status = Status(number: try row.decode(Int64.self, atIndex: 0), code: code) else {
      throw StorageError(.damaged, "The outcome of \(operation) cannot be read.")
    }
    self.init(
      operation: operation, status: status, at: try row.decode(Int64.self, atIndex: 2),
      time: try row.time(3), attempt: try row.decode(Int.self, atIndex: 4))
  }
}

extension Row {
  func id<Object>(_ index: Int) throws -> ObjectID<Object> { ObjectID(try id(index)) }

  func id(_ index: Int) throws -> UUIDValue {
    guard let id = UUIDValue(bytes: [UInt8](try decode(Data.self, atIndex: index))) else {
      throw StorageError(.damaged, "An id of the server's database does not have 16 bytes.")
    }
    return id
  }

  func hash(_ index: Int) throws -> ContentHash {
    guard let hash = ContentHash(bytes: [UInt8](try decode(Data.self, atIndex: index))) else {
      throw StorageError(.damaged, "The hash of a file does not have 32 bytes.")
    }
    return hash
  }

  func time(_ index: Int) throws -> Timestamp {
    Timestamp(millisecondsSince1970: try decode(Int64.self, atIndex: index))
  }
}

extension UUIDValue {
  /// The 16 bytes, as columns store them.
  var stored: Data { Data(bytes) }
}

extension ObjectID {
  var stored: Data { rawValue.stored }
}
