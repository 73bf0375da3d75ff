// Decides the next requests of all queues. Pure: time, chance and the state of the store come from outside.

import ClientStore
import SyncProtocol
import WireFormat

/// `handle` is its one entry: it takes an event with the news of the store, and returns actions. All else is called by it,
/// or only asks. `Event` and `Action` are the map.
struct SyncMachine: Sendable {
  let home: QueueID
  let bounds: SyncBounds
  /// The state of the store, as it was told last.
  private(set) var facts = SyncFacts()
  /// Changed by `change` only.
  private(set) var pumps: [QueueID: QueuePump] = [:]
  /// The queues that the user follows, with the grants of the memberships.
  private(set) var memberships: [QueueID: GrantID] = [:]
  /// The standing of each queue, which follows from the facts above. Out of date for queues in `stale` only within
  /// `handle`.
  private(set) var index = QueueIndex()
  /// Queues that have changed since the index was brought up to date.
  private var stale: Set<QueueID>
  /// Failures of the server as a whole.
  var connection = Backoff()
  /// Pauses that the server has asked for, in a row.
  var pace = Backoff()
  var poll = Poll()
  /// The queues whose signals the app watches, with what it knows of them.
  private(set) var watched: [WatchedQueue] = []
  /// Where the server is in the queues. Changed by `hear` only.
  private(set) var heard = HeardPlaces()
  /// The newest time of the server that is known.
  private(set) var serverTime: Timestamp?
  /// The server's time in the last answer; earlier than `serverTime` where the server's clock was set back.
  private(set) var answerTime: Timestamp?
  /// The server's history in that answer.
  private(set) var answerHistory: HistoryID?
  /// Set while the server takes no changes from this version of the app, as its last answer said.
  private(set) var outdated: SyncError?
  /// Queues with operations whose files the server lacks, and when the server is asked again.
  var files: [QueueID: Backoff] = [:]
  /// Queues with an operation that has stepped aside, and when it is tried again.
  var asides: [QueueID: Backoff] = [:]
  var isPaused = false
  /// Set for `syncOnce`, which does not stay to wait for news.
  let isOnce: Bool
  /// How many turns have begun.
  var turns = 0
  /// The requests under way by their numbers, without the long poll.
  var underWay: [Int: Turn] = [:]

  /// Pauses in a row before they count as a failure.
  static let patience = 3
  /// In milliseconds: an operation that has stepped aside is tried again no earlier.
  static let shortestAside: Int64 = 10_000
  /// In milliseconds. A longer pause counts as a failure of the server.
  static let longestPause: Int64 = 5_000

  init(
    home: QueueID, failures: [QueueID: QueueFailure] = [:], isOnce: Bool = false, bounds: SyncBounds = SyncBounds()
  ) {
    (self.home, self.isOnce, self.bounds) = (home, isOnce, bounds)
    stale = [home]
    for (queue, failure) in failures {
      if queue == home {
        // The user may have signed in since, or the network may be back. One poll that does not wait finds out.
        connection = Backoff(failure, .unreachable, isDue: true)
      } else {
        pumps[queue] = QueuePump(failure)
        stale.insert(queue)
      }
    }
    refresh()
  }

  /// The machine of the next run. It stays paused, and goes on with commits as small as in this one.
  func next(failures: [QueueID: QueueFailure], isOnce: Bool) -> Self {
    var next = Self(home: home, failures: failures, isOnce: isOnce, bounds: bounds)
    next.isPaused = isPaused
    for (queue, pump) in pumps where pump.batch < ProtocolLimits.mutations {
      next.change(queue) { $0.keepBatch(of: pump) }
    }
    return next
  }

  /// Milliseconds until a request that waits now is due; nil if none waits.
  func wait(at now: Timestamp) -> Int64? {
    guard !isPaused else { return nil }
    for backoff in [connection, pace] where !backoff.isDue(at: now) { return backoff.wait(at: now) }
    let backoffs = index[.hasFailed].compactMap { pumps[$0] }.flatMap { [$0.pushes, $0.pulls] }
    let waits = (backoffs + files.values + asides.values + [poll.backoff]).map { $0.wait(at: now) }
    return (waits + [flickerWait(at: now)]).filter { $0 > 0 }.min()
  }

  /// Whether nothing is under way and nothing is left to do.
  var isIdle: Bool {
    underWay.isEmpty && poll.next != .atOnce && !poll.isOvertaken && index[.hasWork].isEmpty && index[.loads].isEmpty
      && (index[.wantsPreview].isEmpty || !hasRoomForPreviews)
  }

  /// For `syncOnce`: polls once more without waiting, if a commit was answered since the last poll and no request is
  /// under way.
  mutating func askAgain() {
    if underWay.isEmpty, poll.isOvertaken, !poll.isAsking { poll.next = .atOnce }
  }
}

// Taking in news.
extension SyncMachine {
  /// Takes in what has changed in the store.
  mutating func learn(_ news: SyncNews) {
    let invited = facts.invited
    for (queue, place) in news.places {
      // The last page of a delta has told where the server is.
      if place.load.isGone { hear(nil, of: queue) }
      if let shown = place.shown, shown != facts.place(of: queue).shown { hear(shown, of: queue) }
    }
    stale.formUnion(facts.learn(news))
    // An operation that had stepped aside may have been taken back.
    for queue in asides.keys where facts.needs[queue]?.hasOperations != true { asides[queue] = nil }
    guard invited != facts.invited else { return }
    // A preview is not polled and may be out of date, so a queue that was accepted is fetched anew.
    for queue in invited.subtracting(facts.invited) where facts.place(of: queue).load == .loaded {
      change(queue) { $0.ask(.question) }
    }
  }

  /// Takes in the memberships that the home queue names now. The server is asked about known queues that it does not
  /// name.
  mutating func follow(_ memberships: [QueueID: GrantID]) {
    let before = self.memberships
    self.memberships = memberships
    for (queue, grant) in memberships where before[queue] != grant { stale.insert(queue) }
    for queue in before.keys where memberships[queue] == nil { stale.insert(queue) }
    heard.expected = memberships.count + 1
    // A restore brings back memberships with their old grants, so a queue that was refused under one may be served
    // again. Or the server has ended a membership, and not written that into the home queue yet.
    for (queue, pump) in pumps where pump.isRefused { change(queue) { $0.doubtRefusal() } }
    for (queue, place) in facts.places where queue != home && memberships[queue] == nil {
      guard place.load == .loaded || place.load == .loading else { continue }
      change(queue) { $0.ask(.question) }
    }
  }

  /// Takes in the server's time and history, which an answer names.
  mutating func hear(_ time: Timestamp, in history: HistoryID) {
    // Before the server's first time nothing may be sent.
    if serverTime == nil { stale.formUnion(facts.needs.keys) }
    serverTime = max(serverTime ?? time, time)
    (answerTime, answerHistory) = (time, history)
  }

  /// Takes in whether the server takes changes from this version of the app. If not, nothing is sent, so that no
  /// operation begins to grow old on the way to the server.
  mutating func hear(outdated error: SyncError?) {
    if outdated != error { stale.formUnion(facts.needs.keys) }
    outdated = error
  }

  /// Whether operations wait for an update of the app.
  var withholds: Bool { outdated != nil && facts.needs.values.contains(where: \.canSend) }

  /// Takes in the queues whose signals the app watches.
  mutating func watch(_ queues: [WatchedQueue]) { watched = queues }

  /// Notes where the server is in a queue; nil if the user is no member there.
  mutating func hear(_ place: HeardPlace?, of queue: QueueID) {
    guard heard[queue] != place else { return }
    heard[queue] = place
    stale.insert(queue)
    poll.request?.moved.insert(queue)
  }

  /// Changes the pump of a queue, and notes that its standing may be another one.
  mutating func change(_ queue: QueueID, _ body: (inout QueuePump) -> Void) {
    body(&pumps[queue, default: QueuePump()])
    stale.insert(queue)
  }
}

// The standing of queues.
extension SyncMachine {
  func batch(of queue: QueueID) -> Int { pumps[queue]?.batch ?? ProtocolLimits.mutations }

  var hasRoomForPreviews: Bool { index[.isPreviewed].count < bounds.previews }

  func facts(of queue: QueueID) -> QueueFacts {
    let place = facts.place(of: queue)
    let isElsewhere = heard[queue].map { $0 != place.shown } ?? false
    let isBehind = place.load == .loaded && (isElsewhere || place.history != facts.history)
    return QueueFacts(
      place: place, needs: facts.needs[queue] ?? QueueNeeds(),
      isFollowed: queue == home || memberships[queue] != nil, grant: memberships[queue],
      isInvited: facts.isInvited(queue), isBehind: isBehind, maySend: serverTime != nil && outdated == nil)
  }

  /// Brings the index up to date: looks at each queue that has changed.
  mutating func refresh() {
    for queue in stale { index.set(standing(of: queue), of: queue) }
    stale = []
    guard bounds.checksIndex else { return }
    precondition(index == wholeIndex(), "The index is not what a look at all queues says.")
  }

  private func wholeIndex() -> QueueIndex {
    var index = QueueIndex()
    let queues = Set(facts.places.keys).union(facts.needs.keys).union(memberships.keys).union(pumps.keys)
    for queue in queues.union([home]) { index.set(standing(of: queue), of: queue) }
    return index
  }

  private func standing(of queue: QueueID) -> QueueStanding {
    let (pump, facts) = (pumps[queue] ?? QueuePump(), facts(of: queue))
    let isKnown = facts.isFollowed || self.facts.isKnown(queue)
    var standing = pump.standing(isKnown ? facts : nil)
    if self.facts.isPreviewed(queue) { standing.insert(.isPreviewed) }
    // The home queue names all others, so it does not wait with their loads.
    if queue == home, standing.remove(.loads) != nil { standing.insert(.hasWork) }
    return standing
  }
}
