// The effect of a refusal: load the queue again, ask for operations in doubt, wait, or drop the queue.

package import SyncProtocol
package import WireFormat

/// A refusal, and the request that it answers.
package struct ArrivedRefusal: Sendable {
  package var refusal: QueueRefusal
  /// The server's clock.
  package var time: Timestamp
  /// The place of the queue when the request was made.
  package var from: QueuePlace
  /// The server's history that the answer names; nil if it names none.
  package var history: HistoryID?

  package init(
    _ refusal: QueueRefusal, at time: Timestamp, from place: QueuePlace, history: HistoryID? = nil
  ) {
    self.refusal = refusal
    self.time = time
    self.from = place
    self.history = history
  }
}

extension StoreMemory {
  /// The step for a refusal; nil if it changes nothing.
  func step(_ arrived: ArrivedRefusal, in queue: QueueID) -> QueueStep? {
    let place = arrived.from
    switch arrived.refusal {
    case .revoked(let outcomes, let retention):
      if place.load == .revoked && !outbox.hasOperations(in: queue) { return nil }
      let isVerdict = place.isVerdict(under: arrived.history, at: arrived.time)
      // A queue that has ended has no members anyhow, but a restored server may have lost an end of this user.
      let isOver = place.load == .ended && (isVerdict || sync.retiredEnd(of: queue) == nil)
      if isOver && !outbox.hasOperations(in: queue) { return nil }
      guard isVerdict else { return waiting(arrived, queue) }
      return revocation(outcomes, retention, queue)
    case .ended(let outcomes, let retention): return ending(arrived, outcomes, retention, queue)
    case .epoch(let now):
      var step = QueueStep(queue, arrived.beginningAgain(now))
      step.isLost = true
      return step
    case .reset(let now), .stale(let now):
      // Asked now: once the queue is loaded again, its digest is right and hides what the server has lost unnoticed.
      var step = QueueStep(queue, arrived.beginningAgain(now))
      step.asksForRetired = true
      // Older ones are not asked for: a server forgets outcomes after a year, and a device that was away as long would
      // report them all.
      step.oldestRetired = arrived.time.oldestRetired
      return step
    case .absent:
      return absence(arrived, queue)
    }
  }

  /// The server does not have the queue any more. An owner's device creates it again, and all others wait for that.
  private func absence(_ arrived: ArrivedRefusal, _ queue: QueueID) -> QueueStep? {
    let place = arrived.from
    if place.load == .revoked { return outbox.hasOperations(in: queue) ? revocation([], .zero, queue) : nil }
    // Nobody creates a queue again only to end it.
    if place.load == .ended { return ending(arrived, [], .zero, queue) }
    let isNew = sync.roles[queue] == nil && (!place.isRead || place.isUnheardOf)
    let mayGiveBirth = sync.roles[queue] == .owner || isNew && outbox.isMade(queue)
    guard mayGiveBirth else {
      return place.isOverdue(at: arrived.time) ? revocation([], .zero, queue) : waiting(arrived, queue)
    }
    guard place.isRead || hasOperationsOfALostHistory(in: queue) else { return nil }
    // As if the queue had never been read, except for its history: if another owner's device comes first, this one is
    // refused, and waits for its membership.
    var unborn = QueuePlace()
    unborn.history = place.history
    var step = QueueStep(queue, unborn)
    step.isLost = true
    // Applied operations are pending again. On top of the rows that they have made they would show twice.
    step.retired = .returns(under: arrived.history)
    step.objects = .drop
    return step
  }

  private func hasOperationsOfALostHistory(in queue: QueueID) -> Bool {
    (outbox.queues[queue]?.underWay ?? []).contains { number in
      outbox.operations[number].map { sync.wasSentInALostHistory($0) && !$0.isVoided } ?? false
    }
  }

  /// Waits for the membership, which an owner's device may bring back. The rows go, and the user's operations are kept.
  /// Nil if the queue waits already.
  private func waiting(_ arrived: ArrivedRefusal, _ queue: QueueID) -> QueueStep? {
    guard arrived.from.load != .awaitingMembership else { return nil }
    var place = QueuePlace()
    place.load = .awaitingMembership
    place.history = arrived.from.history
    place.waitingSince = arrived.time
    var step = QueueStep(queue, place)
    step.objects = .drop
    step.isLost = true
    return step
  }

  /// For a membership that has ended: drops rows and cursor together, and reports what is not known to be applied.
  private func revocation(
    _ outcomes: [OperationOutcome], _ retention: Timestamp, _ queue: QueueID
  ) -> QueueStep {
    var place = QueuePlace()
    place.load = .revoked
    var step = QueueStep(queue, place)
    step.objects = .drop
    step.mayMoveEnd = true
    step.retired = .dropped(outcomes.byOperation, retention: retention, .revoked)
    outbox.decideDeparture(
      &step.settlement, in: queue, outcomes: outcomes.byOperation, retention: retention, .revoked)
    return step
  }

  /// The queue has ended, and no cursor will reach its outcomes, so the refusal decides its operations. An end that the
  /// user has performed has reached its aim, no matter by whom; it is retired, because a restored server may lose it.
  private func ending(
    _ arrived: ArrivedRefusal, _ outcomes: [OperationOutcome], _ retention: Timestamp, _ queue: QueueID
  ) -> QueueStep? {
    if arrived.isUnderAnotherHistory { return doubting(arrived, queue) }
    var place = QueuePlace()
    place.load = .ended
    place.history = arrived.history ?? arrived.from.history
    if arrived.from == place && !outbox.hasOperations(in: queue) { return nil }
    var step = QueueStep(queue, place)
    step.objects = .drop
    step.mayMoveEnd = true
    step.time = arrived.time
    step.retired = .dropped(outcomes.byOperation, retention: retention, .ended)
    outbox.decideDeparture(&step.settlement, in: queue, outcomes: outcomes.byOperation, retention: retention, .ended)
    step.retiring = outbox.happened(step.settlement).filter { outbox.operations[$0]?.isEnd == true }
    return step
  }

  /// Loads the queue again first: a restored server may have lost operations that were applied before the end, and was
  /// not asked for all of them yet.
  private func doubting(_ arrived: ArrivedRefusal, _ queue: QueueID) -> QueueStep {
    var place = arrived.from.beginningAgain(epoch: arrived.from.epoch, grant: arrived.from.grant)
    place.history = arrived.history
    var step = QueueStep(queue, place)
    step.isLost = true
    return step
  }
}

extension ArrivedRefusal {
  /// Whether the queue was read in another history of the server than the answer's.
  fileprivate var isUnderAnotherHistory: Bool {
    guard let known = from.history, let history, known != history else { return false }
    return [.loading, .loaded, .reloading].contains(from.load)
  }

  /// The place from which the queue is loaded again; the answer shows that the user is a member in its history.
  fileprivate func beginningAgain(_ now: QueueRefusal.Membership) -> QueuePlace {
    var place = from.beginningAgain(epoch: now.epoch, grant: now.grant)
    place.history = history ?? place.history
    return place
  }
}
