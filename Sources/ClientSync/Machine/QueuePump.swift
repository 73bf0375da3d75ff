// Decides the next request of one queue: sending and fetching share its time. Pure.

import ClientStore
import SyncProtocol
import WireFormat

/// The requests of one queue. Only one is under way at a time, so no commit overtakes a delta, and the delta can be
/// used.
struct QueuePump: Hashable, Sendable {
  /// The turn that was begun last.
  private(set) var last: Turn?
  /// The turn before `last`.
  private var previous: Turn?
  /// Pushes since the last pull began.
  private var pushesInARow = 0
  /// Whether `last` is under way.
  private(set) var isBusy = false
  /// A pull is needed: a poll did not name the queue any more, an earlier pull got no answer, or the client asks for it
  /// by itself (`asksWhy`).
  var needsPull = false
  /// The client asks by itself, after a change of memberships or invitations. An answer without news is then no
  /// failure.
  var asksWhy = false
  /// The pull under way was begun with `asksWhy`.
  private var isQuestion = false
  /// A commit was refused. Nothing is sent before a delta has come.
  var pullsBeforePush = false
  /// Pushes and pulls wait separately, so that the client fetches even if operations cannot be sent.
  private(set) var pushes = Backoff()
  private(set) var pulls = Backoff()
  /// The most mutations of a commit; fewer after a commit was too large or the server decided only a part of it.
  private(set) var batch = ProtocolLimits.mutations
  /// How often a load began again, or an outcome was lost, since the loaded queue was last read to its head. The end of a
  /// load does not reset it, because a server that loses what it has just decided lets each load end.
  private(set) var restarts = 0
  /// Answers in a row that have changed nothing.
  private(set) var fruitless = 0
  /// A request that this queue shared was refused, perhaps because of it. Until it is answered, its requests go alone,
  /// so that no other queue waits for it.
  private(set) var goesAlone = false
  /// The grant of the membership under which the server last refused the queue, or did not know it.
  var refusedGrant: GrantID?
  /// The grant of the membership that the client knew when the request under way left.
  private(set) var askedGrant: GrantID?

  init() {}

  /// Restores a failure of an earlier run, and pulls when its wait is over.
  init(_ failure: QueueFailure) {
    needsPull = true
    pulls = Backoff(failure, .refused)
  }

  /// What a user has done goes first, because others wait for it, and it comes back with the pull. On a slow network a
  /// pull waits for eight seconds of pushes.
  static let mostPushesInARow = 4

  /// Goes on with commits as small as in the run before, which may have been about to find the operation that fails.
  mutating func keepBatch(of before: Self) { batch = before.batch }

  /// The kind of request to begin now; nil if there is nothing to do, or it is too early.
  func turn(_ facts: QueueFacts, at now: Timestamp) -> Turn.Kind? {
    guard !isBusy else { return nil }
    let canPull = wantsPull(facts) && pulls.isDue(at: now)
    let canPush = wantsPush(facts) && pushes.isDue(at: now)
    if canPush, !canPull || pushesInARow < Self.mostPushesInARow { return .push }
    guard canPull else { return nil }
    return facts.isToBeLoaded ? .load : .pull
  }

  /// Whether its commit may share a request with those of other queues.
  var maySendTogether: Bool { !goesAlone }

  /// Whether its next page may share an answer with those of other queues. A queue that is read page by page is asked
  /// for alone, because its next page is fetched while the one before is stored.
  func mayShare(_ facts: QueueFacts) -> Bool {
    let (place, position) = (facts.place, facts.place.position)
    // Operations that can be sent must not wait for an answer about other queues.
    return !goesAlone && !facts.needs.canSend && place.scan == nil && (position == nil || position == place.cursor)
  }

  var underWay: Turn? { isBusy ? last : nil }

  /// The standing of its queue. `facts` is nil if neither the store nor a membership knows the queue.
  func standing(_ facts: QueueFacts?) -> QueueStanding {
    var standing: QueueStanding = []
    if pulls != Backoff() || pushes != Backoff() { standing.insert(.hasFailed) }
    if pulls != Backoff() || fruitless > 0 || restarts > 0 { standing.insert(.isDoubted) }
    guard let facts else { return standing }
    if isBusy || wantsPush(facts) {
      standing.insert(.hasWork)
    } else if wantsPull(facts) {
      standing.insert(facts.isNewPreview ? .wantsPreview : facts.isToBeLoaded ? .loads : .hasWork)
    }
    return standing
  }

  /// The failed push or pull that is tried again first.
  var failing: Backoff? { [pushes, pulls].filter(\.hasFailed).min { $0.retryTime < $1.retryTime } }

  private func wantsPush(_ facts: QueueFacts) -> Bool {
    !pullsBeforePush && facts.needs.canSend && facts.maySend
  }

  private func wantsPull(_ facts: QueueFacts) -> Bool {
    if pullsBeforePush || needsPull || facts.needs.awaitsCursor { return true }
    // An invitation without an answer needs only its first page, the preview. If its membership has gone, the server is
    // asked why.
    if facts.isInvited, facts.isFollowed, !facts.isUnseen { return false }
    return switch facts.place.load {
    case .loaded: facts.place.position != facts.place.cursor || facts.isBehind
    case .loading, .reloading: true
    // Withheld operations ask even if the home queue does not name the queue, as after a restore that took the
    // membership.
    case .unread: facts.isFollowed && !isRefused(facts) || facts.needs.isWithheld
    // Pending operations ask too, to learn that they do not happen.
    case .revoked, .ended: facts.isFollowed && facts.grant != refusedGrant || facts.needs.hasOperations
    }
  }

  /// Whether the server did not know the queue under this membership. The home queue has no grant, and is always asked
  /// for.
  private func isRefused(_ facts: QueueFacts) -> Bool { facts.grant != nil && facts.grant == refusedGrant }
}

/// The facts by which a pump decides.
struct QueueFacts: Hashable, Sendable {
  var place: QueuePlace
  var needs: QueueNeeds
  /// Whether it is the home queue, or the user is a member.
  var isFollowed: Bool
  /// The grant of the membership.
  var grant: GrantID?
  /// Another user has added this user, who has neither answered nor changed anything in the queue.
  var isInvited = false
  /// The server is known to be at another place than the rows that are shown, or has another history.
  var isBehind = false
  /// Whether the server takes changes of this app, and its time is known: an operation carries the time of its first
  /// sending.
  var maySend: Bool

  /// Whether the next page is a preview: the first page of an invitation without an answer.
  var isNewPreview: Bool { isInvited && isFollowed && isUnseen }
  /// Whether the next page belongs to a load, as its first or a later one.
  var isToBeLoaded: Bool { [.unread, .loading, .reloading].contains(place.load) }
  /// Whether nothing of the queue is on this device.
  fileprivate var isUnseen: Bool { place.load == .unread || place.load.isGone }
}

// Answers.
extension QueuePump {
  /// How many answers in a row may change nothing, or begin a load again, before the queue waits.
  private static let patience = 2

  mutating func begin(_ turn: Turn, grant: GrantID?) {
    precondition(!isBusy, "A request of this queue is under way.")
    isBusy = true
    (previous, last) = (last, turn)
    pushesInARow = turn.kind == .push ? pushesInARow + 1 : 0
    askedGrant = grant
    // Reset when the request begins, so that later news sets it again.
    guard turn.kind != .push else { return }
    (needsPull, isQuestion, asksWhy) = (false, asksWhy, false)
  }

  mutating func end(_ turn: Turn, _ result: Turn.Result, at now: Timestamp, chance: UInt64) {
    precondition(turn == underWay, "This turn has ended already.")
    isBusy = false
    switch result {
    case .pushed(let hasDecided, let cutAfter): didPush(hasDecided: hasDecided, cutAfter, at: now, chance: chance)
    case .pushedInVain:
      pushes.succeed()
      pullsBeforePush = true
    case .pulled(let result): didPull(result, at: now, chance: chance)
    case .unanswered:
      // The queue keeps its place in the order of turns.
      last = previous
      pushesInARow = turn.kind == .push ? pushesInARow - 1 : Self.mostPushesInARow
      askAgain()
    case .refusedTogether:
      goesAlone = true
      if turn.kind != .push { askAgain() }
    case .refusedCommit(let failure, let sent): didRefuse(failure, sent: sent, at: now, chance: chance)
    case .steppedAside:
      pushes.succeed()
      batch = ProtocolLimits.mutations
    case .failed(let failure): didFail(failure, turn.kind, at: now, chance: chance)
    case .nothing: break
    }
  }

  /// Restores the pull that was under way, as if it had not left.
  private mutating func askAgain() { (needsPull, asksWhy) = (true, asksWhy || isQuestion) }

  private mutating func didPush(hasDecided: Bool, _ cutAfter: Int?, at now: Timestamp, chance: UInt64) {
    goesAlone = false
    if hasDecided {
      fruitless = 0
      pushes.succeed()
      // The next commit is no larger than what the server decided, because the rest would have to be sent again.
      batch = cutAfter ?? min(batch + max(batch / 4, 1), ProtocolLimits.mutations)
    } else if countFruitless() {
      let error = SyncError(.refused, "The server decides none of the operations that it is sent.")
      pushes.fail(at: now, error, chance: chance)
    }
  }

  private mutating func didPull(_ result: PullResult, at now: Timestamp, chance: UInt64) {
    (pullsBeforePush, goesAlone) = (false, false)
    // The home queue may name a queue that a restored server does not have. It is not asked for again until the home
    // queue was read.
    if result.after.load.isGone || result.after.load == .unread && result.isFruitless { refusedGrant = askedGrant }
    if result.isAgain {
      restarts += 1
      guard restarts > Self.patience else { return }
      let error = SyncError(.refused, "The server loses again and again what it has told.")
      return pulls.fail(at: now, error, attempt: restarts - Self.patience, chance: chance)
    }
    if result.isFruitless {
      if isQuestion { return pulls.succeed() }
      guard countFruitless() else { return pulls.succeed() }
      let isUnknown = result.after.load == .unread
      let error = SyncError(
        .refused,
        isUnknown
          ? "The server does not have the queue." : "The server says that there is something new, and has nothing.")
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

  /// Counts an answer that changed nothing, and returns whether the queue has to wait.
  private mutating func countFruitless() -> Bool {
    fruitless += 1
    return fruitless > Self.patience
  }

  /// Makes the next commit smaller, until the operation is alone that does not get through. Halves what was too large
  /// at once; for what failed for another reason it waits, so it takes larger steps.
  private mutating func didRefuse(_ failure: SyncFailure, sent: Int, at now: Timestamp, chance: UInt64) {
    let isTooLarge = failure.reaction == .halveBatch
    batch = max(min(batch, sent) / (isTooLarge ? 2 : 8), 1)
    guard sent == 1 || !isTooLarge else { return }
    pushes.fail(at: now, failure.error, chance: chance, atLeast: failure.retryAfterMilliseconds)
  }

  private mutating func didFail(_ failure: SyncFailure, _ kind: Turn.Kind, at now: Timestamp, chance: UInt64) {
    if kind != .push { needsPull = true }
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
    (fruitless, restarts) = (0, 0)
    pulls.succeed()
  }

  /// Makes failed requests due now.
  mutating func hurry() {
    pushes.hurry()
    pulls.hurry()
  }
}
