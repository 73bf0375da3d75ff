// Takes in the server's answers to commits, in one transaction.

import SyncProtocol
package import WireFormat

extension ModelStore {
  /// Stores the outcomes of commits, each of another queue, in one transaction. `history`: the server's history that
  /// the answers name; nil if they name none.
  package func receiveCommits(_ commits: [AnsweredCommit], in history: HistoryID? = nil) async throws {
    let commits = commits.filter { isCurrent($0.place, of: $0.queue) }
    guard !commits.isEmpty else { return }
    try refreshOutbox()
    try await advance(memory.withLock { memory in commits.compactMap { memory.ledger.commitStep($0) } }, in: history)
    // A new history was heard meanwhile, and the operations are sent again in it.
    guard history == nil || history == self.history else { return }
    for commit in commits {
      let missing = commit.decided.waiting.flatMap(\.files)
      guard !missing.isEmpty else { continue }
      bring(try await writer.bringAgain(missing, in: commit.queue))
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
