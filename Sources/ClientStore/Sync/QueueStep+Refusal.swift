// What a refusal does: load again, ask for what is in doubt, or let go.

import ModelTypes
import SyncProtocol
import WireFormat

extension StoreMemory {
  /// Nil where it changes nothing.
  func step(_ refusal: QueueRefusal, from place: QueuePlace, in queue: QueueID) -> QueueStep? {
    switch refusal {
    case .revoked(let outcomes, let retention):
      return place.load == .revoked && !outbox.hasOperations(in: queue) ? nil : revocation(outcomes, retention, queue)
    case .epoch(let now):
      var step = QueueStep(queue, place.beginningAgain(epoch: now.epoch, grant: now.grant))
      step.isLost = true
      return step
    case .reset(let now), .stale(let now):
      return QueueStep(queue, place.beginningAgain(epoch: now.epoch, grant: now.grant))
    case .absent:
      if place.load == .revoked, outbox.hasOperations(in: queue) { return revocation([], .zero, queue) }
      guard place.epoch != nil || place.load == .reloading, place.load != .revoked else { return nil }
      // As if it had never been read: who is a member of it again, or has something to send to it, will see.
      var step = QueueStep(queue, QueuePlace())
      step.isLost = true
      // What was applied is pending again: shown on top of the rows that it has made, it would show twice.
      step.tail = .returns
      step.objects = .drop
      return step
    }
  }

  /// Rows and cursor go together; what is not known to be applied is told.
  private func revocation(
    _ outcomes: [OperationOutcome], _ retention: Timestamp, _ queue: QueueID
  ) -> QueueStep {
    var place = QueuePlace()
    place.load = .revoked
    var step = QueueStep(queue, place)
    step.objects = .drop
    step.tail = .dropped(outcomes.byOperation)
    outbox.decideRevocation(&step.settlement, in: queue, outcomes: outcomes.byOperation, retention: retention)
    return step
  }
}
