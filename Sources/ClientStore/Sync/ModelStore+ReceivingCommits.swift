// Takes in the server's answers to commits, in one transaction.

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

extension ModelStore {
  /// Stores the outcomes of commits, each of another queue, in one transaction. `history`: the server's history that
  /// the answers name; nil if they name none.
  package func receiveCommits(_ commits: [AnsweredCommit], in history: HistoryID? = nil) async throws {
    let commits = commits.filter { isCurrent($0.place, of: $0.queue) }
    guard !commits.isEmpty else { return }
    try refreshOutbox()
    try await advance(memory.withLock { memory in commits.compactMap { memory.commitStep($0) } }, in: history)
    // A new history was heard meanwhile, and the operations are sent again in it.
    guard history == nil || history == self.history else { return }
    for commit in commits {
      let missing = commit.decided.waiting.flatMap(\.files)
      guard !missing.isEmpty else { continue }
      keepAgain(try await writer.bringAgain(missing, in: commit.queue) { addUploads($0) })
    }
    // At the end, because the calls before may throw. Then the operations are sent again, and get the same answer.
    memory.withLock { memory in
      for waiting in commits.flatMap(\.decided.waiting) {
        guard let number = memory.outbox.number(of: waiting.operation) else { continue }
        memory.outbox.update(number) { $0.isWaiting = true }
      }
    }
  }
}

extension StoreMemory {
  /// The step for the answer to a commit; nil if it says nothing new.
  fileprivate func commitStep(_ commit: AnsweredCommit) -> QueueStep? {
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
