// Decides the next request of one queue: sending and fetching take turns. Pure.

import ClientStore
import SyncProtocol
import WireFormat

/// One request at a time: so a delta is never overtaken by a commit, and its answer can always be used.
struct QueuePump: Hashable, Sendable {
  /// The turn that was begun last.
  private(set) var last: Turn?
  /// The one before.
  private var previous: Turn?
  /// The last one is under way.
  private(set) var isBusy = false
  /// There is something to fetch: the server said so, or refused a commit for a reason that only a delta tells.
  var isBehind = false
  /// It is asked for without a word of the server, since the home queue does not name it, or names it still: an answer
  /// without news is no failure.
  var asksWhy = false
  /// The request under way was such a question.
  private var isQuestion = false
  /// A commit was refused: nothing is sent before a delta has told why.
  var mustPull = false
  /// Each has its own: what cannot be sent keeps nobody from reading what others do.
  private(set) var pushes = Backoff()
  private(set) var pulls = Backoff()
  /// Mutations of a commit; less after one was too large.
  private(set) var batch = ProtocolLimits.mutations
  /// Loads that began anew since a loaded queue was last read to its head. The end of a load does not count: a server that
  /// loses what it has just decided lets each load end.
  private(set) var restarts = 0
  /// Answers in a row that have changed nothing.
  private(set) var fruitless = 0
  /// A request that it shared was refused: nobody else is to wait for what may be its fault, until it is answered.
  private(set) var goesAlone = false
  /// The membership with which the queue was refused last.
  var refusedGrant: UUIDValue?
  /// The membership that was known when the request under way left.
  private(set) var askedGrant: UUIDValue?

  init() {}

  /// One that had failed when the store was last synced is tried again when its time comes: nothing else would ask for a
  /// queue that is not polled.
  init(_ failure: QueueFailure) {
    isBehind = true
    pulls = Backoff(failure, .refused)
  }

  /// The request to begin now; nil where there is nothing to do, or it is not time.
  func turn(_ facts: QueueFacts, at now: Timestamp) -> Turn.Kind? {
    guard !isBusy else { return nil }
    let canPull = wantsPull(facts) && pulls.isDue(at: now)
    let canPush = wantsPush(facts) && pushes.isDue(at: now)
    if canPush, !canPull || last?.kind != .push { return .push }
    guard canPull else { return nil }
    return facts.isToBeLoaded ? .load : .pull
  }

  /// Whether what it sends may go with what others send.
  var maySendTogether: Bool { !goesAlone }

  /// Whether its next page may come in one answer with those of other queues. One that is read page by page is asked for
  /// alone: its next page is fetched while the one before is stored.
  func mayShare(_ facts: QueueFacts) -> Bool {
    let (place, position) = (facts.place, facts.place.position)
    // A commit that can be sent waits for no answer about other queues.
    return !goesAlone && !facts.needs.canSend && place.scan == nil && (position == nil || position == place.cursor)
  }

  /// The turn that is under way.
  var underWay: Turn? { isBusy ? last : nil }

  /// The standing of its queue; `facts` is nil for a queue that nobody knows any more.
  func standing(_ facts: QueueFacts?) -> QueueStanding {
    var standing: QueueStanding = []
    if pulls != Backoff() || pushes != Backoff() { standing.insert(.hasFailed) }
    if pulls != Backoff() || fruitless > 0 || restarts > 0 { standing.insert(.isDoubted) }
    guard let facts else { return standing }
    if facts.place.load == .awaitingMembership { standing.insert(.awaitsMembership) }
    if isBusy || wantsPush(facts) {
      standing.insert(.hasWork)
    } else if wantsPull(facts) {
      standing.insert(facts.isNewPreview ? .wantsPreview : facts.isToBeLoaded ? .loads : .hasWork)
    }
    return standing
  }

  /// Whether only the server can tell that there is something to fetch.
  func isPollable(_ facts: QueueFacts, at now: Timestamp) -> Bool {
    !isBusy && !facts.isInvited && !wantsPull(facts) && pulls.isDue(at: now) && (!wantsPush(facts) || pushes.hasFailed)
  }

  /// The failed request that is tried again first.
  var failing: Backoff? { [pushes, pulls].filter(\.hasFailed).min { $0.retryTime < $1.retryTime } }

  private func wantsPush(_ facts: QueueFacts) -> Bool {
    !mustPull && facts.needs.canSend && facts.isServerTimeKnown
  }

  private func wantsPull(_ facts: QueueFacts) -> Bool {
    if mustPull || isBehind || facts.needs.awaitsCursor { return true }
    // Nobody has accepted it: a page shows what it is. One whose membership has gone is asked why.
    if facts.isInvited, facts.isFollowed, !facts.isUnseen { return false }
    return switch facts.place.load {
    case .loaded: facts.place.position != facts.place.cursor
    case .loading, .reloading: true
    // Also where a restore took the membership before the queue was read: the home queue names it no more.
    case .unread: facts.isFollowed && !isRefused(facts) || facts.needs.isWithheld
    // Also to learn that what was performed since does not happen.
    case .revoked: facts.isFollowed && facts.grant != refusedGrant || facts.needs.hasOperations
    case .ended:
      facts.isFollowed && facts.grant != refusedGrant || facts.needs.hasOperations || facts.needs.mayHaveLostEnd
    case .awaitingMembership: facts.isFollowed && facts.grant != refusedGrant || facts.isOverdue
    }
  }

  /// Whether the server had no such queue. The home queue has no grant, and is asked for always.
  private func isRefused(_ facts: QueueFacts) -> Bool { facts.grant != nil && facts.grant == refusedGrant }
}

/// The facts by which a pump decides.
struct QueueFacts: Hashable, Sendable {
  var place: QueuePlace
  var needs: QueueNeeds
  /// The home queue, or one of the user's memberships.
  var isFollowed: Bool
  /// Of the membership.
  var grant: UUIDValue?
  /// Another user has added this one, and there is neither an answer nor a change by this one.
  var isInvited = false
  /// Nothing is sent before: an operation says what time it was when it first left.
  var isServerTimeKnown: Bool
  /// It has waited for a membership as long as it may: the server is asked once more.
  var isOverdue = false

  /// Its next page is the first one of an invitation without an answer: a preview.
  var isNewPreview: Bool { isInvited && isFollowed && isUnseen }
  /// Its next page is one of a load: the first one, or another one.
  var isToBeLoaded: Bool { [.unread, .loading, .reloading].contains(place.load) }
  /// Nothing of it is here, under this membership.
  fileprivate var isUnseen: Bool { place.load == .unread || place.load.isGone }
}

// Answers.
extension QueuePump {
  /// So many answers in a row may change nothing, or begin a load anew, before there is a pause.
  private static let patience = 2

  mutating func begin(_ turn: Turn, grant: UUIDValue?) {
    precondition(!isBusy, "A request of this queue is under way.")
    isBusy = true
    (previous, last) = (last, turn)
    askedGrant = grant
    // News that come from now on are noted anew.
    guard turn.kind != .push else { return }
    (isBehind, isQuestion, asksWhy) = (false, asksWhy, false)
  }

  mutating func end(_ turn: Turn, _ result: Turn.Result, at now: Timestamp, chance: UInt64) {
    precondition(turn == underWay, "This turn has ended already.")
    isBusy = false
    switch result {
    case .pushed(let hasDecided, let cutAfter): didPush(hasDecided: hasDecided, cutAfter, at: now, chance: chance)
    case .pushedInVain:
      pushes.succeed()
      mustPull = true
    case .pushedTooEarly: mustPull = true
    case .pulled(let result): didPull(result, at: now, chance: chance)
    case .unanswered:
      // It keeps its place in the line.
      last = previous
      askAgain()
    case .refusedTogether:
      goesAlone = true
      if turn.kind != .push { askAgain() }
    case .failed(let failure): didFail(failure, turn.kind, at: now, chance: chance)
    case .nothing: break
    }
  }

  /// As if the request under way had not left.
  private mutating func askAgain() { (isBehind, asksWhy) = (true, asksWhy || isQuestion) }

  private mutating func didPush(hasDecided: Bool, _ cutAfter: Int?, at now: Timestamp, chance: UInt64) {
    goesAlone = false
    if hasDecided {
      fruitless = 0
      pushes.succeed()
      // Nothing is sent only to be sent again.
      batch = cutAfter ?? min(batch + max(batch / 4, 1), ProtocolLimits.mutations)
    } else if noteFruitless() {
      let error = SyncError(.refused, "The server decides nothing of what it is sent.")
      pushes.fail(at: now, error, chance: chance)
    }
  }

  private mutating func didPull(_ result: PullResult, at now: Timestamp, chance: UInt64) {
    (mustPull, goesAlone) = (false, false)
    // The home queue may name what a restored server does not have, until it is read again.
    if result.after.load.isGone || result.after.load == .unread && result.isFruitless { refusedGrant = askedGrant }
    if result.isAgain {
      restarts += 1
      guard restarts > Self.patience else { return }
      let error = SyncError(.refused, "The queue has to be loaded again and again.")
      return pulls.fail(at: now, error, attempt: restarts - Self.patience, chance: chance)
    }
    if result.isFruitless {
      if isQuestion { return pulls.succeed() }
      guard noteFruitless() else { return pulls.succeed() }
      let error = SyncError(.refused, "The server says that there is something new, and has nothing.")
      return pulls.fail(at: now, error, chance: chance)
    }
    fruitless = 0
    if result.after.load == .loaded {
      if result.before.load == .loaded, !result.after.isStaging { restarts = 0 }
      pulls.succeed()
    } else if restarts == 0 {
      pulls.succeed()
    } else {
      // A page on the way is no success yet: the next restart waits longer.
      pulls.hurry()
    }
  }

  /// Whether it is time for a pause.
  private mutating func noteFruitless() -> Bool {
    fruitless += 1
    return fruitless > Self.patience
  }

  private mutating func didFail(_ failure: SyncFailure, _ kind: Turn.Kind, at now: Timestamp, chance: UInt64) {
    if kind != .push { isBehind = true }
    switch failure.reaction {
    case .halveBatch where kind == .push && batch > 1: batch = max(batch / 2, 1)
    case .waitForServer where !failure.isForeignAnswer: break
    case .refreshCredentials, .slowDown: break
    case .halveBatch, .waitWithQueue, .waitForServer:
      let atLeast = failure.retryAfterMilliseconds
      switch kind {
      case .push: pushes.fail(at: now, failure.error, chance: chance, atLeast: atLeast)
      case .pull, .load: pulls.fail(at: now, failure.error, chance: chance, atLeast: atLeast)
      }
    }
  }

  /// The server says that there is nothing new: what was asked for in vain is settled.
  mutating func hasNothingNew() {
    (fruitless, restarts) = (0, 0)
    pulls.succeed()
  }

  /// Ends every wait at once.
  mutating func hurry() {
    pushes.hurry()
    pulls.hurry()
  }
}
