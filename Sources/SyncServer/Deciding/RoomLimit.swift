// How many rows and bytes of objects a queue and a user may take.

import SyncProtocol
import WireFormat

/// Limits of what commits write; nil for no limit. Files have a `FileQuota`.
package struct RoomLimit: Hashable, Sendable {
  /// Objects of a queue, deleted ones too, whoever made them.
  package var queueRows: Int64?
  /// The bytes of the contents of a queue.
  package var queueBytes: Int64?
  /// Live objects that a user has created and outcomes of the user's operations, in all queues.
  package var userRows: Int64?
  /// The bytes of the contents of the objects that a user has created.
  package var userBytes: Int64?
  /// Queues that a user has made and is in, home queues too; others may take the user into as many again.
  package var userQueues: Int?

  package static let none = Self()

  package init(
    queueRows: Int64? = nil, queueBytes: Int64? = nil, userRows: Int64? = nil, userBytes: Int64? = nil,
    userQueues: Int? = nil
  ) {
    (self.queueRows, self.queueBytes, self.userRows, self.userBytes) = (queueRows, queueBytes, userRows, userBytes)
    self.userQueues = userQueues
  }

  /// Throws a rejection if there is no room for what the changes add. Changes that add nothing always have room.
  func check(_ changes: ObjectChanges, by sender: ChangeSender, _ work: UnitOfWork) throws(Rejection) {
    guard self != .none, !changes.endsQueue else { return }
    try check(changes.added, changes.created, by: sender.user, work)
  }

  /// The same of links, which are objects too.
  func check(_ links: LinkChanges, by sender: ChangeSender, _ work: UnitOfWork) throws(Rejection) {
    guard self != .none, !links.changed.isEmpty else { return }
    let opened = Int64(links.changed.count { $0.record != nil })
    let added = StoredUsage(rows: opened, bytes: opened * LinkChanges.bytes)
    try check(added, added, by: sender.user, work)
  }

  private func check(
    _ added: StoredUsage, _ created: StoredUsage, by user: UserID, _ work: UnitOfWork
  ) throws(Rejection) {
    let isRefused = try Rejection.reading {
      if try isFull(queueRows, queueBytes, added, { try work.usage(.usage) }) { return true }
      return try isFull(userRows, userBytes, created) { try work.usage(.usageBy(user)) }
    }
    if isRefused { throw .code(RejectionCode.quotaExceeded) }
  }

  private func isFull(
    _ rows: Int64?, _ bytes: Int64?, _ more: StoredUsage, _ usage: () throws -> StoredUsage
  ) throws -> Bool {
    guard rows != nil || bytes != nil, more.rows > 0 || more.bytes > 0 else { return false }
    let before = try usage()
    return more.rows > 0 && before.rows + more.rows > rows ?? .max
      || more.bytes > 0 && before.bytes + more.bytes > bytes ?? .max
  }

  /// Whether the user may make one more queue, or have a home queue in one more app.
  func allowsQueue(of user: UserID, _ work: UnitOfWork) throws -> Bool {
    guard let userQueues else { return true }
    return try work.queueCount(of: user).own < userQueues
  }

  /// Throws a rejection if one of these people is in too many queues of others. What others do to a user does not count
  /// for the user's own queues, so that nobody can keep another from making any.
  func check(membersToBe people: [UserID], _ work: UnitOfWork) throws(Rejection) {
    guard let userQueues else { return }
    for person in people where try Rejection.reading({ try work.queueCount(of: person).others >= userQueues }) {
      throw .code(RejectionCode.quotaExceeded)
    }
  }

  /// Throws `quotaExceeded` if a user has twice the rows: then there is no room for the outcomes of rejections either.
  func checkOutcomes(of user: UserID, _ work: UnitOfWork) throws {
    guard let userRows, try work.usage(.usageBy(user)).rows >= 2 * userRows else { return }
    throw RequestError(.quotaExceeded, "You have no room left for outcomes of operations.")
  }
}

extension ObjectChanges {
  /// What the changes add to the queue: rows of objects that were never there, and bytes.
  var added: StoredUsage {
    changed.reduce(into: StoredUsage()) { sum, change in
      if change.before == nil { sum.rows += 1 }
      sum.bytes += Int64((change.after?.content.count ?? 0) - (change.before?.live?.content.count ?? 0))
    }
  }

  /// What they add to the sender: live objects, and bytes.
  var created: StoredUsage {
    var sum = added
    sum.rows = Int64(changed.count { $0.after != nil && $0.before?.live == nil })
    return sum
  }
}
