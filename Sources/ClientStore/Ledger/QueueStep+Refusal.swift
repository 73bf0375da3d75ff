// The effect of a refusal: load the queue again, make it again, or drop it.

import SyncProtocol
import WireFormat

extension AnsweredDelta {
  /// Whether a queue without pending operations changes by leaving this device.
  fileprivate func mayChange(to load: QueuePlace.Load) -> Bool {
    switch question.place.load {
    // The home queue may name a queue that the server does not have. It stays unread.
    case .unread: result != .refused(.noQueue)
    case .loading, .loaded, .reloading: true
    case .revoked: load == .ended
    case .ended: false
    }
  }
}

extension SyncLedger {
  /// The step for a refusal; nil if it changes nothing.
  func refusalStep(_ refusal: QueueRefusal, of answer: AnsweredDelta) -> QueueStep? {
    let question = answer.question
    switch refusal {
    case .stale(let grant), .reset(let grant):
      var step = QueueStep(loadingAgain: question.queue, from: question.place, grant: grant)
      step.oldestRetired = answer.time.oldestRetired
      return step
    case .ended(let outcomes, let retention):
      return departure(answer, to: .ended, outcomes, retention)
    case .revoked(let outcomes, _) where outbox.hasDoor(of: question.queue, besides: outcomes):
      return comingIn(question.queue, from: question.place, outcomes)
    case .revoked(let outcomes, let retention):
      return departure(answer, to: .revoked, outcomes, retention)
    case .noQueue where outbox.creation(of: question.queue.root) != nil:
      return birth(question.queue, from: question.place)
    case .noQueue:
      return departure(answer, to: .revoked, [], .zero)
    }
  }

  /// The queue leaves this device. No cursor will reach its outcomes, so the refusal decides its operations: what is not
  /// known to be applied is reported. The user's own end has reached its aim, no matter who has ended the queue.
  private func departure(
    _ answer: AnsweredDelta, to load: QueuePlace.Load, _ outcomes: [OperationOutcome], _ retention: Timestamp
  ) -> QueueStep? {
    let (queue, from) = (answer.question.queue, answer.question.place)
    guard answer.mayChange(to: load) || outbox.hasOperations(in: queue) else { return nil }
    var place = QueuePlace()
    (place.load, place.history) = (load, sync.history)
    var step = QueueStep(queue, from: from, to: place)
    step.objects = .drop
    let reason: StoreError = load == .ended ? .ended : isOfFormerHistory(from) ? .membershipLost : .revoked
    outbox.decideDeparture(&step.settlement, in: queue, outcomes: outcomes.byOperation, retention: retention, reason)
    step.retiring = outbox.retiring(step.settlement, at: answer.time)
    return step
  }

  /// The server has no such queue, and an operation of the outbox makes it: it is sent (again). A server that does not
  /// know the queue has no outcomes of it either.
  private func birth(_ queue: QueueID, from place: QueuePlace) -> QueueStep? {
    sendingAgain(QueueStep(queue, from: place, to: place.load.isGone ? QueuePlace() : place), [])
  }

  /// The user is no member, and an operation of the outbox lets the user in: the refusal came before it was sent. The rows
  /// of a former membership go; of the outcomes, those count that the server tells.
  private func comingIn(_ queue: QueueID, from place: QueuePlace, _ outcomes: [OperationOutcome]) -> QueueStep? {
    var step = QueueStep(queue, from: place, to: QueuePlace())
    if step.place != place { step.objects = .drop }
    return sendingAgain(step, outcomes)
  }

  /// The step by which all operations of the queue are sent again, but those of these outcomes; nil if nothing changes.
  private func sendingAgain(_ step: QueueStep, _ outcomes: [OperationOutcome]) -> QueueStep? {
    var step = step
    let operations = outbox.queues[step.queue] ?? QueueOperations()
    let told = Set(outcomes.map(\.operation))
    let forgotten = operations.settled.filter { outbox.operations[$0].map { !told.contains($0.id) } ?? true }
    outbox.decide(&step.settlement, in: step.queue, outcomes: outcomes, forgetting: forgotten, cursor: nil)
    // The server waits for no files of a queue that it does not know, so all of them are sent again.
    step.settlement.awoken = operations.waiting
    let isNews = step.place != step.from || !step.settlement.outcomes.isEmpty || !step.settlement.awoken.isEmpty
    return isNews ? step : nil
  }

  /// Whether the rows of the queue are of a former history of the server.
  private func isOfFormerHistory(_ place: QueuePlace) -> Bool {
    place.history != nil && place.history != sync.history
  }
}
