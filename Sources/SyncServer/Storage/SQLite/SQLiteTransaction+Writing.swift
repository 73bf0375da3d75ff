// Writes the rows of queues.

import Foundation
import GRDB
package import SyncProtocol
import WireFormat

extension SQLiteTransaction: QueueTransaction {
  func execute(_ sql: String, _ arguments: StatementArguments) throws {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  func write(_ writes: [RowWrite], to queue: QueueID) throws {
    for write in writes {
      switch write {
      case .queue(let row): try put(row, as: queue)
      case .object(let object): try put(object, in: queue)
      case .outcome(let outcome, let user): try put(outcome, of: user, in: queue)
      case .membership(let membership, let user): try put(membership, of: user, in: queue)
      case .invitations(let invitations, let user, let day): try put(invitations, by: user, on: day)
      case .noMembers: try removeMembers(of: queue)
      case .references(let files, let object, let tag): try refer(to: files, from: object, tag: tag, in: queue)
      case .noReferences(let object, let tag): try removeReferences(from: object, tag: tag, in: queue)
      case .duty(let duty):
        try execute(
          "INSERT OR IGNORE INTO duty (queue, account, head) VALUES (?, ?, ?)",
          [duty.queue.stored, duty.user.stored, duty.head])
      case .dutyDone(let duty):
        try execute(
          "DELETE FROM duty WHERE queue = ? AND account = ? AND head = ?",
          [duty.queue.stored, duty.user.stored, duty.head])
      case .usage(let more): try add(more, to: queue)
      case .usageBy(let user, let more): try add(more, by: user)
      }
    }
  }

  private func put(_ queue: StoredQueue, as id: QueueID) throws {
    try execute(
      """
      INSERT INTO queue (queue, schema, head, floor, retention, live, digest, ended, newest)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (queue) DO UPDATE SET head = excluded.head, floor = excluded.floor, retention = excluded.retention,
        live = excluded.live, digest = excluded.digest, ended = excluded.ended, newest = excluded.newest
      """,
      [
        id.stored, queue.schema, queue.head, queue.floor, queue.retention.millisecondsSince1970, queue.digest.live,
        Int64(bitPattern: queue.digest.sum), queue.isEnded, queue.newest.millisecondsSince1970,
      ])
  }

  private func put(_ object: ObjectState, in queue: QueueID) throws {
    let live = object.live
    try execute(
      """
      INSERT INTO object (queue, id, revision, type, newestBy, createdBy, createdAt, updatedAt, content)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (queue, id) DO UPDATE SET revision = excluded.revision, type = excluded.type,
        newestBy = excluded.newestBy, createdBy = excluded.createdBy, createdAt = excluded.createdAt,
        updatedAt = excluded.updatedAt, content = excluded.content
      """,
      [
        queue.stored, object.id.stored, object.revision, live?.type, live.map { $0.newestBy ?? .min },
        live?.system.createdBy.stored, live?.system.createdAt.millisecondsSince1970,
        live?.system.updatedAt.millisecondsSince1970, live.map { Data($0.content) },
      ])
    if live == nil {
      try execute("DELETE FROM fileReference WHERE queue = ? AND id = ?", [queue.stored, object.id.stored])
    }
  }

  private func put(_ outcome: OperationOutcome, of user: UserID, in queue: QueueID) throws {
    try execute(
      """
      INSERT INTO outcome (queue, operation, status, code, at, time, attempt, account) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (queue, operation) DO UPDATE SET status = excluded.status, code = excluded.code, at = excluded.at,
        time = excluded.time, attempt = excluded.attempt
      """,
      [
        queue.stored, outcome.operation.stored, outcome.status.number, outcome.status.code, outcome.at,
        outcome.time.millisecondsSince1970, outcome.attempt, user.stored,
      ])
  }

  private func put(_ membership: StoredMembership?, of user: UserID, in queue: QueueID) throws {
    guard let membership else {
      return try execute("DELETE FROM member WHERE queue = ? AND account = ?", [queue.stored, user.stored])
    }
    try execute(
      """
      INSERT INTO member (queue, account, role, membership, addedBy, since) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (queue, account) DO UPDATE SET role = excluded.role, membership = excluded.membership,
        addedBy = excluded.addedBy, since = excluded.since
      """,
      [
        queue.stored, user.stored, membership.role.number, membership.grant.stored, membership.by.stored,
        membership.since.millisecondsSince1970,
      ])
  }

  private func put(_ invitations: Invitations, by user: UserID, on day: Int64) throws {
    try execute(
      """
      INSERT INTO invitation (account, day, people, memberships) VALUES (?, ?, ?, ?)
      ON CONFLICT (account) DO UPDATE SET day = max(day, excluded.day), people = excluded.people,
        memberships = excluded.memberships
      """, [user.stored, day, invitations.people, invitations.memberships])
  }

  private func removeMembers(of queue: QueueID) throws {
    try execute("INSERT INTO formerMember SELECT queue, account FROM member WHERE queue = ?", [queue.stored])
    for table in ["member", "mark"] { try execute("DELETE FROM \(table) WHERE queue = ?", [queue.stored]) }
  }

  func removeObjects(of queue: QueueID, rows: Int) throws -> Bool {
    guard try self.queue(queue)?.isEnded == true else { return true }
    let some = "SELECT rowid FROM fileReference WHERE queue = ? LIMIT ?"
    try execute("DELETE FROM fileReference WHERE rowid IN (\(some))", [queue.stored, rows])
    let left = rows - database.changesCount
    // Objects go last: as long as one is there, upkeep looks here.
    let objects = try self.rows(
      "SELECT rowid, ifnull(length(content), 0), createdBy FROM object WHERE queue = ? LIMIT ?", [queue.stored, left])
    var (gone, goneBy): (StoredUsage, [UserID: StoredUsage]) = (StoredUsage(), [:])
    for object in objects where -gone.bytes < Self.removedBytes {
      try execute("DELETE FROM object WHERE rowid = ?", [object.decode(Int64.self, atIndex: 0)])
      let less = StoredUsage(rows: -1, bytes: -(try object.decode(Int64.self, atIndex: 1)))
      gone += less
      if !object.hasNull(atIndex: 2) { goneBy[try object.id(2), default: StoredUsage()] += less }
    }
    try add(gone, to: queue)
    for (user, less) in goneBy { try add(less, by: user) }
    return objects.count < left && -gone.rows == objects.count
  }

  /// How many bytes of content one transaction removes, and those of one object more: a large one takes long.
  private static let removedBytes = 1 << 20

  func removeTombstones(in queue: QueueID, upTo revision: Int64) throws {
    try execute(
      "DELETE FROM object WHERE queue = ? AND type IS NULL AND revision <= ?", [queue.stored, revision])
    try add(StoredUsage(rows: -Int64(database.changesCount)), to: queue)
  }

  func removeOutcomes(in queue: QueueID, before time: Timestamp) throws {
    try removeOutcomes("queue = ? AND time < ?", [queue.stored, time.millisecondsSince1970])
  }

  func removeOutcomes(_ operations: [OperationID], in queue: QueueID, before time: Timestamp) throws {
    for operation in operations {
      try removeOutcomes(
        "queue = ? AND operation = ? AND time < ?", [queue.stored, operation.stored, time.millisecondsSince1970])
    }
  }

  private func removeOutcomes(_ condition: String, _ arguments: StatementArguments) throws {
    let counts = try rows("SELECT account, count(*) FROM outcome WHERE \(condition) GROUP BY account", arguments)
    try execute("DELETE FROM outcome WHERE \(condition)", arguments)
    for row in counts { try add(StoredUsage(rows: -(try row.decode(Int64.self, atIndex: 1))), by: try row.id(0)) }
  }

  func put(_ mark: QueueMark, of queue: QueueID) throws {
    try execute(
      "INSERT OR REPLACE INTO mark (queue, head, time) VALUES (?, ?, ?)",
      [queue.stored, mark.head, mark.time.millisecondsSince1970])
  }

  func removeMarks(of queue: QueueID, upTo time: Timestamp) throws {
    try execute("DELETE FROM mark WHERE queue = ? AND time <= ?", [queue.stored, time.millisecondsSince1970])
  }

  func put(newestTime time: Timestamp) throws {
    try execute("UPDATE clock SET newest = max(newest, ?)", [time.millisecondsSince1970])
  }
}

extension OperationOutcome.Status {
  /// The number in the column `status`. The code of a rejection has a column of its own.
  package var number: Int64 {
    switch self {
    case .applied: 1
    case .noEffect: 2
    case .rejected: 3
    case .voided: 4
    case .unknown: 5
    }
  }

  package init?(number: Int64, code: String?) {
    switch (number, code) {
    case (1, _): self = .applied
    case (2, _): self = .noEffect
    case (3, let code?): self = .rejected(code)
    case (4, _): self = .voided
    case (5, _): self = .unknown
    default: return nil
    }
  }

  package var code: String? {
    if case .rejected(let code) = self { code } else { nil }
  }
}
