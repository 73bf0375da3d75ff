// What one decision reads and writes, in memory. Pure: a decision makes no call to a database.

import SyncProtocol
package import WireFormat

/// The loaded rows of a decision about one queue, and its writes so far. A read sees what the decision has written.
///
/// A read of a row that was not loaded throws `NotLoaded`. The storage then loads it, and the decision runs again from
/// the beginning (`QueueStorage+Deciding`), so it must do nothing else than decide.
package struct UnitOfWork: Sendable {
  /// How many rows a storage loads at once, of those that a decision reads most likely.
  package static let rowsAtOnce = 4_000

  package let queueID: QueueID
  private var rows: [RowKey: RowValue]
  private var written: [RowWrite] = []
  private var added = StoredUsage()
  private var addedBy: [UserID: StoredUsage] = [:]

  package init(on queue: QueueID, _ rows: [RowKey: RowValue]) { (queueID, self.rows) = (queue, rows) }

  /// What the decision writes, in its order, and at last what it adds to the sums.
  package var writes: [RowWrite] {
    if written.isEmpty { return [] }
    let users = addedBy.filter { $0.value != StoredUsage() }.sorted { $0.key < $1.key }
    return written + (added == StoredUsage() ? [] : [.usage(added)]) + users.map { .usageBy($0.key, $0.value) }
  }

  /// Gives the work away, so that nothing is copied when it goes on.
  mutating func taken() -> Self {
    defer { self = Self(on: queueID, [:]) }
    return self
  }

  /// A decision needs a row that was not loaded.
  package struct NotLoaded: Error {
    package var key: RowKey
  }

  /// The rows as the next decision of the same transaction finds them, but for those of which that is not certain.
  package var rowsAfterwards: [RowKey: RowValue] {
    if written.isEmpty { return rows }
    let hasEnded = written.contains { if case .noMembers = $0 { true } else { false } }
    return rows.filter { key, _ in
      switch key {
      case .queue, .object, .outcome, .file, .usage, .usageBy, .invitations: true
      case .membership, .members, .queueCount: !hasEnded
      case .wasMember, .references, .duty, .sharing, .page: false
      }
    }
  }

  private func value(_ key: RowKey) throws -> RowValue {
    guard let value = rows[key] else { throw NotLoaded(key: key) }
    return value
  }
}

// Reading.
extension UnitOfWork {
  func queue() throws -> StoredQueue? {
    guard case .queue(let queue) = try value(.queue) else { return nil }
    return queue
  }

  func membership(of user: UserID) throws -> StoredMembership? { try membership(of: user, in: queueID) }

  func membership(of user: UserID, in queue: QueueID) throws -> StoredMembership? {
    guard case .membership(let membership) = try value(.membership(of: user, in: queue)) else { return nil }
    return membership
  }

  func members() throws -> [UserID: StoredMembership] {
    guard case .members(let members) = try value(.members) else { return [:] }
    return members
  }

  func object(_ id: UUIDValue) throws -> ObjectState? {
    guard case .object(let object) = try value(.object(id)) else { return nil }
    return object
  }

  func outcome(of operation: OperationID) throws -> OperationOutcome? {
    guard case .outcome(let outcome) = try value(.outcome(operation)) else { return nil }
    return outcome
  }

  func isThere(_ key: RowKey) throws -> Bool {
    guard case .isThere(let isThere) = try value(key) else { return false }
    return isThere
  }

  func count(_ key: RowKey) throws -> Int {
    guard case .count(let count) = try value(key) else { return 0 }
    return count
  }

  func usage(_ key: RowKey) throws -> StoredUsage {
    guard case .usage(let usage) = try value(key) else { return StoredUsage() }
    return usage
  }

  func queueCount(of user: UserID) throws -> QueueCount {
    guard case .queueCount(let count) = try value(.queueCount(of: user)) else { return QueueCount() }
    return count
  }

  func invitations(by user: UserID, on day: Int64) throws -> Invitations {
    guard case .invitations(let invitations) = try value(.invitations(by: user, day: day)) else { return Invitations() }
    return invitations
  }

  /// For decisions that write no objects.
  func page(_ range: ObjectRange) throws -> ObjectPage {
    guard case .page(let page) = try value(.page(range)) else { return ObjectPage() }
    return page
  }
}

// Writing.
extension UnitOfWork {
  /// Writes a row. Later reads of the decision see it, in sums too.
  mutating func write(_ write: RowWrite) {
    written.append(write)
    switch write {
    case .queue(let queue): rows[.queue] = .queue(queue)
    case .object(let object): put(object)
    case .outcome(let outcome, let user): put(outcome, of: user)
    case .membership(let membership, let user): put(membership, of: user)
    case .invitations(let given, let user, let day): rows[.invitations(by: user, day: day)] = .invitations(given)
    case .references(let files, let object, _): addReferences(files.count, from: object)
    case .dutyDone(let duty): rows[.duty(duty)] = .isThere(false)
    // References that were replaced still count until the next decision, so this commit has a little less room for more.
    case .noMembers, .noReferences, .duty: break
    case .usage, .usageBy: preconditionFailure("the unit of work counts by itself")
    }
  }

  private mutating func put(_ object: ObjectState) {
    guard case .object(let before)? = rows.updateValue(.object(object), forKey: .object(object.id)) else {
      preconditionFailure("an object is read before it is written")
    }
    let bytes = (before?.live?.content.count ?? 0, object.live?.content.count ?? 0)
    add(StoredUsage(rows: before == nil ? 1 : 0, bytes: Int64(bytes.1 - bytes.0)))
    if let live = before?.live { add(StoredUsage(rows: -1, bytes: Int64(-bytes.0)), by: live.system.createdBy) }
    guard let live = object.live else { return }
    add(StoredUsage(rows: 1, bytes: Int64(bytes.1)), by: live.system.createdBy)
  }

  private mutating func put(_ outcome: OperationOutcome, of user: UserID) {
    guard case .outcome(let before)? = rows.updateValue(.outcome(outcome), forKey: .outcome(outcome.operation)) else {
      preconditionFailure("an outcome is read before it is written")
    }
    if before == nil { add(StoredUsage(rows: 1), by: user) }
  }

  private mutating func put(_ membership: StoredMembership?, of user: UserID) {
    let key = RowKey.membership(of: user, in: queueID)
    var before: StoredMembership?
    // Taken out first, so that the dictionary is not copied.
    if case .members(var members)? = rows.removeValue(forKey: .members) {
      before = members[user]
      members[user] = membership
      rows[.members] = .members(members)
    } else if case .membership(let known)? = rows[key] {
      before = known
    }
    rows[key] = .membership(membership)
    if let before { count(before, of: user, -1) }
    if let membership { count(membership, of: user, 1) }
  }

  private mutating func count(_ membership: StoredMembership, of user: UserID, _ sign: Int) {
    guard case .queueCount(var count)? = rows[.queueCount(of: user)] else { return }
    if membership.by == user { count.own += sign } else { count.others += sign }
    rows[.queueCount(of: user)] = .queueCount(count)
  }

  private mutating func addReferences(_ count: Int, from object: UUIDValue) {
    guard case .count(let before)? = rows[.references(from: object)] else { return }
    rows[.references(from: object)] = .count(before + count)
  }

  private mutating func add(_ usage: StoredUsage) {
    added += usage
    if case .usage(let known)? = rows[.usage] { rows[.usage] = .usage(known + usage) }
  }

  private mutating func add(_ usage: StoredUsage, by user: UserID) {
    addedBy[user, default: StoredUsage()] += usage
    if case .usage(let known)? = rows[.usageBy(user)] { rows[.usageBy(user)] = .usage(known + usage) }
  }
}
