// The effect of a refusal: load the queue again, make it again, or drop it.

package import SyncProtocol
package import WireFormat

/// A refusal, and the request that it answers.
package struct ArrivedRefusal: Sendable {
  package var refusal: QueueRefusal
  /// The server's clock.
  package var time: Timestamp
  /// The place of the queue when the request was made.
  package var from: QueuePlace

  package init(_ refusal: QueueRefusal, at time: Timestamp, from place: QueuePlace) {
    self.refusal = refusal
    self.time = time
    self.from = place
  }
}

extension ArrivedRefusal {
  /// Whether a queue without pending operations changes by leaving this device.
  fileprivate func mayChange(to load: QueuePlace.Load) -> Bool {
    switch from.load {
    // The home queue may name a queue that the server does not have. It stays unread.
    case .unread: refusal != .noQueue
    case .loading, .loaded, .reloading: true
    case .revoked: load == .ended
    case .ended: false
    }
  }
}

extension StoreMemory {
  /// The step for a refusal; nil if it changes nothing.
  func refusalStep(_ arrived: ArrivedRefusal, in queue: QueueID) -> QueueStep? {
    switch arrived.refusal {
    case .stale(let grant), .reset(let grant):
      var step = QueueStep(loadingAgain: queue, from: arrived.from, grant: grant)
      step.oldestRetired = arrived.time.oldestRetired
      return step
    case .ended(let outcomes, let retention):
      return departure(arrived, to: .ended, outcomes, retention, in: queue)
    case .revoked(let outcomes, let retention):
      return departure(arrived, to: .revoked, outcomes, retention, in: queue)
    case .noQueue where outbox.creation(of: queue.root) != nil:
      return birth(arrived, in: queue)
    case .noQueue:
      return departure(arrived, to: .revoked, [], .zero, in: queue)
    }
  }

  /// The queue leaves this device. No cursor will reach its outcomes, so the refusal decides its operations: what is not
  /// known to be applied is reported. The user's own end has reached its aim, no matter who has ended the queue.
  private func departure(
    _ arrived: ArrivedRefusal, to load: QueuePlace.Load, _ outcomes: [OperationOutcome], _ retention: Timestamp,
    in queue: QueueID
  ) -> QueueStep? {
    guard arrived.mayChange(to: load) || outbox.hasOperations(in: queue) else { return nil }
    var place = QueuePlace()
    (place.load, place.history) = (load, sync.history)
    var step = QueueStep(queue, from: arrived.from, to: place)
    step.objects = .drop
    let reason: StoreError = load == .ended ? .ended : isOfFormerHistory(arrived.from) ? .membershipLost : .revoked
    outbox.decideDeparture(&step.settlement, in: queue, outcomes: outcomes.byOperation, retention: retention, reason)
    step.retiring = outbox.retiring(step.settlement, at: arrived.time)
    return step
  }

  /// The server has no such queue, and an operation of the outbox makes it: it is sent (again). A server that does not
  /// know the queue has no outcomes of it either.
  private func birth(_ arrived: ArrivedRefusal, in queue: QueueID) -> QueueStep? {
    var step = QueueStep(queue, from: arrived.from, to: arrived.from.load.isGone ? QueuePlace() : arrived.from)
    let operations = outbox.queues[queue] ?? QueueOperations()
    step.settlement.outcomes = operations.settled.sorted().map { ($0, nil) }
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
