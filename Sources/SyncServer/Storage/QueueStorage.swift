// The storage of queues: transactions over rows. Knows no rule of the protocol.

package import SyncProtocol
package import WireFormat

/// A database of queues. Nearly every key begins with the queue, so that queues can be spread over several databases.
/// The queues of a user must then be asked of each database.
package protocol QueueStorage: Sendable {
  /// Runs `body` on one snapshot, which does not change when others commit.
  func read<Result: Sendable>(_ body: @Sendable (any QueueSnapshot) throws -> Result) async throws -> Result

  /// Runs one transaction, which is durable when this returns. It holds the lock of the queue to its end, so that
  /// revisions become visible in the order in which they were given. Nothing is kept if `body` throws.
  func write<Result: Sendable>(
    to queue: QueueID, _ body: @Sendable (any QueueTransaction) throws -> Result
  ) async throws -> Result

  /// Runs a decision in a transaction to its queue, and writes what it has decided. `first` and `then` are as in
  /// `QueueSnapshot.decide`. The decision may run several times.
  func decide<Result: Sendable>(
    on queue: QueueID, reading first: [RowKey], then likely: [RowKey],
    _ decision: @Sendable (inout UnitOfWork) throws -> Result
  ) async throws -> Result

  /// Whether users other than `user` wait for the end of a transaction to a queue, or may come before it. One that can be
  /// divided ends early then.
  func isAwaited(_ queue: QueueID, besides user: UserID) -> Bool

  /// Tells other servers that have the same database, if there are any. They may hear it a little later.
  func tellOthers(_ message: ServerMessage)
}

/// What servers with one database tell each other.
package enum ServerMessage: Hashable, Sendable {
  case queue(QueueNews)
  case signals(SignalNews)

  /// Whether it has to be heard in its turn: a member who leaves right after showing a signal must not be shown afterwards.
  package var isOrdered: Bool {
    switch self {
    case .queue(let news): news.leaving != []
    case .signals: true
    }
  }
}

/// That a member of queues shows something there, or takes it back.
package struct SignalNews: Hashable, Sendable {
  package var user: UserID
  package var request: SignalRequest

  package init(of user: UserID, _ request: SignalRequest) { (self.user, self.request) = (user, request) }
}

/// That a queue has changed.
package struct QueueNews: Hashable, Sendable {
  package var queue: QueueID
  /// Users whose membership may have ended just now; nil if they are unknown.
  package var leaving: [UserID]?

  package init(_ queue: QueueID, leaving: [UserID]?) { (self.queue, self.leaving) = (queue, leaving) }
}

extension QueueStorage {
  /// By default, there are no others.
  package func tellOthers(_ message: ServerMessage) {}

  /// By default, nobody is known to wait.
  package func isAwaited(_ queue: QueueID, besides user: UserID) -> Bool { false }
}

/// The data of a storage at one moment.
package protocol QueueSnapshot {
  /// Reads rows that a decision about a queue needs, and that are not in `rows` yet. Returns the keys for which there was
  /// no room left: those of objects behind `bytes` of contents.
  func load(
    _ keys: [RowKey], of queue: QueueID, into rows: inout [RowKey: RowValue], bytes: Int
  ) throws -> [RowKey]
  /// The queues of a schema of which a user is a member, after `queue` and ordered by id.
  func places(of user: UserID, schema: String, after queue: QueueID?, limit: Int) throws -> [ChangedAnswer.Head]
  /// Queues of which a user is a member, in all apps, in the order of their ids.
  func queues(of user: UserID, after queue: QueueID?, limit: Int) throws -> [QueueID]
  /// Changed memberships that home queues may not show yet, after `duty`, ordered by queue, user and head.
  func duties(after duty: HomeDuty?, limit: Int) throws -> [HomeDuty]
  /// The row of a complete file.
  func file(_ hash: ContentHash, in queue: QueueID) throws -> StoredFile?
  /// The row of an unfinished upload.
  func part(_ hash: ContentHash, in queue: QueueID) throws -> StoredPart?
  /// How many unfinished uploads a user has, in all queues.
  func partCount(of user: UserID) throws -> Int
  /// Unfinished uploads after `place`, ordered by queue and hash.
  func parts(after place: FileKey?, limit: Int) throws -> [FileKey]
  /// The bytes of all files of a queue, with the room of unfinished uploads. The sum is stored, so this counts nothing.
  func fileBytes(in queue: QueueID) throws -> Int64
  /// The bytes of all files that a user has brought to all queues, with the room of unfinished uploads.
  func fileBytes(broughtBy user: UserID) throws -> Int64
  /// Complete files after `place`, ordered by queue and hash.
  func files(after place: FileKey?, limit: Int) throws -> [(place: FileKey, file: StoredFile)]
  /// Queues after `queue`, ordered by id.
  func queues(after queue: QueueID?, limit: Int) throws -> [(id: QueueID, queue: StoredQueue)]
  /// The marks of a queue, the newest first.
  func marks(of queue: QueueID) throws -> [QueueMark]
  /// The revisions of the oldest tombstones after `cursor` and up to `revision`, ascending.
  func tombstones(in queue: QueueID, after cursor: Int64, upTo revision: Int64, limit: Int) throws -> [Int64]
  /// The outcomes of all queues after `number`, in the order in which they were stored.
  func outcomes(after number: Int64, limit: Int) throws -> [OutcomeKey]
  /// The newest time that the server has noted.
  func newestTime() throws -> Timestamp
}

/// A snapshot that can be written to.
package protocol QueueTransaction: QueueSnapshot {
  /// Writes what a decision about a queue has decided.
  func write(_ writes: [RowWrite], to queue: QueueID) throws
  /// Removes up to `rows` of the objects and file references of a queue that has ended. Does nothing to any other
  /// queue. Returns whether nothing is left to remove.
  func removeObjects(of queue: QueueID, rows: Int) throws -> Bool
  /// Removes tombstones up to a revision.
  func removeTombstones(in queue: QueueID, upTo revision: Int64) throws
  /// Removes outcomes whose time is before `time`.
  func removeOutcomes(in queue: QueueID, before time: Timestamp) throws
  /// Of these operations. An operation that was decided once more since they were read has a newer one, which stays.
  func removeOutcomes(_ operations: [OperationID], in queue: QueueID, before time: Timestamp) throws
  /// Nil removes the row of the file.
  func put(_ file: StoredFile?, as hash: ContentHash, in queue: QueueID) throws
  /// Nil removes the row of the unfinished upload.
  func put(part: StoredPart?, as hash: ContentHash, in queue: QueueID) throws
  func put(_ mark: QueueMark, of queue: QueueID) throws
  /// Removes marks up to a time.
  func removeMarks(of queue: QueueID, upTo time: Timestamp) throws
  func put(newestTime time: Timestamp) throws
  /// Notes that a user was seen with a version. Days count from 1970; the newest one is kept.
  func put(_ seen: SeenVersion, on day: Int64) throws
  /// Removes who was seen last before a day.
  func removeSeenVersions(before day: Int64) throws
}

/// The row of a queue.
package struct StoredQueue: Hashable, Sendable {
  /// The name of the schema that it belongs to, for ever.
  package let schema: String
  /// The newest revision.
  package var head: Int64 = 0
  /// The oldest cursor that is still served.
  package var floor: Int64 = 0
  /// Outcomes of operations that were first sent before this time may have been removed.
  package var retention: Timestamp = .zero
  package var digest: QueueDigest = .empty
  /// Whether the queue has ended. Then it has no members and gets none.
  package var isEnded = false
  /// The newest time that an object of the queue has got.
  package var newest: Timestamp = .zero

  package init(of schema: String) { self.schema = schema }
}

package struct StoredMembership: Hashable, Sendable {
  package var role: QueueRole
  /// A new one each time the user joins.
  package var grant: GrantID
  /// The user who added this member.
  package var by: UserID
  package var since: Timestamp

  package init(role: QueueRole, grant: GrantID, by: UserID, since: Timestamp) {
    self.role = role
    self.grant = grant
    self.by = by
    self.since = since
  }
}

/// A changed membership, which the home queue of its user has to show or to delete.
package struct HomeDuty: Hashable, Sendable {
  package var user: UserID
  package var queue: QueueID
  /// The queue's head after the change. A later duty for the same membership has a higher one.
  package var head: Int64
  /// The queue's schema: the home queue is that of the user in this app.
  package var schema: String

  package init(user: UserID, queue: QueueID, head: Int64, schema: String) {
    (self.user, self.queue, self.head, self.schema) = (user, queue, head, schema)
  }
}

/// How much a queue or a user takes.
package struct StoredUsage: Hashable, Sendable {
  package var rows: Int64
  package var bytes: Int64

  package init(rows: Int64 = 0, bytes: Int64 = 0) { (self.rows, self.bytes) = (rows, bytes) }

  static func + (left: Self, right: Self) -> Self {
    Self(rows: left.rows + right.rows, bytes: left.bytes + right.bytes)
  }

  static func += (left: inout Self, right: Self) { left = left + right }
}

/// In how many queues a user is.
package struct QueueCount: Hashable, Sendable {
  /// Those that the user has made, home queues among them.
  package var own: Int
  /// Those into which others have taken the user.
  package var others: Int

  package init(own: Int = 0, others: Int = 0) { (self.own, self.others) = (own, others) }
}

/// The head of a queue at a time. It tells the age of tombstones, which have no time of their own.
package struct QueueMark: Hashable, Sendable {
  package var head: Int64
  package var time: Timestamp

  package init(head: Int64, time: Timestamp) {
    self.head = head
    self.time = time
  }
}

package struct OutcomeKey: Hashable, Sendable {
  package var queue: QueueID
  package var operation: OperationID
  package var time: Timestamp
  /// The position among all outcomes, in the order in which they were stored.
  package var number: Int64

  package init(queue: QueueID, operation: OperationID, time: Timestamp, number: Int64) {
    self.queue = queue
    self.operation = operation
    self.time = time
    self.number = number
  }
}
