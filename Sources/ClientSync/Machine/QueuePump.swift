// What one queue does next: sending and fetching take turns. Pure.

import ClientStore
import SyncProtocol
import WireFormat

/// One request at a time: so a delta is never overtaken by a commit, and its answer can always be used.
struct QueuePump: Hashable, Sendable {
  /// A request is under way.
  var isBusy = false
  /// There is something to fetch: the server said so, or refused a commit for a reason that only a delta tells.
  var isBehind = false
  /// A commit was refused: nothing is sent before a delta has told why.
  var mustPull = false
  var lastWasPush = false
  var backoff = Backoff()
  /// Mutations of a commit; less after one was too large.
  var batch = ProtocolLimits.mutations
  /// Loads that began anew since the last one that came to its end.
  var restarts = 0
  /// The membership with which the queue was refused last.
  var refusedGrant: UUIDValue?
  /// The membership that was known when the request under way left.
  private(set) var askedGrant: UUIDValue?

  enum Turn: Hashable, Sendable {
    case push
    case pull
  }

  /// What to begin now; nil where there is nothing to do, or it is not time.
  func turn(_ facts: QueueFacts, at now: Timestamp) -> Turn? {
    guard !isBusy, backoff.isDue(at: now) else { return nil }
    let pulls = wantsPull(facts)
    if wantsPush(facts), !pulls || !lastWasPush { return .push }
    return pulls ? .pull : nil
  }

  /// Whether it has something to do, now or later.
  func isIdle(_ facts: QueueFacts) -> Bool { !isBusy && !wantsPull(facts) && !wantsPush(facts) }

  private func wantsPush(_ facts: QueueFacts) -> Bool {
    !mustPull && facts.needs.canSend && facts.isServerTimeKnown
  }

  private func wantsPull(_ facts: QueueFacts) -> Bool {
    if mustPull || isBehind || facts.needs.awaitsCursor { return true }
    return switch facts.place.load {
    case .loaded: facts.place.position != facts.place.cursor
    case .loading, .reloading: true
    case .unread: facts.isFollowed
    // Also to learn that what was performed since does not happen.
    case .revoked: facts.isFollowed && facts.grant != refusedGrant || facts.needs.hasOperations
    }
  }
}

/// What a pump looks at.
struct QueueFacts: Hashable, Sendable {
  var place: QueuePlace
  var needs: QueueNeeds
  /// The home queue, or one of the user's memberships.
  var isFollowed: Bool
  /// Of the membership.
  var grant: UUIDValue?
  /// Nothing is sent before: an operation says what time it was when it first left.
  var isServerTimeKnown: Bool
}

// What answers do to it.
extension QueuePump {
  mutating func begin(_ turn: Turn, grant: UUIDValue?) {
    isBusy = true
    askedGrant = grant
    lastWasPush = turn == .push
    // What comes from now on is noted anew.
    if turn == .pull { isBehind = false }
  }

  mutating func didPush(refused: Bool) {
    isBusy = false
    backoff.succeed()
    if refused { mustPull = true }
  }

  /// `isAgain`: the queue has to be loaded again. A loop of that is slowed.
  mutating func didPull(isAgain: Bool, _ load: QueuePlace.Load, at now: Timestamp, chance: UInt64) {
    isBusy = false
    mustPull = false
    if load == .loaded { restarts = 0 }
    if load == .revoked { refusedGrant = askedGrant }
    if isAgain { restarts += 1 }
    if isAgain, restarts > 2 {
      backoff.fail(at: now, "The queue has to be loaded again and again.", chance: chance)
    } else {
      backoff.succeed()
    }
  }

  mutating func didFail(_ failure: SyncFailure, _ turn: Turn, at now: Timestamp, chance: UInt64) {
    isBusy = false
    if turn == .pull { isBehind = true }
    switch failure.reaction {
    case .halveBatch where turn == .push && batch > 1: batch = max(batch / 2, 1)
    case .halveBatch, .waitWithQueue:
      backoff.fail(at: now, failure.message, chance: chance, atLeast: failure.retryAfterMilliseconds)
    case .waitForServer where failure.isForeignAnswer: backoff.fail(at: now, failure.message, chance: chance)
    case .waitForServer, .refreshCredentials: break
    }
  }
}
