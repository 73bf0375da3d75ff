// Takes in the server's answers to a delta, pages and refusals, in one transaction.

import SyncProtocol
package import WireFormat

extension ModelStore {
  /// Stores the answers of a delta, each of another queue, in one transaction. Ignores an answer if the place of its
  /// queue has changed since the request. `history`: the server's history that the answers name; nil if they name none.
  ///
  /// Returns the queues in which the server has lost an outcome that it had told.
  @discardableResult
  package func receive(
    _ answers: [(queue: QueueID, answer: ArrivedAnswer)], in history: HistoryID? = nil
  ) async throws -> Set<QueueID> {
    let current = answers.filter { place(of: $0.queue) == $0.answer.from }
    guard !current.isEmpty else { return [] }
    try refreshOutbox()
    let isIndexed = memory.withLock { $0.looksForObjects }
    var objects: [QueueID: ArrivedObjects] = [:]
    for case (let queue, .page(let arrived)) in current {
      let touched =
        arrived.page.end == nil || arrived.from.position == nil ? [] : memory.withLock { $0.outbox.objects(in: queue) }
      let staged = try await writer.staged(touched, in: queue)
      // Without a copy of a large page, if nothing is staged.
      objects[queue] = ArrivedObjects(staged.isEmpty ? arrived.page.objects : staged + arrived.page.objects)
      if isIndexed { objects[queue]?.index() }
    }
    let steps = memory.withLock { [objects] memory in
      current.compactMap { queue, answer in
        switch answer {
        case .refusal(let arrived): memory.refusalStep(arrived, in: queue)
        case .page(let arrived):
          memory.pageStep(arrived, in: queue, objects[queue] ?? ArrivedObjects(arrived.page.objects))
        }
      }
    }
    try await advance(steps, in: history)
    return Set(steps.filter { $0.settlement.outcomes.contains { $0.outcome == nil } }.map(\.queue))
  }
}

extension Outbox {
  /// The objects that the pending operations of a queue touch.
  fileprivate func objects(in queue: QueueID) -> [UUIDValue] {
    let pending = (queues[queue]?.numbers ?? []).compactMap { operations[$0] }
    return Array(Set(pending.flatMap { $0.changes.objects.map(\.object) }))
  }
}
