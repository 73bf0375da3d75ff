// The effect of a refusal: load again, ask for what is in doubt, wait, or let go.

import ModelTypes
package import SyncProtocol
package import WireFormat

/// A refusal, and what it answers.
package struct ArrivedRefusal: Sendable {
  package var refusal: QueueRefusal
  /// The server's clock.
  package var time: Timestamp
  /// Where the request was made.
  package var from: QueuePlace
  /// The server's history that the request named; nil where none was known.
  package var history: UUIDValue?

  package init(
    _ refusal: QueueRefusal, at time: Timestamp, from place: QueuePlace, history: UUIDValue? = nil
  ) {
    self.refusal = refusal
    self.time = time
    self.from = place
    self.history = history
  }
}

extension StoreMemory {
  /// Nil where it changes nothing.
  func step(_ arrived: ArrivedRefusal, in queue: QueueID) -> QueueStep? {
    let place = arrived.from
    switch arrived.refusal {
    case .revoked(let outcomes, let retention):
      if place.load == .revoked && !outbox.hasOperations(in: queue) { return nil }
      let isVerdict = place.isVerdict(under: arrived.history, at: arrived.time)
      // A queue that has ended is not followed anyhow, but its end may be lost.
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
      // Once it is loaded, nothing shows any more what the server has lost without a word.
      var step = QueueStep(queue, arrived.beginningAgain(now))
      step.asksForRetired = true
      // A device that was away for a year is not told of all that the server has forgotten meanwhile.
      step.oldestRetired = arrived.time.oldestRetired
      return step
    case .absent:
      return absence(arrived, queue)
    }
  }

  /// There is no such queue any more: its owner's device gives birth to it again, all others wait for that.
  private func absence(_ arrived: ArrivedRefusal, _ queue: QueueID) -> QueueStep? {
    let place = arrived.from
    if place.load == .revoked { return outbox.hasOperations(in: queue) ? revocation([], .zero, queue) : nil }
    // Nobody gives birth to it only to end it.
    if place.load == .ended { return ending(arrived, [], .zero, queue) }
    let isNew = sync.roles[queue] == nil && (!place.isRead || place.isUnheardOf)
    let mayGiveBirth = sync.roles[queue] == .owner || isNew && outbox.isMade(queue)
    guard mayGiveBirth else {
      return place.isOverdue(at: arrived.time) ? revocation([], .zero, queue) : waiting(arrived, queue)
    }
    guard place.isRead || hasOperationsOfALostHistory(in: queue) else { return nil }
    // As if it had never been read. Another owner's device may come first: then this user's membership is awaited.
    var unborn = QueuePlace()
    unborn.history = place.history
    var step = QueueStep(queue, unborn)
    step.isLost = true
    // An operation that was applied is pending again: shown on top of the rows that it has made, it would show twice.
    step.retired = .returns(under: arrived.history)
    step.objects = .drop
    return step
  }

  private func hasOperationsOfALostHistory(in queue: QueueID) -> Bool {
    (outbox.queues[queue]?.underWay ?? []).contains { number in
      outbox.operations[number].map { sync.wasSentInALostHistory($0) && !$0.isVoided } ?? false
    }
  }

  /// The membership may come back with an owner's device: the rows go, and everything that the user did is kept.
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

  /// Rows and cursor go together; what is not known to be applied is told.
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

  /// The queue has ended, and no cursor will reach anything of it: the refusal shows what became of it. An end that the
  /// user has performed has reached its aim, by whomever; it is retired, for a server that loses it.
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

  /// A restored server may have lost what was applied before the queue ended, and was not asked for all of that yet.
  private func doubting(_ arrived: ArrivedRefusal, _ queue: QueueID) -> QueueStep {
    var place = arrived.from.beginningAgain(epoch: arrived.from.epoch, grant: arrived.from.grant)
    place.history = arrived.history
    var step = QueueStep(queue, place)
    step.isLost = true
    return step
  }
}

extension ArrivedRefusal {
  /// The queue was read in a history of the server that is lost.
  fileprivate var isUnderAnotherHistory: Bool {
    guard let known = from.history, let history, known != history else { return false }
    return [.loading, .loaded, .reloading].contains(from.load)
  }

  /// The asker is a member, in the history of the answer.
  fileprivate func beginningAgain(_ now: QueueRefusal.Place) -> QueuePlace {
    var place = from.beginningAgain(epoch: now.epoch, grant: now.grant)
    place.history = history ?? place.history
    return place
  }
}
