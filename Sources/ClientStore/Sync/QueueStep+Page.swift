// The effect of a page of a delta. Pages are staged until the last one has come, then all are shown together.

package import SyncProtocol
package import WireFormat

/// A page, and the request that it answers.
package struct ArrivedPage: Sendable {
  package var page: DeltaPage
  /// The server's clock.
  package var time: Timestamp
  /// The place of the queue when the request was made. The page is ignored if the queue has another place by now.
  package var from: QueuePlace
  /// The operations whose outcomes the request asked for.
  package var asked: Set<OperationID>
  /// The server's history that the answer names; nil if it names none.
  package var history: HistoryID?

  package init(
    _ page: DeltaPage, at time: Timestamp, from place: QueuePlace, asked: some Sequence<OperationID>,
    history: HistoryID? = nil
  ) {
    self.page = page
    self.time = time
    self.from = place
    self.asked = Set(asked)
    self.history = history
  }
}

extension StoreMemory {
  /// The step for a page. `objects` has the staged objects that pending operations touch, then those of the page.
  func step(_ arrived: ArrivedPage, in queue: QueueID, _ objects: ArrivedObjects) -> QueueStep {
    let (page, place) = (arrived.page, arrived.from)
    if place.load == .ended, sync.retiredEnd(of: queue) == .settled { return doubtingEnd(arrived, in: queue) }
    guard let end = page.end, !isToBeAskedMore(arrived, in: queue) else { return staging(arrived, in: queue) }
    if outbox.contradicts(arrived, end, in: queue) { return refusing(arrived, in: queue) }
    var step = QueueStep(queue, place.after(page, isWhole: true, in: arrived.history))
    step.role = sync.news(page.role, in: queue)
    let isSweeping = place.load == .reloading || place.load == .awaitingMembership
    step.objects = .reveal(page.objects, sweeping: isSweeping)
    step.forgetsTombstones = !outbox.hasOperations(in: queue)
    step.isSinglePage = place.load == .loaded && place.position == place.cursor
    step.digest = end.digest
    step.oldestRetired = arrived.time.oldestRetired
    step.retired = retired(arrived, end)
    step.settlement.arrived = objects
    let forgotten = outbox.forgotten(arrived, end, in: queue)
    outbox.decide(
      &step.settlement, in: queue, outcomes: end.outcomes + forgotten.map(\.outcome), cursor: page.cursor,
      isSweeping: isSweeping, doubted: Set(forgotten.map(\.number)))
    step.retiring = outbox.happened(step.settlement)
    return step
  }

  /// Whether outcomes have to be asked for before the load is complete. A page that goes on with a scan asks for none.
  private func isToBeAskedMore(_ arrived: ArrivedPage, in queue: QueueID) -> Bool {
    let awaitsOutcomes = outbox.queues[queue].map { !($0.underWay.isEmpty && $0.settled.isEmpty) } ?? false
    return arrived.from.scan != nil && awaitsOutcomes
      || sync.doubtful(in: queue).contains { !arrived.asked.contains($0) }
  }

  private func staging(_ arrived: ArrivedPage, in queue: QueueID) -> QueueStep {
    let page = arrived.page
    var step = QueueStep(queue, arrived.from.after(page, isWhole: false, in: arrived.history))
    step.role = sync.news(page.role, in: queue)
    let isFirst = step.place.load == .loading
    let early = isFirst ? page.objects.filter { outbox.overlay[$0.id] == nil } : []
    step.objects = .stage(isFirst ? page.objects.filter { outbox.overlay[$0.id] != nil } : page.objects, early: early)
    // Settled too, because the user may touch one of them before the step is written.
    step.settlement.arrived = ArrivedObjects(early)
    if let end = page.end {
      step.retired = retired(arrived, end)
      outbox.decide(&step.settlement, in: queue, outcomes: end.outcomes, cursor: nil)
    }
    return step
  }

  /// Shows nothing of the page, and loads the queue again. An operation whose effect is in the page may still be
  /// pending, and would show twice.
  private func refusing(_ arrived: ArrivedPage, in queue: QueueID) -> QueueStep {
    var step = QueueStep(
      queue, arrived.from.beginningAgain(epoch: arrived.page.epoch, grant: arrived.page.grant))
    step.isLost = true
    return step
  }

  /// A restored server still has a queue that the user has ended. Loads the queue again, to ask for the end before
  /// anything is shown.
  private func doubtingEnd(_ arrived: ArrivedPage, in queue: QueueID) -> QueueStep {
    var step = refusing(arrived, in: queue)
    step.place.history = arrived.history ?? step.place.history
    return step
  }

  private func retired(_ arrived: ArrivedPage, _ end: DeltaPage.End) -> QueueStep.Retired {
    .asked(arrived.asked, end.outcomes.byOperation, retention: end.retention)
  }
}

extension Outbox {
  /// Whether the server has lost history: an outcome that is held here lies above the head, or the server does not know
  /// it any more, though it is too young to be forgotten. A queue has one request at a time, so the outcomes are always
  /// older than the page.
  fileprivate func contradicts(_ arrived: ArrivedPage, _ end: DeltaPage.End, in queue: QueueID) -> Bool {
    let known = end.outcomes.byOperation
    return settled.contains { number in
      guard let operation = operations[number], operation.queue == queue, let outcome = operation.outcome else {
        return false
      }
      return outcome.at > arrived.page.head
        || arrived.asked.contains(operation.id) && known[operation.id] == nil && outcome.time >= end.retention
    }
  }

  /// The outcome `unknown` for operations that the server does not know, and that were first sent before its retention:
  /// it may have applied and forgotten them, and never applies them again. If such an operation has an outcome, it is
  /// included only while the queue is loaded again, and if that outcome was a success of the last 7 days.
  fileprivate func forgotten(
    _ arrived: ArrivedPage, _ end: DeltaPage.End, in queue: QueueID
  ) -> [(number: Int64, outcome: OperationOutcome)] {
    let known = end.outcomes.byOperation
    return arrived.asked.compactMap { id in
      guard let number = number(of: id), let operation = operations[number], operation.queue == queue,
        known[id] == nil, let firstSent = operation.firstSent, firstSent < end.retention
      else { return nil }
      if let outcome = operation.outcome {
        let isKept = outcome.time >= arrived.time.oldestRetired
        guard arrived.from.load == .reloading, isKept, outcome.failure == nil else { return nil }
      }
      return (number, OperationOutcome(operation: id, status: .unknown, at: 0, time: arrived.time))
    }
  }

  /// The leaving operations that have happened, and are to be retired. Those without effect count too, since the
  /// objects that they found may be lost with the server's history.
  func happened(_ settlement: Settlement) -> Set<Int64> {
    let told = Set(settlement.failedOperations.map(\.id))
    return Set(settlement.leaving.filter { number in operations[number].map { !told.contains($0.id) } ?? false })
  }
}

extension [OperationOutcome] {
  var byOperation: [OperationID: OperationOutcome] {
    Dictionary(map { ($0.operation, $0) }) { first, _ in first }
  }
}
