// The effect of a server's answer on a queue, decided before anything is written. Pure.

import SyncProtocol
import WireFormat

/// One step of a queue: rows, place, outcomes and the operations that leave the outbox, in one transaction.
struct QueueStep: Sendable {
  let queue: QueueID
  /// The place of the queue before the step.
  let from: QueuePlace
  /// The place after the step.
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
  /// The numbers of the leaving operations that are retired, and when they were decided.
  var retiring: [Int64: Timestamp] = [:]
  /// Whether the queue's tombstones are forgotten, because no pending operation can have missed one of its deletes.
  var forgetsTombstones = false
  /// The digest that the rows of the queue must have after this step. If they have another one, the server has lost
  /// changes that this device has: nothing of the step is written, and the queue is loaded again.
  var digest: QueueDigest?
  /// Operations that were retired before this time are forgotten, and files that were uploaded since it are in doubt if
  /// the queue is loaded again.
  var oldestRetired: Timestamp?
  /// The device's time, if the step ends the rights of the user to the files of the queue.
  var goneAt: Timestamp?

  enum Objects: Sendable {
    case none
    /// Stages objects until the catch-up is complete; those in `early` are shown at once.
    case stage([ObjectState], early: [ObjectState])
    /// Shows everything staged, then these objects. Sweeping deletes the other objects of the queue.
    case reveal([ObjectState], sweeping: Bool)
    case drop
  }

  /// Facts that only the transaction finds out.
  struct Result: Sendable {
    /// The place of the queue now.
    var place: QueuePlace
    /// Files to upload that the server may have lost.
    var uploads: StoredFiles.Uploads = [:]
    /// Files to which the user has lost the right, and that nothing else on the device names.
    var forgottenFiles: [ContentHash] = []
    /// The tombstones of the queue after the step; nil if the step cannot change them.
    var tombstones: [UUIDValue: Tombstone]?
    /// Whether the rows had another digest than the server's, so that only the place has changed.
    var hasFailed = false
  }

  init(_ queue: QueueID, from: QueuePlace, to place: QueuePlace) {
    (self.queue, self.from, self.place) = (queue, from, place)
  }

  /// The step that loads the queue again from its beginning.
  init(loadingAgain queue: QueueID, from: QueuePlace, grant: GrantID?) {
    self.init(queue, from: from, to: from.beginningAgain(grant: grant))
  }

  /// Whether the user may not see the queue any more.
  var endsRights: Bool { place.load.isGone }
}
