// Decides the next requests of all queues. Pure: time, chance and the state of the store come from outside.

import ClientStore
import ModelTypes
import SyncProtocol
import WireFormat

struct SyncMachine: Sendable {
  let home: QueueID
  let bounds: SyncBounds
  /// The state of the store, as it was told last.
  private(set) var facts = SyncFacts()
  /// Changed by `change` only.
  private(set) var pumps: [QueueID: QueuePump] = [:]
  /// The queues that the user follows, with the grants of the memberships.
  private(set) var memberships: [QueueID: GrantID] = [:]
  /// The standing of each queue, which follows from the facts above. It may be out of date for queues in `stale`.
  private(set) var index = QueueIndex()
  /// Queues that have changed since the index was brought up to date.
  private var stale: Set<QueueID>
  /// Failures of the server as a whole.
  var connection = Backoff()
  /// Pauses that the server has asked for, in a row.
  var pace = Backoff()
  var poll = Poll()
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
  var isOnce = false
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

  enum Action: Hashable, Sendable {
    case turn(Turn)
    /// Without sums it only asks for the server's time.
    case poll(PlaceSums?, waitSeconds: Int)
  }

  init(
    home: QueueID, failures: [QueueID: QueueFailure] = [:], bounds: SyncBounds = SyncBounds()
  ) {
    self.home = home
    self.bounds = bounds
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
  }

  /// Returns the requests to begin now, and marks them as under way.
  mutating func begin(at now: Timestamp) -> [Action] {
    refresh()
    guard !isPaused, connection.isDue(at: now), pace.isDue(at: now) else { return [] }
    var actions: [Action] = []
    if let poll = beginPoll(at: now) { actions.append(poll) }
    // After a failure only the poll goes, to find out whether the server is back.
    if !connection.hasFailed { actions += beginTurns(at: now).map(Action.turn) }
    return actions
  }

  /// Milliseconds until a request that waits now is due; nil if none waits.
  func wait(at now: Timestamp) -> Int64? {
    guard !isPaused else { return nil }
    for backoff in [connection, pace] where !backoff.isDue(at: now) { return backoff.wait(at: now) }
    let backoffs = staleOrFailing.compactMap { pumps[$0] }.flatMap { [$0.pushes, $0.pulls] }
    return (backoffs + files.values + asides.values + [poll.backoff]).map { $0.wait(at: now) }.filter { $0 > 0 }.min()
  }

  /// Whether nothing is under way and nothing is left to do. Brings the index up to date.
  mutating func isIdle() -> Bool {
    refresh()
    return underWay.isEmpty && !poll.isFirst && !poll.isOvertaken && index[.hasWork].isEmpty && index[.loads].isEmpty
      && (index[.wantsPreview].isEmpty || !hasRoomForPreviews)
  }

  /// For `syncOnce`: polls once more without waiting, if a commit was answered since the last poll and no request is
  /// under way.
  mutating func askAgain() {
    if underWay.isEmpty, poll.isOvertaken, !(poll.isBusy && !poll.isWaiting) { poll.isFirst = true }
  }
}

// Taking in news.
extension SyncMachine {
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
      change(queue) { ($0.needsPull, $0.asksWhy) = (true, true) }
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
    for (queue, pump) in pumps where pump.refusedGrant != nil {
      change(queue) { ($0.refusedGrant, $0.asksWhy) = (nil, true) }
    }
    for (queue, place) in facts.places where queue != home && memberships[queue] == nil {
      guard place.load == .loaded || place.load == .loading else { continue }
      change(queue) { ($0.needsPull, $0.asksWhy) = (true, true) }
    }
  }

  mutating func heard(_ time: Timestamp, in history: HistoryID?) {
    // Before the server's first time nothing may be sent.
    if serverTime == nil { stale.formUnion(facts.needs.keys) }
    serverTime = max(serverTime ?? time, time)
    (answerTime, answerHistory) = (time, history)
  }

  /// Takes in the oldest version whose apps may send changes, which each answer names; nil if all may. Otherwise nothing
  /// is sent, so that no operation begins to grow old on the way to the server.
  mutating func hear(oldestWriter: SchemaVersion?, of schema: any SchemaDescription.Type) {
    let before = outdated
    outdated = oldestWriter.flatMap { oldest in
      schema.schemaVersion?.stands(on: oldest) == true
        ? nil : .outdated("Changes are taken from version \(oldest) on.")
    }
    if outdated != before { stale.formUnion(facts.needs.keys) }
  }

  /// Whether operations wait for an update of the app.
  var withholds: Bool { outdated != nil && facts.needs.values.contains(where: \.canSend) }

  /// Notes where the server is in a queue; nil if the user is no member there.
  mutating func hear(_ place: HeardPlace?, of queue: QueueID) {
    guard heard[queue] != place else { return }
    heard[queue] = place
    stale.insert(queue)
    if poll.isBusy { poll.moved.insert(queue) }
  }

  mutating func change(_ queue: QueueID, _ body: (inout QueuePump) -> Void) {
    body(&pumps[queue, default: QueuePump()])
    stale.insert(queue)
  }
}

// The standing of queues.
extension SyncMachine {
  /// Takes over from the run before how many operations of a queue may go together.
  mutating func keepBatches(of before: Self) {
    for (queue, pump) in before.pumps where pump.batch < ProtocolLimits.mutations {
      change(queue) { $0.keepBatch(of: pump) }
    }
  }

  func batch(of queue: QueueID) -> Int { pumps[queue]?.batch ?? ProtocolLimits.mutations }

  var hasRoomForPreviews: Bool { index[.isPreviewed].count < bounds.previews }

  /// Queues with failed requests, and queues whose standing in the index may be out of date.
  var staleOrFailing: Set<QueueID> { index[.hasFailed].union(stale) }

  func facts(of queue: QueueID) -> QueueFacts {
    let place = facts.place(of: queue)
    let isElsewhere = heard[queue].map { $0 != place.shown } ?? false
    let isBehind = place.load == .loaded && (isElsewhere || place.history != facts.history)
    return QueueFacts(
      place: place, needs: facts.needs[queue] ?? QueueNeeds(),
      isFollowed: queue == home || memberships[queue] != nil, grant: memberships[queue],
      isInvited: facts.isInvited(queue), isBehind: isBehind, maySend: serverTime != nil && outdated == nil)
  }

  /// Brings the index up to date: looks at each queue that has changed or has failed requests.
  mutating func refresh() {
    for queue in staleOrFailing { index.set(standing(of: queue), of: queue) }
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
