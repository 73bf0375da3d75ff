// The effect of the answer to a commit: outcomes, and the birth of a queue.

package import SyncProtocol
package import WireFormat

/// The answer to the operations of one queue, and the place of the queue when they were sent.
package struct AnsweredCommit: Sendable {
  package var queue: QueueID
  package var place: QueuePlace
  package var decided: CommitAnswer.Decided

  package init(of queue: QueueID, at place: QueuePlace, _ decided: CommitAnswer.Decided) {
    (self.queue, self.place, self.decided) = (queue, place, decided)
  }
}

extension SyncLedger {
  /// The step for the answer to a commit; nil if it says nothing new.
  func commitStep(_ commit: AnsweredCommit) -> QueueStep? {
    let (queue, place, decided) = (commit.queue, commit.place, commit.decided)
    var step = QueueStep(queue, from: place, to: place)
    step.role = sync.news(decided.role, in: queue)
    if place.load == .unread { (step.place.load, step.place.grant) = (.loading, decided.grant) }
    outbox.decide(
      &step.settlement, in: queue, outcomes: decided.outcomes, cursor: place.settling(in: sync.history))
    step.retiring = outbox.retiring(step.settlement, at: .zero)
    let isNews = step.place != place || step.role != nil
    return isNews || !step.settlement.outcomes.isEmpty || !step.settlement.leaving.isEmpty ? step : nil
  }
}
