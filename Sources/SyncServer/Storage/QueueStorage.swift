// Where queues live: transactions over rows, without a rule of the protocol.

public import SyncProtocol
public import WireFormat

/// A database of queues. Nearly every key begins with the queue, so that queues can be spread over several: the queues of
/// a user are then asked of each of them.
public protocol QueueStorage: Sendable {
  /// Reads one snapshot: what others commit meanwhile is not in it.
  func read<Result: Sendable>(_ body: @Sendable (any QueueSnapshot) throws -> Result) async throws -> Result

  /// Runs one transaction, durable when this returns. It holds the lock of the queue to its end, so that revisions are
  /// visible in the order in which they were given. Nothing is kept where `body` throws.
  func write<Result: Sendable>(
    to queue: UUIDValue, _ body: @Sendable (any QueueTransaction) throws -> Result
  ) async throws -> Result

  /// Whether others than a user wait to write. A transaction that can be divided ends then.
  func isAwaited(besides user: UUIDValue) -> Bool
}

extension QueueStorage {
  /// Nobody is known to wait.
  public func isAwaited(besides user: UUIDValue) -> Bool { false }
}

/// The data of a storage at one moment.
public protocol QueueSnapshot {
  func queue(_ id: UUIDValue) throws -> StoredQueue?
  func membership(of user: UUIDValue, in queue: UUIDValue) throws -> StoredMembership?
  /// All members; a queue has hundreds, not thousands.
  func members(of queue: UUIDValue) throws -> [(user: UUIDValue, membership: StoredMembership)]
  /// Where the queues stand of which a user is a member, in any order.
  func forEachPlace(of user: UUIDValue, _ body: (StoredPlace) throws -> Void) throws
  /// Whether both are members of some queue, as far as the first 1,000 queues of the other one tell.
  func shareQueue(_ user: UUIDValue, _ other: UUIDValue) throws -> Bool
  /// How many people a user has taken in on a day with whom that user shared no queue; days count from 1970.
  func invitations(by user: UUIDValue, on day: Int64) throws -> Int
  /// Whether the user was a member of a queue when it ended.
  func wasMember(_ user: UUIDValue, of queue: UUIDValue) throws -> Bool
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
  /// A file that has arrived as a whole.
  func file(_ hash: ContentHash, in queue: UUIDValue) throws -> StoredFile?
  /// The bytes of all files of a queue that have arrived as a whole: kept, not counted.
  func fileBytes(in queue: UUIDValue) throws -> Int64
  /// Those that a user has brought into all queues.
  func fileBytes(broughtBy user: UUIDValue) throws -> Int64
  /// Files behind one, in the order of queues and hashes.
  func files(after place: FilePlace?, limit: Int) throws -> [(place: FilePlace, file: StoredFile)]
  /// Queues behind one, in the order of their ids.
  func queues(after queue: UUIDValue?, limit: Int) throws -> [(id: UUIDValue, queue: StoredQueue)]
  /// How far a queue had come at times that were noted, the newest first.
  func marks(of queue: UUIDValue) throws -> [QueueMark]
  /// The newest tombstone up to a revision.
  func newestTombstone(in queue: UUIDValue, upTo revision: Int64) throws -> Int64?
  /// In the order in which they were decided, over all queues.
  func outcomes(after number: Int64, limit: Int) throws -> [OutcomeKey]
  /// The newest time that the server has noted.
  func newestTime() throws -> Timestamp
}

/// A snapshot that can be changed.
public protocol QueueTransaction: QueueSnapshot {
  func put(_ queue: StoredQueue, as id: UUIDValue) throws
  func put(_ object: ObjectState, in queue: UUIDValue) throws
  func put(_ outcome: OperationOutcome, in queue: UUIDValue) throws
  /// Nil ends the membership. After the transaction `SyncService.endTransfers` has to be called.
  func put(_ membership: StoredMembership?, of user: UUIDValue, in queue: UUIDValue) throws
  func put(invitations: Int, by user: UUIDValue, on day: Int64) throws
  /// Removes objects, members and what refers to files, and remembers who was a member. The row of the queue and the
  /// outcomes stay; files go with the next upkeep. After the transaction `SyncService.endTransfers` has to be called.
  func removeAll(of queue: UUIDValue) throws
  /// Notes that an object names files, which keeps them: in a field, or with tag 0 by an operation that waited for them.
  /// They go with the object.
  func refer(to files: [ContentHash], from object: UUIDValue, tag: Int, in queue: UUIDValue) throws
  /// Forgets which files an object names under a tag.
  func removeReferences(from object: UUIDValue, tag: Int, in queue: UUIDValue) throws
  /// Notes that a user's home queue has to show what became of a membership.
  func addDuty(_ user: UUIDValue, _ queue: UUIDValue) throws -> HomeDuty
  /// Returns whether it was there.
  func removeDuty(_ duty: HomeDuty) throws -> Bool
  /// Forgets tombstones up to a revision.
  func removeTombstones(in queue: UUIDValue, upTo revision: Int64) throws
  /// Forgets outcomes that were decided before a time.
  func removeOutcomes(in queue: UUIDValue, before time: Timestamp) throws
  func removeOutcomes(_ operations: [UUIDValue], in queue: UUIDValue) throws
  /// Nil where the file is there no more.
  func put(_ file: StoredFile?, as hash: ContentHash, in queue: UUIDValue) throws
  func put(_ mark: QueueMark, of queue: UUIDValue) throws
  /// Forgets marks up to a time.
  func removeMarks(of queue: UUIDValue, upTo time: Timestamp) throws
  func put(newestTime time: Timestamp) throws
}

/// Where a queue stands, for one of its members.
public struct StoredPlace: Hashable, Sendable {
  public var queue: UUIDValue
  public var epoch: UUIDValue
  public var grant: UUIDValue
  public var head: Int64

  public init(queue: UUIDValue, epoch: UUIDValue, grant: UUIDValue, head: Int64) {
    (self.queue, self.epoch, self.grant, self.head) = (queue, epoch, grant, head)
  }
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
  /// It has ended: nobody is a member or becomes one.
  public var isEnded = false

  public init(epoch: UUIDValue) {
    self.epoch = epoch
  }
}

public struct StoredMembership: Hashable, Sendable {
  public var role: QueueRole
  /// Another one each time the user joins.
  public var grant: UUIDValue
  /// The user who took this one in.
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

/// A file that has arrived: immutable bytes, named by their hash inside one queue.
public struct StoredFile: Hashable, Sendable {
  /// In bytes.
  public var size: Int64
  /// When it came.
  public var since: Timestamp
  /// The user who brought it first.
  public var by: UUIDValue
  /// Whether a live object names it.
  public var isReferenced: Bool

  public init(size: Int64, since: Timestamp, by: UUIDValue, isReferenced: Bool = false) {
    self.size = size
    self.since = since
    self.by = by
    self.isReferenced = isReferenced
  }
}

/// How far a queue had come at a time: what tombstones have no time of their own for.
public struct QueueMark: Hashable, Sendable {
  public var head: Int64
  public var time: Timestamp

  public init(head: Int64, time: Timestamp) {
    self.head = head
    self.time = time
  }
}

public struct OutcomeKey: Hashable, Sendable {
  public var queue: UUIDValue
  public var operation: UUIDValue
  public var time: Timestamp
  /// Its place among all, in the order in which they were written.
  public var number: Int64

  public init(queue: UUIDValue, operation: UUIDValue, time: Timestamp, number: Int64) {
    self.queue = queue
    self.operation = operation
    self.time = time
    self.number = number
  }
}
