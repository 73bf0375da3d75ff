// Where queues live: transactions over rows, without a rule of the protocol.

public import SyncProtocol
public import WireFormat

/// A database of queues. Every key begins with the queue, so that queues can be spread over several.
public protocol QueueStorage: Sendable {
  /// Reads one snapshot: what others commit meanwhile is not in it.
  func read<Result: Sendable>(_ body: @Sendable (any QueueSnapshot) throws -> Result) async throws -> Result

  /// Runs one transaction, durable when this returns. It holds the lock of the queue to its end, so that revisions are
  /// visible in the order in which they were given. Nothing is kept where `body` throws.
  func write<Result: Sendable>(
    to queue: UUIDValue, _ body: @Sendable (any QueueTransaction) throws -> Result
  ) async throws -> Result
}

/// What one snapshot of a storage has.
public protocol QueueSnapshot {
  func queue(_ id: UUIDValue) throws -> StoredQueue?
  func membership(of user: UUIDValue, in queue: UUIDValue) throws -> StoredMembership?
  /// All members; a queue has hundreds, not thousands.
  func members(of queue: UUIDValue) throws -> [(user: UUIDValue, membership: StoredMembership)]
  /// Live or deleted; nil where there never was one, or its tombstone is gone.
  func object(_ id: UUIDValue, in queue: UUIDValue) throws -> ObjectState?
  /// Those that are known, in any order.
  func outcomes(of operations: [UUIDValue], in queue: UUIDValue) throws -> [OperationOutcome]
  /// Objects with a revision above `cursor`, ascending, until `body` returns false.
  func forEachChange(in queue: UUIDValue, after cursor: Int64, _ body: (ObjectState) throws -> Bool) throws
  /// Live objects behind `place`, the largest number and id first, until `body` returns false.
  func forEachLive(in queue: UUIDValue, behind place: ScanPlace?, _ body: (ObjectState) throws -> Bool) throws
  /// Those of the files that have not arrived as a whole.
  func missing(_ files: [ContentHash], in queue: UUIDValue) throws -> [ContentHash]
  /// Memberships whose home queue may not show them yet, oldest first.
  func duties(after number: Int64, limit: Int) throws -> [HomeDuty]
}

/// A snapshot that can be changed.
public protocol QueueTransaction: QueueSnapshot {
  func put(_ queue: StoredQueue, as id: UUIDValue) throws
  func put(_ object: ObjectState, in queue: UUIDValue) throws
  func put(_ outcome: OperationOutcome, in queue: UUIDValue) throws
  /// Nil ends the membership.
  func put(_ membership: StoredMembership?, of user: UUIDValue, in queue: UUIDValue) throws
  /// Notes that an object names a file, which keeps the file.
  func refer(to file: ContentHash, from object: UUIDValue, in queue: UUIDValue) throws
  /// Notes that a user's home queue has to show what became of a membership.
  func addDuty(_ user: UUIDValue, _ queue: UUIDValue) throws
  func removeDuty(_ duty: HomeDuty) throws
  /// Forgets tombstones up to a revision.
  func removeTombstones(in queue: UUIDValue, upTo revision: Int64) throws
  /// Forgets outcomes that were decided before a time.
  func removeOutcomes(in queue: UUIDValue, before time: Timestamp) throws
}

/// The row of a queue.
public struct StoredQueue: Hashable, Sendable {
  public var epoch: UUIDValue
  /// The newest revision.
  public var head: Int64 = 0
  /// The oldest cursor that is still served.
  public var floor: Int64 = 0
  /// Outcomes of operations that were first sent before may have been forgotten.
  public var retention: Timestamp = .zero
  public var digest: QueueDigest = .empty

  public init(epoch: UUIDValue) {
    self.epoch = epoch
  }
}

public struct StoredMembership: Hashable, Sendable {
  public var role: QueueRole
  /// Another one each time the user joins.
  public var grant: UUIDValue
  /// Who took the user in.
  public var by: UUIDValue
  public var since: Timestamp

  public init(role: QueueRole, grant: UUIDValue, by: UUIDValue, since: Timestamp) {
    self.role = role
    self.grant = grant
    self.by = by
    self.since = since
  }
}

/// A membership that the home queue of its user has to show, or to show no more.
public struct HomeDuty: Hashable, Sendable {
  /// Of this duty; a later one for the same membership has another.
  public var number: Int64
  public var user: UUIDValue
  public var queue: UUIDValue

  public init(number: Int64, user: UUIDValue, queue: UUIDValue) {
    self.number = number
    self.user = user
    self.queue = queue
  }
}
