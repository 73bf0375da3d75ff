// Decides the next requests over all queues. Pure: time, chance and facts come from outside.

import ClientStore
import ModelTypes
import SyncProtocol
import WireFormat

struct SyncMachine: Sendable {
  let home: QueueID
  let bounds: SyncBounds
  var pumps: [QueueID: QueuePump] = [:]
  /// The server as a whole.
  var connection = Backoff()
  /// Pauses that the server has asked for, in a row.
  var pace = Backoff()
  var poll = Poll()
  /// The newest time of the server that is known.
  var serverTime: Timestamp?
  /// What the last answer said; earlier than `serverTime` where the server's clock was set back.
  var answerTime: Timestamp?
  /// The history in which it said that.
  var answerHistory: UUIDValue?
  /// The queues that the user follows, with the grants of the memberships.
  var memberships: [QueueID: UUIDValue] = [:]
  /// Queues with operations whose files the server lacks, and when it is asked again.
  var files: [QueueID: Backoff] = [:]
  var isPaused = false
  /// Whether nobody stays to wait for news.
  var isOnce = false
  /// How many turns have begun.
  var turns = 0
  /// The requests under way by their numbers, the long poll aside.
  var underWay: [Int: Turn] = [:]

  /// Pauses in a row before they count as a failure.
  static let patience = 3
  /// In milliseconds; who asks for more serves nobody.
  static let longestPause: Int64 = 5_000
  /// Between questions for news, in milliseconds, where the server lets nobody else wait for them.
  static let pauseOfPolls: Int64 = 15_000
  /// Of a poll that names only some of the queues.
  static let shortWaitSeconds = 5

  struct Poll: Hashable, Sendable {
    var isBusy = false
    var isWaiting = false
    /// The first one does not wait: it tells the time, and what has changed meanwhile.
    var isFirst = true
    /// The server did not let the last one wait: the next one only asks.
    var isTurnedAway = false
    /// A commit has left since it began: the server may have done more by it than the queue shows.
    var isOvertaken = false
    var beganAt = Timestamp.zero
    /// Polls in a row that were to wait, and came back at once with nothing.
    var hasty = 0
    /// How many polls have named only some of the queues.
    var windows = 0
    var question = Question()
    /// Queues that the server has told of, and the home queue has not: a poll over all leaves them out.
    var strangers: Set<QueueID> = []
    /// The server has refused a poll over all: it is an older one, or they are too many for it.
    var mustName = false
    var backoff = Backoff()
  }

  /// The question of a poll.
  struct Question: Hashable, Sendable {
    var places: [QueueID: QueuePlace] = [:]
    /// Those are all queues of the user but these. Nil where the places are named.
    var except: [QueueID]?
    /// Those are some of the queues, and others have their turn after them.
    var isWindow = false
  }

  enum Action: Hashable, Sendable {
    case turn(Turn)
    case poll(Question, waitSeconds: Int)
  }

  init(
    home: QueueID, failures: [QueueID: QueueFailure] = [:], bounds: SyncBounds = SyncBounds()
  ) {
    self.home = home
    self.bounds = bounds
    for (queue, failure) in failures {
      if queue == home {
        // The user may have signed in since, or the network may be back: one small question tells.
        connection = Backoff(failure, .unreachable, isDue: true)
      } else {
        pumps[queue] = QueuePump(failure)
      }
    }
  }
}

// Beginning requests.
extension SyncMachine {
  /// The requests to begin now; each is noted as begun.
  mutating func begin(_ facts: SyncFacts, at now: Timestamp) -> [Action] {
    guard !isPaused, connection.isDue(at: now), pace.isDue(at: now) else { return [] }
    var actions: [Action] = []
    if let poll = beginPoll(facts, at: now) { actions.append(poll) }
    // After a failure the poll finds out whether the server is back.
    if !connection.hasFailed { actions += beginTurns(facts, at: now).map(Action.turn) }
    return actions
  }

  private mutating func beginPoll(_ facts: SyncFacts, at now: Timestamp) -> Action? {
    guard !poll.isBusy, poll.backoff.isDue(at: now) else { return nil }
    let asksOnly = poll.isFirst || poll.isTurnedAway || connection.hasFailed
    guard asksOnly || !isOnce else { return nil }
    let all = pollable(facts, at: now)
    guard asksOnly || !all.isEmpty else { return nil }
    poll.question = question(about: all, facts)
    poll.isBusy = true
    poll.isOvertaken = false
    poll.beganAt = now
    poll.isWaiting = !asksOnly
    let longest = poll.question.isWindow ? Self.shortWaitSeconds : ProtocolLimits.waitSeconds
    let waitSeconds = asksOnly ? 0 : longest
    return .poll(poll.question, waitSeconds: waitSeconds)
  }

  private mutating func question(about all: [QueueID: QueuePlace], _ facts: SyncFacts) -> Question {
    if all.count > bounds.namedQueues, !poll.mustName, let except = others(than: all, facts) {
      return Question(places: all, except: except)
    }
    let isWindow = all.count > ProtocolLimits.changedQueues
    return Question(places: isWindow ? window(of: all) : all, isWindow: isWindow)
  }

  /// Those of which the user may be a member, and that are not waited for now. Nil where that cannot be said, or they are too
  /// many.
  private func others(than all: [QueueID: QueuePlace], _ facts: SyncFacts) -> [QueueID]? {
    // Only who has read the home queue knows which queues there are.
    guard all[home] != nil else { return nil }
    let known = queues(facts).filter { queue in
      all[queue] == nil && (memberships[queue] != nil || facts.places[queue]?.load.isGone != true)
    }
    let others = Set(known).union(poll.strangers.filter { all[$0] == nil })
    return others.count <= ProtocolLimits.changedQueues ? others.sorted { $0.rawValue < $1.rawValue } : nil
  }

  /// Of more queues than a poll may name, the next ones.
  private mutating func window(of all: [QueueID: QueuePlace]) -> [QueueID: QueuePlace] {
    let sorted = all.sorted { $0.key.rawValue < $1.key.rawValue }
    let start = poll.windows * ProtocolLimits.changedQueues % sorted.count
    poll.windows += 1
    let window = (sorted[start...] + sorted[..<start]).prefix(ProtocolLimits.changedQueues)
    return Dictionary(uniqueKeysWithValues: window.map { ($0.key, $0.value) })
  }

  /// A queue that is being read is not polled: it would be named at once, over and over.
  private func pollable(_ facts: SyncFacts, at now: Timestamp) -> [QueueID: QueuePlace] {
    let settled = queues(facts).filter { queue in
      let facts = self.facts(of: queue, facts)
      return facts.place.load == .loaded && (pumps[queue] ?? QueuePump()).isPollable(facts, at: now)
    }
    return Dictionary(uniqueKeysWithValues: settled.map { ($0, facts.places[$0] ?? QueuePlace()) })
  }

  /// Each once. An array: sets of ten thousand, made at each turn, took a third of a first load.
  func queues(_ facts: SyncFacts) -> [QueueID] {
    let (places, needs) = (facts.places, facts.needs)
    var queues = Array(places.keys)
    queues += needs.keys.filter { places[$0] == nil }
    queues += memberships.keys.filter { places[$0] == nil && needs[$0] == nil }
    if places[home] == nil, needs[home] == nil, memberships[home] == nil { queues.append(home) }
    return queues
  }

  func facts(of queue: QueueID, _ facts: SyncFacts) -> QueueFacts {
    QueueFacts(
      place: facts.places[queue] ?? QueuePlace(), needs: facts.needs[queue] ?? QueueNeeds(),
      isFollowed: queue == home || memberships[queue] != nil, grant: memberships[queue],
      isInvited: facts.isInvited(queue), mayPreview: facts.previews < bounds.previews,
      isServerTimeKnown: serverTime != nil,
      isOverdue: answerTime.map { facts.places[queue]?.isOverdue(at: $0) ?? false } ?? false)
  }

  func batch(of queue: QueueID) -> Int { pumps[queue]?.batch ?? ProtocolLimits.mutations }

  /// Asks without waiting, once what is left to do is done; for who does not stay to wait.
  mutating func askAgain(_ facts: SyncFacts) {
    if underWay.isEmpty, poll.isOvertaken, !(poll.isBusy && !poll.isWaiting) { poll.isFirst = true }
  }

  /// Whether the poll that waits now is of no use any more: it asks for other places than one that began now would, or
  /// nothing is to be begun at all.
  func isPollOutdated(_ facts: SyncFacts, at now: Timestamp) -> Bool {
    guard poll.isBusy, poll.isWaiting else { return false }
    if isPaused || connection.hasFailed || poll.isFirst { return true }
    if poll.question.isWindow { return false }
    return !pollable(facts, at: now).keys.allSatisfy { poll.question.places[$0] != nil }
  }

  /// Milliseconds until something is due that waits now; nil where nothing does.
  func wait(at now: Timestamp) -> Int64? {
    guard !isPaused else { return nil }
    for backoff in [connection, pace] where !backoff.isDue(at: now) { return backoff.wait(at: now) }
    let backoffs = pumps.values.flatMap { [$0.pushes, $0.pulls] } + files.values + [poll.backoff]
    return backoffs.map { $0.wait(at: now) }.filter { $0 > 0 }.min()
  }

  /// Whether nothing is under way and nothing is left to do.
  func isIdle(_ facts: SyncFacts) -> Bool {
    underWay.isEmpty && !poll.isFirst && !poll.isOvertaken
      && queues(facts).allSatisfy { (pumps[$0] ?? QueuePump()).isIdle(self.facts(of: $0, facts)) }
  }
}

/// The state of the store at one moment.
struct SyncFacts: Sendable {
  var places: [QueueID: QueuePlace]
  var needs: [QueueID: QueueNeeds]
  /// Queues that others have added the user to, without an answer.
  var invited: Set<QueueID>
  /// How many of them are here, as a whole or in part.
  var previews: Int

  init(places: [QueueID: QueuePlace], needs: [QueueID: QueueNeeds], invited: Set<QueueID> = []) {
    (self.places, self.needs, self.invited) = (places, needs, invited)
    previews = invited.count { places[$0]?.isPreviewed ?? false }
  }

  /// A queue with operations of the user syncs like an accepted one.
  func isInvited(_ queue: QueueID) -> Bool {
    !invited.isEmpty && invited.contains(queue) && needs[queue]?.hasOperations != true
  }
}

extension QueuePlace {
  fileprivate var isPreviewed: Bool { load != .unread && !load.isGone }
}
