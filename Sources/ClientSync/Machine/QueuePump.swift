// Decides the next request of one queue: sending and fetching share its time. Pure.

import ClientStore
import SyncProtocol
import WireFormat

/// The requests of one queue. Only one is under way at a time, so no commit overtakes a delta, and the delta can be
/// used.
struct QueuePump: Hashable, Sendable {
  /// The request under way.
  private(set) var request: Request?
  private(set) var order = Order()
  /// Why a pull is needed whatever the facts say; nil where they decide.
  private(set) var nextPull: PullReason?
  private(set) var access = Access.open
  /// Pushes and pulls wait separately, so that the client fetches even if operations cannot be sent.
  private(set) var pushes = Backoff()
  private(set) var pulls = Backoff()
  /// The most mutations of a commit; fewer after a commit was too large or the server decided only a part of it.
  private(set) var batch = ProtocolLimits.mutations
  private(set) var doubts = Doubts()
  /// A request that this queue shared was refused, perhaps because of it. Until it is answered, its requests go alone,
  /// so that no other queue waits for it.
  private(set) var goesAlone = false

  init() {}

  /// Restores a failure of an earlier run, and pulls when its wait is over.
  init(_ failure: QueueFailure) {
    nextPull = .news
    pulls = Backoff(failure, .refused)
  }

  /// What a user has done goes first, because others wait for it, and it comes back with the pull. On a slow network a
  /// pull waits for eight seconds of pushes.
  static let mostPushesInARow = 4

  /// Goes on with commits as small as in the run before, which may have been about to find the operation that fails.
  mutating func keepBatch(of before: Self) { batch = before.batch }

  /// The kind of request to begin now; nil if there is nothing to do, or it is too early.
  func turn(_ facts: QueueFacts, at now: Timestamp) -> Turn.Kind? {
    guard request == nil else { return nil }
    let canPull = wantsPull(facts) && pulls.isDue(at: now)
    let canPush = wantsPush(facts) && pushes.isDue(at: now)
    if canPush, !canPull || order.pushesInARow < Self.mostPushesInARow { return .push }
    guard canPull else { return nil }
    return facts.isToBeLoaded ? .load : .pull
  }

  /// Whether the server has refused the queue, and the home queue was not read since.
  var isRefused: Bool { if case .refused = access { true } else { false } }

  /// Whether its commit may share a request with those of other queues.
  var maySendTogether: Bool { !goesAlone }

  /// Whether its next page may share an answer with those of other queues. A queue that is read page by page is asked
  /// for alone, because its next page is fetched while the one before is stored.
  func mayShare(_ facts: QueueFacts) -> Bool {
    let (place, position) = (facts.place, facts.place.position)
    // Operations that can be sent must not wait for an answer about other queues.
    return !goesAlone && !facts.needs.canSend && place.scan == nil && (position == nil || position == place.cursor)
  }

  /// The standing of its queue. `facts` is nil if neither the store nor a membership knows the queue.
  func standing(_ facts: QueueFacts?) -> QueueStanding {
    var standing: QueueStanding = []
    if pulls != Backoff() || pushes != Backoff() { standing.insert(.hasFailed) }
    if pulls != Backoff() || doubts != Doubts() { standing.insert(.isDoubted) }
    guard let facts else { return standing }
    if request != nil || wantsPush(facts) {
      standing.insert(.hasWork)
    } else if wantsPull(facts) {
      standing.insert(facts.isNewPreview ? .wantsPreview : facts.isToBeLoaded ? .loads : .hasWork)
    }
    return standing
  }

  /// The failed push or pull that is tried again first.
  var failing: Backoff? { [pushes, pulls].filter(\.hasFailed).min { $0.retryTime < $1.retryTime } }

  private func wantsPush(_ facts: QueueFacts) -> Bool {
    nextPull != .pushedInVain && facts.needs.canSend && facts.maySend
  }

  private func wantsPull(_ facts: QueueFacts) -> Bool {
    if nextPull != nil || facts.needs.awaitsCursor { return true }
    // An invitation without an answer needs only its first page, the preview. If its membership has gone, the server is
    // asked why.
    if facts.isInvited, facts.isFollowed, !facts.isUnseen { return false }
    return switch facts.place.load {
    case .loaded: !isUnborn(facts) && (facts.place.position != facts.place.cursor || facts.isBehind)
    case .loading, .reloading: !isUnborn(facts)
    // Withheld operations ask even if the home queue does not name the queue, as after a restore that took the
    // membership.
    case .unread: facts.isFollowed && !isRefused(facts) || facts.needs.isWithheld
    // Pending operations ask too, to learn that they do not happen.
    case .revoked, .ended: facts.grant != nil && !isRefused(facts) || facts.needs.hasOperations
    }
  }

  /// Whether the server does not have the queue until an operation goes that waits. Without operations it is asked, and
  /// the queue goes from this device.
  private func isUnborn(_ facts: QueueFacts) -> Bool { isRefused(facts) && facts.needs.hasOperations }

  /// Whether the server has refused the queue under this membership. The home queue has no grant.
  private func isRefused(_ facts: QueueFacts) -> Bool { facts.grant.map { access == .refused($0) } ?? false }
}

// Answers.
extension QueuePump {
  /// How many answers in a row may change nothing, or begin a load again, before the queue waits.
  private static let patience = 2

  /// Asks for a pull. The strongest reason counts until the pull begins.
  mutating func ask(_ reason: PullReason) { nextPull = nextPull.map { max($0, reason) } ?? reason }

  /// Marks a turn as under way. `grant`: of the membership that the client knows.
  mutating func begin(_ turn: Turn, grant: GrantID?) {
    precondition(request == nil, "A request of this queue is under way.")
    precondition(turn.number > order.lastTurn, "Turns begin in the order of their numbers.")
    let isPush = turn.kind == .push
    request = Request(turn: turn, grant: grant, reason: isPush ? nil : reason, before: order)
    order = Order(lastTurn: turn.number, pushesInARow: isPush ? order.pushesInARow + 1 : 0)
    // Reset when the request begins, so that later news asks again.
    if !isPush { (nextPull, access) = (nil, access == .unclear ? .open : access) }
  }

  /// Why a pull that begins now is made.
  private var reason: PullReason? { access == .unclear && nextPull != .pushedInVain ? .question : nextPull }

  /// Takes in how the turn has ended.
  mutating func end(_ turn: Turn, _ result: Turn.Result, at now: Timestamp, chance: UInt64) {
    guard let request, request.turn == turn else { preconditionFailure("This turn has ended already.") }
    self.request = nil
    defer { precondition((1...ProtocolLimits.mutations).contains(batch), "A commit has at least one operation.") }
    switch result {
    case .pushed(let hasDecided, let cutAfter, _): didPush(hasDecided: hasDecided, cutAfter, at: now, chance: chance)
    case .pushedInVain:
      pushes.succeed()
      ask(.pushedInVain)
    case .pulled(let result): didPull(result, request, at: now, chance: chance)
    case .unanswered:
      order = request.before
      if turn.kind != .push { order.pushesInARow = Self.mostPushesInARow }
    case .refusedTogether: goesAlone = true
    case .refusedCommit(let failure, let sent): didRefuse(failure, sent: sent, at: now, chance: chance)
    case .steppedAside:
      pushes.succeed()
      batch = ProtocolLimits.mutations
    case .failed(let failure): didFail(failure, turn.kind, at: now, chance: chance)
    case .nothing: break
    }
    // A pull without an answer is needed still.
    if turn.kind != .push, !result.isPulled { ask(request.reason ?? .news) }
  }

  private mutating func didPush(hasDecided: Bool, _ cutAfter: Int?, at now: Timestamp, chance: UInt64) {
    goesAlone = false
    if hasDecided {
      // A server that decides operations of a queue that it does not have is not asked without end.
      if !isRefused { doubts.fruitless = 0 }
      access = .open
      pushes.succeed()
      // The next commit is no larger than what the server decided, because the rest would have to be sent again.
      batch = cutAfter ?? min(batch + max(batch / 4, 1), ProtocolLimits.mutations)
    } else if countFruitless() {
      let error = SyncError(.refused, "The server decides none of the operations that it is sent.")
      pushes.fail(at: now, error, chance: chance)
    }
  }

  private mutating func didPull(_ result: PullResult, _ request: Request, at now: Timestamp, chance: UInt64) {
    precondition(request.turn.kind != .push, "A push has fetched something.")
    goesAlone = false
    // The home queue may name a queue that a restored server does not have, or an operation that cannot be sent now
    // creates its root. It is not asked for again until the home queue was read, or a poll names it.
    let isRefused = result.after.load.isGone || result.isUnknown
    access = isRefused ? request.grant.map(Access.refused) ?? .open : .open
    if result.isAgain {
      doubts.restarts += 1
      guard doubts.restarts > Self.patience else { return }
      let error = SyncError(.refused, "The server loses again and again what it has told.")
      return pulls.fail(at: now, error, attempt: doubts.restarts - Self.patience, chance: chance)
    }
    if result.isFruitless {
      guard request.reason != .question, countFruitless() else { return pulls.succeed() }
      let error = SyncError(
        .refused,
        result.isUnknown
          ? "The server does not have the queue, or does not let this user in."
          : "The server says that there is something new, and has nothing.")
      return pulls.fail(at: now, error, chance: chance)
    }
    doubts.fruitless = 0
    if result.after.load == .loaded {
      if result.before.load == .loaded, !result.after.isStaging { doubts.restarts = 0 }
      pulls.succeed()
    } else if doubts.restarts == 0 {
      pulls.succeed()
    } else {
      // A page on the way is no success yet: the next restart waits longer.
      pulls.hurry()
    }
  }

  /// Counts an answer that changed nothing, and returns whether the queue has to wait.
  private mutating func countFruitless() -> Bool {
    doubts.fruitless += 1
    return doubts.fruitless > Self.patience
  }

  /// Makes the next commit smaller, until the operation is alone that does not get through. Halves what was too large
  /// at once; for what failed for another reason it waits, so it takes larger steps.
  private mutating func didRefuse(_ failure: SyncFailure, sent: Int, at now: Timestamp, chance: UInt64) {
    precondition(sent > 0, "A commit without operations was refused.")
    let isTooLarge = failure.reaction == .halveBatch
    batch = max(min(batch, sent) / (isTooLarge ? 2 : 8), 1)
    guard sent == 1 || !isTooLarge else { return }
    pushes.fail(at: now, failure.error, chance: chance, atLeast: failure.retryAfterMilliseconds)
  }

  private mutating func didFail(_ failure: SyncFailure, _ kind: Turn.Kind, at now: Timestamp, chance: UInt64) {
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

  /// Clears the failures of pulls, because a poll found nothing new to fetch.
  mutating func hasNothingNew() {
    doubts = Doubts()
    pulls.succeed()
  }

  /// Forgets a refusal, because the home queue was read, or a poll names the queue: it may be served again.
  mutating func doubtRefusal() {
    precondition(isRefused, "The server has not refused the queue.")
    access = .unclear
  }

  /// Makes failed requests due now.
  mutating func hurry() {
    pushes.hurry()
    pulls.hurry()
  }
}
