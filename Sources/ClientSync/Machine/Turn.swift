// One request of a queue, from its beginning to its end. Pure.

import ClientStore
import ModelTypes

/// Given out where a queue begins a request, and taken back where that ends: once, by `SyncMachine.end`.
struct Turn: Hashable, Sendable {
  let queue: QueueID
  let kind: Kind
  /// Of all turns of all queues, in the order in which they began.
  let number: Int

  enum Kind: Hashable, Sendable {
    /// Sends operations.
    case push
    /// Fetches what is new.
    case pull
    /// Fetches a page of a queue that is not loaded yet, or is loaded again.
    case load
  }

  /// How it ended.
  enum Result: Hashable, Sendable {
    /// The server has answered. `hasDecided`: something was decided, or waits for files.
    case pushed(hasDecided: Bool)
    /// The server refuses the commit as a whole: only a delta tells what to do, and what became of what was sent.
    case pushedInVain
    /// Nothing was sent: the server has not answered in the present history yet, and is asked first.
    case pushedTooEarly
    case pulled(PullResult)
    case failed(SyncFailure)
    /// Nothing was sent after all, or nobody waits for the answer any more.
    case nothing
  }
}

/// What the answer of a delta has done to a queue.
struct PullResult: Hashable, Sendable {
  var before: QueuePlace
  var after: QueuePlace
  /// Operations have been decided, or the server has said what it does not know.
  var hasSettled = false

  /// It has to be loaded from its beginning, once more.
  var isAgain: Bool { after.load == .reloading && after.position == nil }
  var isFruitless: Bool { after == before && !hasSettled }
}
