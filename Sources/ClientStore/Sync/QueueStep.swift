// The effect of a server's answer on a queue, decided before anything is written. Pure.

import SyncProtocol
import WireFormat

/// One step of a queue: rows, place, outcomes and the operations that leave the outbox, in one transaction.
struct QueueStep: Sendable {
  var queue: QueueID
  /// The place of the queue after the step.
  var place: QueuePlace
  /// The user's role; nil if the answer says nothing new of it.
  var role: QueueRole?
  var objects = Objects.none
  /// Whether the step is a single page, without staged rows and without a sweep.
  var isSinglePage = false
  /// New outcomes, the operations that leave by them, and reports.
  var settlement = Settlement()
  /// Files that fields of newly decided operations name, and that no operation has waited for: the server may have
  /// collected them before.
  var named: Set<ContentHash> = []
  /// The numbers of the leaving operations that are retired.
  var retiring: Set<Int64> = []
  /// The times at which the operations in `retiring` were decided.
  var decidedAt: [Int64: Timestamp] = [:]
  var retired = Retired.untouched
  /// Whether the queue's tombstones are forgotten, because no pending operation can have missed one of its deletes.
  var forgetsTombstones = false
  /// The digest that the rows of the queue must have after this step; any other means that history was lost.
  var digest: QueueDigest?
  /// Retired operations that were decided before this time are forgotten.
  var oldestRetired: Timestamp?
  /// The server's time, at which operations that are retired without an outcome count as decided.
  var time = Timestamp.zero
  /// Whether the server may have lost history: outcomes are forgotten, and it is asked for all retired operations.
  var isLost = false
  /// Whether the server is asked for all retired operations, though nothing says that it has lost history.
  var asksForRetired = false
  /// The device's time, if the step ends the rights of the user to the files of the queue.
  var goneAt: Timestamp?
  /// Whether the step may retire an end of the queue, or forget a retired one.
  var mayMoveEnd = false

  enum Objects: Sendable {
    case none
    /// Stages objects until the catch-up is complete; those in `early` are shown at once.
    case stage([ObjectState], early: [ObjectState])
    /// Shows everything staged, then these objects. Sweeping deletes the other objects of the queue.
    case reveal([ObjectState], sweeping: Bool)
    case drop
  }

  /// The decision about retired operations that are in doubt since the server has lost history.
  enum Retired: Sendable {
    case untouched
    /// The server was asked for these operations, and knows those with an outcome.
    case asked(Set<OperationID>, [OperationID: OperationOutcome], retention: Timestamp)
    /// All go back into the outbox, because the server has nothing of the queue. Operations that were sent in another
    /// history than this one count as unsent.
    case returns(under: HistoryID?)
    /// None is sent again. Those that the server does not know are reported with this error. If the queue has ended,
    /// its retired ends stay.
    case dropped([OperationID: OperationOutcome], retention: Timestamp, StoreError)
  }

  /// Facts that only the transaction finds out.
  struct Result: Sendable {
    /// Files to upload: of operations that are sent again, and those that the server may have lost.
    var uploads: StoredFiles.Uploads = [:]
    /// Files to which the user has lost the right, and that nothing else on the device names.
    var forgottenFiles: [ContentHash] = []
    /// Retired operations that go back into the outbox.
    var returned: [OutboxEntry] = []
    /// Retired operations on which those in `returned` depend, with their queues.
    var retiredDependencies: [OperationID: QueueID] = [:]
    /// Operations that are not retired any more, because of their age.
    var forgotten: [OperationID] = []
    /// Reports of retired operations that were not applied.
    var failedOperations: [FailedOperation] = []
    /// Retired operations that the server is to be asked for.
    var doubtful: [OperationID] = []
    /// The tombstones of the queue after the step; nil if the step cannot change them.
    var tombstones: [UUIDValue: Tombstone]?
    /// Whether history was lost, known before or found by the digest.
    var isLost = false
    /// The retired end of the queue after the step; looked up only if the step may change it.
    var end: RetiredEnd?
    var place: QueuePlace
  }
}

extension QueueStep {
  init(_ queue: QueueID, _ place: QueuePlace) {
    self.queue = queue
    self.place = place
  }

  /// Operations stay retired for 7 days, because a server may be restored to a state of that age.
  static let retiredMilliseconds: Int64 = 7 * 24 * 3_600_000
}

/// The answer of a delta about one queue, and its question.
package enum ArrivedAnswer: Sendable {
  case page(ArrivedPage)
  case refusal(ArrivedRefusal)

  /// The place of the queue when the request was made.
  var from: QueuePlace {
    switch self {
    case .page(let arrived): arrived.from
    case .refusal(let arrived): arrived.from
    }
  }
}
