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
}

// What a step does.
extension QueueStep {
  /// Whether the user may not see the queue any more.
  var endsRights: Bool { place.load.isGone }

  var dropsObjects: Bool {
    if case .drop = objects { true } else { false }
  }

  /// Whether objects may have changed that the settlement does not name. Else only the arrived ones have.
  var mayTouchAnything: Bool {
    switch objects {
    case .none, .stage: false
    case .reveal: !isSinglePage
    case .drop: true
    }
  }
}

extension SyncLedger {
  /// Completes a step, just before it is written, with what the outbox knows of its files.
  func complete(_ step: QueueStep, goneAt: Timestamp?) -> QueueStep {
    var step = step
    step.named = outbox.filesNamed(by: step.settlement)
    if step.endsRights { step.goneAt = goneAt }
    return step
  }
}

extension Outbox {
  /// The files that fields of newly decided operations name, except those that the server has waited for.
  fileprivate func filesNamed(by settlement: Settlement) -> Set<ContentHash> {
    var hashes: Set<ContentHash> = []
    for case (let number, let outcome?) in settlement.outcomes where !outcome.isFailure {
      guard let changes = operations[number]?.changes, changes.namesFiles else { continue }
      hashes.formUnion(changes.objects.flatMap(\.files).flatMap(\.hashes).filter { !changes.files.contains($0) })
    }
    return hashes
  }
}
