// One request, of one queue or of several, from its beginning to its end. Pure.

import ClientStore
import ModelTypes
import SyncProtocol

/// Given out where a request begins, and taken back where that ends: once, by `SyncMachine.end`.
struct Turn: Hashable, Sendable {
  /// Each once. Several where all of them begin to read, or where more queues have something to send than there may be
  /// requests: a queue that is read page by page has its turns alone.
  let queues: [QueueID]
  let kind: Kind
  /// Of all turns, in the order in which they began.
  let number: Int

  enum Kind: Hashable, Sendable {
    /// Sends operations.
    case push
    /// Fetches what is new.
    case pull
    /// Fetches a page of queues that are not loaded yet, or are loaded again.
    case load
  }

  /// How it ended, for one of its queues.
  enum Result: Hashable, Sendable {
    /// The server has answered. `hasDecided`: something was decided, or waits for files.
    /// `cutAfter`: of how many, where that is less than half of what was sent: others wait for the server too.
    case pushed(hasDecided: Bool, cutAfter: Int? = nil)
    /// The server refuses the commit as a whole: only a delta tells what to do, and what became of what was sent.
    case pushedInVain
    /// Nothing was sent: the server has not answered in the present history yet, and is asked first.
    case pushedTooEarly
    case pulled(PullResult)
    /// The answer had no room for it, or the request: it is asked for again.
    case unanswered
    /// The request failed for what one of its queues may be the reason of: each is asked for alone.
    case refusedTogether(SyncFailure)
    case failed(SyncFailure)
    /// Nothing was sent after all, or nobody waits for the answer any more.
    case nothing
  }
  typealias Results = [QueueID: Result]

  /// The same end for all of its queues.
  func all(_ result: Result) -> Results {
    Dictionary(uniqueKeysWithValues: queues.map { ($0, result) })
  }

  /// A server answers the queues before the one that it fails at: so it is the first one where it seems to serve nobody.
  func failed(_ failure: SyncFailure) -> Results {
    guard queues.count > 1 else { return all(.failed(failure)) }
    if failure.mayBeOfOneQueue { return all(.refusedTogether(failure)) }
    var results = all(.failed(failure))
    if failure.reaction == .waitForServer { results[queues[0]] = .refusedTogether(failure) }
    return results
  }
}

/// The effect of a delta's answer on a queue.
struct PullResult: Hashable, Sendable {
  var before: QueuePlace
  var after: QueuePlace
  /// Operations have been decided, or the server has said what it does not know.
  var hasSettled = false

  /// It has to be loaded from its beginning, once more.
  var isAgain: Bool { after.load == .reloading && after.position == nil }
  var isFruitless: Bool { after == before && !hasSettled }
}

extension Turn.Result {
  /// `sent`: how many operations the commit had. `asksAgain`: those of which the server knows nothing are made again, and
  /// an answer with nothing else has decided nothing.
  static func pushed(_ decided: CommitAnswer.Decided, of sent: Int, asksAgain: Bool = false) -> Self {
    let (outcomes, waiting) = (decided.outcomes, decided.waiting)
    // Where one has failed or waits for files, others may have been skipped for that.
    let isCut =
      !outcomes.isEmpty && outcomes.count < sent / 2 && waiting.isEmpty
      && outcomes.allSatisfy { $0.status == .applied || $0.status == .noEffect }
    let hasDecided = outcomes.contains { !asksAgain || $0.status != .unknown } || !waiting.isEmpty
    return .pushed(hasDecided: hasDecided, cutAfter: isCut ? outcomes.count : nil)
  }
}
