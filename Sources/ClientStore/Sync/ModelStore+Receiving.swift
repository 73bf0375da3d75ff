// Takes in the server's answers to a delta, pages and refusals, in one transaction.

import SyncProtocol
package import WireFormat

extension ModelStore {
  /// Stores the answers of a delta, each of another queue, in one transaction. Ignores an answer if the place of its
  /// queue has changed since the question. `history`: the server's history that the answers name; nil if they name none.
  ///
  /// Returns the effect of each answer on its queue.
  @discardableResult
  package func receive(
    _ answers: [AnsweredDelta], in history: HistoryID? = nil
  ) async throws -> [QueueID: PullResult] {
    let steps = try await steps(for: answers.filter { isCurrent($0.question.place, of: $0.question.queue) })
    let results = try await advance(steps, in: history)
    var pulled: [QueueID: PullResult] = [:]
    for answer in answers {
      let (queue, before) = (answer.question.queue, answer.question.place)
      let after = place(of: queue)
      pulled[queue] = PullResult(before: before, after: after, isUnknown: answer.isUnknown(now: after))
    }
    for (step, result) in zip(steps, results) where !result.hasFailed {
      pulled[step.queue]?.hasSettled = !step.settlement.leaving.isEmpty
      pulled[step.queue]?.hasLost = step.settlement.outcomes.contains { $0.outcome == nil }
    }
    return pulled
  }

  /// Whether the answer to a request counts: its queue has the place still that it had when the request was made.
  func isCurrent(_ place: QueuePlace, of queue: QueueID) -> Bool { self.place(of: queue) == place }

  private func steps(for answers: [AnsweredDelta]) async throws -> [QueueStep] {
    guard !answers.isEmpty else { return [] }
    try refreshOutbox()
    let isIndexed = memory.withLock { $0.looksForObjects }
    var objects: [QueueID: ArrivedObjects] = [:]
    for answer in answers {
      guard case .page(let page) = answer.result else { continue }
      let queue = answer.question.queue
      let revealsStaged = page.end != nil && answer.question.place.position != nil
      let touched = revealsStaged ? memory.withLock { $0.outbox.objects(in: queue) } : []
      let staged = try await writer.staged(touched, in: queue)
      // Without a copy of a large page, if nothing is staged.
      objects[queue] = ArrivedObjects(staged.isEmpty ? page.objects : staged + page.objects)
      if isIndexed { objects[queue]?.index() }
    }
    return memory.withLock { [objects] memory in
      answers.compactMap { answer in
        switch answer.result {
        case .refused(let refusal): memory.ledger.refusalStep(refusal, of: answer)
        case .page(let page):
          memory.ledger.pageStep(page, of: answer, objects[answer.question.queue] ?? ArrivedObjects(page.objects))
        }
      }
    }
  }
}

extension AnsweredDelta {
  /// Whether the server has no such queue, or does not let the user in yet.
  fileprivate func isUnknown(now place: QueuePlace) -> Bool {
    switch result {
    case .refused(.noQueue): true
    case .refused(.revoked): place.load == .unread
    default: false
    }
  }
}

extension Outbox {
  /// The objects that the pending operations of a queue touch.
  fileprivate func objects(in queue: QueueID) -> [UUIDValue] {
    let pending = (queues[queue]?.numbers ?? []).compactMap { operations[$0] }
    return Array(Set(pending.flatMap { $0.changes.objects.map(\.object) }))
  }
}
