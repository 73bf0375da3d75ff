// The effect of a server's answer on a queue, decided before anything is written. Pure.

import ModelTypes
import SyncProtocol
import WireFormat

/// One step of a queue: rows, place, outcomes and what leaves the outbox by them, in one transaction.
struct QueueStep: Sendable {
  var queue: QueueID
  /// Where the queue stands afterwards.
  var place: QueuePlace
  /// The user's role, where the answer says it.
  var role: QueueRole?
  var objects = Objects.none
  /// Whether this page is all that has come: nothing is staged, and nothing is swept.
  var isSinglePage = false
  /// Outcomes that are new, what leaves by them, and what has to be told.
  var settlement = Settlement()
  /// Files that fields name by these outcomes, and that nothing waited for: the server may have collected them before.
  var named: Set<ContentHash> = []
  /// Of the operations that leave: those that are retired.
  var retiring: Set<Int64> = []
  /// When those were decided.
  var decidedAt: [Int64: Timestamp] = [:]
  var retired = Retired.untouched
  /// No operation of the outbox can have missed a delete of before.
  var forgetsTombstones = false
  /// The digest that the queue must have once this is shown; anything else is a loss.
  var digest: QueueDigest?
  /// Retired operations are forgotten if they were decided before.
  var oldestRetired: Timestamp?
  /// The server's clock, for what is retired without an outcome.
  var time = Timestamp.zero
  /// The server's history is not the one that was read: outcomes are forgotten, and it is asked for all retired
  /// operations.
  var isLost = false
  /// Whether the server is asked for all retired operations, though nothing says that it has lost history.
  var asksForRetired = false
  /// The device's clock, where the queue goes with the rights to its files.
  var goneAt: Timestamp?
  /// Whether the queue had gone from the device, and is back.
  var isBack = false
  /// An end of the queue may be retired by this, or be retired no more.
  var mayMoveEnd = false

  enum Objects: Sendable {
    case none
    /// Kept for the end of the catch-up, but for those that are shown early.
    case stage([ObjectState], early: [ObjectState])
    /// Shown, after all that is staged. Sweeping takes out what neither has brought.
    case reveal([ObjectState], sweeping: Bool)
    case drop
  }

  /// What becomes of retired operations that are in doubt since the server has lost history.
  enum Retired: Sendable {
    case untouched
    /// The server was asked for these, and knows those that have an outcome.
    case asked(Set<UUIDValue>, [UUIDValue: OperationOutcome], retention: Timestamp)
    /// Everything goes back into the outbox: the server has nothing in this history of it, and what was sent in another
    /// one is as if it had never left.
    case returns(under: UUIDValue?)
    /// Nothing is sent again: what the server does not know is reported, with this reason. Ends stay where the queue has
    /// ended.
    case dropped([UUIDValue: OperationOutcome], retention: Timestamp, StoreError)
  }

  /// Facts that only the transaction finds out.
  struct Result: Sendable {
    /// Files to bring to the server: of operations that go there again.
    var uploads: StoredFiles.Uploads = [:]
    /// Files to which the right has gone, and that nothing else on the device names.
    var forgottenFiles: [ContentHash] = []
    /// Retired operations that go back into the outbox.
    var returned: [PendingOperation] = []
    /// Retired operations that those were declared to come after, with their queues.
    var retiredDependencies: [UUIDValue: QueueID] = [:]
    /// Operations that are retired no more, by their age.
    var forgotten: [UUIDValue] = []
    /// Retired operations that were not applied.
    var attention: [AttentionItem] = []
    /// Retired operations that the server is to be asked for.
    var doubtful: [UUIDValue] = []
    /// The deletes that are kept of the queue now; nil where they are those of before.
    var tombstones: [UUIDValue: Outbox.Tombstone]?
    /// Whether history was lost, known before or found by the digest.
    var isLost = false
    /// The retired end; looked up where the step may have moved it.
    var end: RetiredEnd?
    var place: QueuePlace
  }
}

extension QueueStep {
  init(_ queue: QueueID, _ place: QueuePlace) {
    self.queue = queue
    self.place = place
  }

  /// Operations stay retired for a week: as far as a server is restored.
  static let retiredMilliseconds: Int64 = 7 * 24 * 3_600_000
}

/// The part of a delta's answer about one queue, with the question.
package enum ArrivedAnswer: Sendable {
  case page(ArrivedPage)
  case refusal(ArrivedRefusal)

  /// Where the queue stood when it was asked for.
  var from: QueuePlace {
    switch self {
    case .page(let arrived): arrived.from
    case .refusal(let arrived): arrived.from
    }
  }
}
