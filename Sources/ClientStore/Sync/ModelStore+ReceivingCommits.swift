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
      let waiting = commit.decided.waiting
      guard !waiting.isEmpty else { continue }
      // If this throws, the operations are sent again, and get the same answer.
      let uploads = try await writer.bringAgain(waiting.flatMap(\.files), in: commit.queue) {
        memory.withLock { memory in
          memory.outbox.update(waiting.compactMap { memory.outbox.number(of: $0.operation) }) { $0.isWaiting = true }
        }
      }
      bring(uploads)
    }
  }
}
