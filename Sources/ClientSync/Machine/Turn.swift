// One request, of one queue or of several, from its beginning to its end. Pure.

import ClientStore
import SyncProtocol
import WireFormat

/// A request from its beginning to its end. `SyncMachine` hands it out once, and takes it back once, with `ended`.
struct Turn: Hashable, Sendable {
  /// Without repetition. Several if all of them begin to read, or if more queues have something to send than there may
  /// be requests. A queue that is read page by page has its turns alone.
  let queues: [QueueID]
  let kind: Kind
  /// The number of the turn among all, in the order in which they began.
  let number: Int

  enum Kind: Hashable, Sendable {
    /// Sends operations.
    case push
    /// Fetches what is new.
    case pull
    /// Fetches a page of queues that are not loaded yet, or are loaded again.
    case load
  }

  /// How the turn ended, for one of its queues.
  enum Result: Hashable, Sendable {
    /// The server has answered. `hasDecided`: it decided an operation, or one waits for files. `cutAfter`: how many it
    /// decided, if less than half of those sent, because others wait for the server too. `lacksFiles`: an operation
    /// waits for files that the server lacks.
    case pushed(hasDecided: Bool, cutAfter: Int? = nil, lacksFiles: Bool = false)
    /// The server refuses the commit as a whole. Only a delta tells what to do, and the outcomes of what was sent.
    case pushedInVain
    case pulled(PullResult)
    /// The request or its answer had no room for the queue, so it is asked for again.
    case unanswered
    /// The commit of one queue failed, perhaps because of one of its operations, so fewer go together next time. `sent`:
    /// how many operations it had.
    case refusedCommit(SyncFailure, sent: Int)
    /// The only operation of a commit has failed again and again. It lets the others go first.
    case steppedAside(SyncFailure)
    /// The request failed, perhaps because of one of its queues, so each of them is asked for alone.
    case refusedTogether(SyncFailure)
    case failed(SyncFailure)
    /// Nothing was sent after all, or the request was cancelled.
    case nothing

    var isPulled: Bool { if case .pulled = self { true } else { false } }
  }
  typealias Results = [QueueID: Result]

  /// The same result for all queues of the turn.
  func all(_ result: Result) -> Results {
    Dictionary(uniqueKeysWithValues: queues.map { ($0, result) })
  }

  /// A failure for all queues of the turn. A server answers the queues before the one that it fails at. If it seems to
  /// serve nobody, the first queue may be the cause, and goes alone next time.
  func failed(_ failure: SyncFailure) -> Results {
    guard queues.count > 1 else { return all(.failed(failure)) }
    if failure.mayBeOfOneQueue { return all(.refusedTogether(failure)) }
    var results = all(.failed(failure))
    if failure.reaction == .waitForServer { results[queues[0]] = .refusedTogether(failure) }
    return results
  }
}

extension Turn.Result {
  /// `sent`: how many operations the commit had. `asksAgain`: operations that the server does not know are made again,
  /// so an answer with nothing else has decided nothing.
  static func pushed(_ decided: CommitAnswer.Decided, of sent: Int, asksAgain: Bool = false) -> Self {
    let (outcomes, waiting) = (decided.outcomes, decided.waiting)
    // If an operation failed or waits for files, others may have been skipped because of it.
    let isCut =
      !outcomes.isEmpty && outcomes.count < sent / 2 && waiting.isEmpty
      && outcomes.allSatisfy { $0.status == .applied || $0.status == .noEffect }
    let hasDecided = outcomes.contains { !asksAgain || $0.status != .unknown } || !waiting.isEmpty
    return .pushed(hasDecided: hasDecided, cutAfter: isCut ? outcomes.count : nil, lacksFiles: !waiting.isEmpty)
  }
}
