// Commit: operations of one user in one queue, in one transaction.

import Determinism
package import SyncProtocol
import WireFormat

extension SyncService {
  /// Decides about each mutation, once for each attempt, and wakes the polls that wait for the queue.
  ///
  /// Throws if the storage fails. The commit may be on disk all the same; the client learns that when it sends it
  /// again. Throws `outdated` before anything is done if the asker's version of the schema is too old to write.
  package func commit(_ request: CommitRequest, by asker: Asker) async throws -> CommitAnswer {
    let tables = served.now
    try tables.admitWriter(asker)
    let (now, history, access) = (now, history.current, tables[asker.schema])
    let (environment, invitations, room) = (environment, invitations, room)
    let turn = CommitTurn(work: workOfATurn) { [storage] in
      storage.isAwaited(request.queue, besides: asker.user)
    }
    let done: QueueCommit.Done
    do {
      let commit = DecodedCommit(request)
      let likely = commit.keys(for: asker, at: now, invitations, room)
      done = try await decide(on: request.queue, reading: commit.keys(admitting: asker), then: likely) { work in
        try QueueCommit.decide(
          commit, by: asker, at: now, in: history, access, invitations, room, environment, turn, &work)
      }
    } catch {
      // The transaction may be on disk all the same. It may have ended memberships, and added duties that nothing else
      // would perform.
      await endTransfers(in: request.queue)
      await retryDuties()
      throw error
    }
    // Each change of a member adds a duty.
    if !done.duties.isEmpty { await endTransfers(in: request.queue) }
    if done.hasChanged { await wake(request.queue, leaving: done.duties.map(\.user)) }
    // Performs its own duties only, since other commits perform theirs. One task for all retries those that fail.
    if (try? await perform(done.duties)) == nil { await retryDuties() }
    if done.hasEnded { removeObjectsLater(of: request.queue) }
    return CommitAnswer(time: now, result: done.result)
  }
}

extension SyncService {
  /// Commits to several queues, each by itself. They wait for the disk at the same time, and so share its syncs.
  ///
  /// Throws if one of them fails. The others may have been decided all the same: the client gets their outcomes when it
  /// sends them again.
  package func commits(_ request: CommitsRequest, by asker: Asker) async throws -> [CommitAnswer] {
    let answers = await withTaskGroup(of: AnsweredCommit.self) { group in
      for commit in request.commits { group.addTask { await self.answered(commit, by: asker) } }
      return await group.reduce(into: [:]) { $0[$1.queue] = $1.answer }
    }
    return try request.commits.compactMap { try answers[$0.queue]?.get() }
  }

  private func answered(_ commit: CommitRequest, by asker: Asker) async -> AnsweredCommit {
    do {
      return AnsweredCommit(queue: commit.queue, answer: .success(try await self.commit(commit, by: asker)))
    } catch {
      return AnsweredCommit(queue: commit.queue, answer: .failure(error))
    }
  }
}

/// The answer to one of several commits.
private struct AnsweredCommit: Sendable {
  var queue: QueueID
  var answer: Result<CommitAnswer, any Error>
}
