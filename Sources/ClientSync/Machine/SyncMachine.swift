// What to begin next, over all queues. Pure: time, chance and facts come from outside.

import ClientStore
import ModelTypes
import SyncProtocol
import WireFormat

struct SyncMachine: Sendable {
  private let home: QueueID
  private var pumps: [QueueID: QueuePump] = [:]
  /// The server as a whole.
  private(set) var connection = Backoff()
  private(set) var poll = Poll()
  /// The newest time of the server that is known.
  private(set) var serverTime: Timestamp?
  /// The queues that the user follows, with the grants of the memberships.
  private(set) var memberships: [QueueID: UUIDValue] = [:]
  /// Queues with operations whose files the server lacks, and when it is asked again.
  private var files: [QueueID: Backoff] = [:]
  var isPaused = false
  /// Under way, the long poll aside.
  private var requests = 0

  /// Requests at the same time, the long poll aside.
  static let maximumRequests = 4
  /// Of a poll that names only some of the queues.
  static let shortWaitSeconds = 5

  struct Poll: Hashable, Sendable {
    var isBusy = false
    var isWaiting = false
    /// The first one does not wait: it tells the time, and what has changed meanwhile.
    var isFirst = true
    /// A commit has left since it began: the server may have done more by it than the queue shows.
    var isOvertaken = false
    /// How many polls have named only some of the queues.
    var windows = 0
    /// The places that were polled.
    var places: [QueueID: QueuePlace] = [:]
    var backoff = Backoff()
  }

  enum Action: Hashable, Sendable {
    case turn(QueuePump.Turn, QueueID)
    case poll([QueueID: QueuePlace], waitSeconds: Int)
  }

  init(home: QueueID, failures: [QueueID: QueueFailure] = [:]) {
    self.home = home
    for (queue, failure) in failures {
      // What failed is tried again when its time comes: nothing else would ask for a queue that is not polled.
      if queue == home {
        connection = Backoff(failure)
      } else {
        pumps[queue] = QueuePump(isBehind: true, backoff: Backoff(failure))
      }
    }
  }
}

// What to begin.
extension SyncMachine {
  /// The requests to begin now; each is noted as begun.
  mutating func begin(_ facts: SyncFacts, at now: Timestamp) -> [Action] {
    guard !isPaused, connection.isDue(at: now) else { return [] }
    var actions: [Action] = []
    if let poll = beginPoll(facts, at: now) { actions.append(poll) }
    // After a failure the poll finds out whether the server is back.
    for queue in connection.hasFailed ? [] : queues(facts) {
      guard requests < Self.maximumRequests else { break }
      guard let turn = pumps[queue, default: QueuePump()].turn(self.facts(of: queue, facts), at: now) else { continue }
      pumps[queue, default: QueuePump()].begin(turn, grant: memberships[queue])
      requests += 1
      actions.append(.turn(turn, queue))
    }
    return actions
  }

  private mutating func beginPoll(_ facts: SyncFacts, at now: Timestamp) -> Action? {
    guard !poll.isBusy, poll.backoff.isDue(at: now) else { return nil }
    let asksOnly = poll.isFirst || connection.hasFailed
    let all = pollable(facts)
    guard asksOnly || !all.isEmpty else { return nil }
    let isWhole = all.count <= ProtocolLimits.changedQueues
    poll.places = isWhole ? all : window(of: all)
    poll.isBusy = true
    poll.isOvertaken = false
    poll.isWaiting = !asksOnly
    let waitSeconds = asksOnly ? 0 : isWhole ? ProtocolLimits.waitSeconds : Self.shortWaitSeconds
    return .poll(poll.places, waitSeconds: waitSeconds)
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
  private func pollable(_ facts: SyncFacts) -> [QueueID: QueuePlace] {
    let settled = queues(facts).filter { queue in
      let facts = self.facts(of: queue, facts)
      let pump = pumps[queue] ?? QueuePump()
      return facts.place.load == .loaded && pump.isIdle(facts) && !pump.backoff.hasFailed
    }
    return Dictionary(uniqueKeysWithValues: settled.map { ($0, facts.places[$0] ?? QueuePlace()) })
  }

  /// The home queue first: it says which others there are.
  private func queues(_ facts: SyncFacts) -> [QueueID] {
    let others = Set(facts.places.keys).union(facts.needs.keys).union(memberships.keys).subtracting([home])
    return [home] + others.sorted { $0.rawValue < $1.rawValue }
  }

  private func facts(of queue: QueueID, _ facts: SyncFacts) -> QueueFacts {
    QueueFacts(
      place: facts.places[queue] ?? QueuePlace(), needs: facts.needs[queue] ?? QueueNeeds(),
      isFollowed: queue == home || memberships[queue] != nil, grant: memberships[queue],
      isServerTimeKnown: serverTime != nil)
  }

  func batch(of queue: QueueID) -> Int { pumps[queue]?.batch ?? ProtocolLimits.mutations }

  /// Asks without waiting, once what is left to do is done; for who does not stay to wait.
  mutating func askAgain(_ facts: SyncFacts) {
    if requests == 0, poll.isOvertaken, !(poll.isBusy && !poll.isWaiting) { poll.isFirst = true }
  }

  /// Whether the poll that waits now is of no use any more: it asks for other places than one that began now would, or
  /// nothing is to be begun at all.
  func isPollOutdated(_ facts: SyncFacts) -> Bool {
    guard poll.isBusy, poll.isWaiting else { return false }
    if isPaused || connection.hasFailed || poll.isFirst { return true }
    let all = pollable(facts)
    return all.count <= ProtocolLimits.changedQueues && !all.keys.allSatisfy { poll.places[$0] != nil }
  }

  /// Milliseconds until something is due that waits now; nil where nothing does.
  func wait(at now: Timestamp) -> Int64? {
    guard !isPaused else { return nil }
    if !connection.isDue(at: now) { return connection.wait(at: now) }
    return (pumps.values.map(\.backoff) + files.values + [poll.backoff]).map { $0.wait(at: now) }.filter { $0 > 0 }
      .min()
  }

  /// Whether nothing is under way and nothing is left to do.
  func isIdle(_ facts: SyncFacts) -> Bool {
    requests == 0 && !poll.isFirst && !poll.isOvertaken
      && queues(facts).allSatisfy { (pumps[$0] ?? QueuePump()).isIdle(self.facts(of: $0, facts)) }
  }
}

/// What the store says at one moment.
struct SyncFacts: Sendable {
  var places: [QueueID: QueuePlace]
  var needs: [QueueID: QueueNeeds]
}

// What became of it.
extension SyncMachine {
  /// Whoever uploads tells the store; should that be missed, the server is asked again after a while.
  mutating func waitForFiles(in queue: QueueID, at now: Timestamp, chance: UInt64) {
    files[queue, default: Backoff()].fail(at: now, "Files have to be uploaded first.", chance: chance, atLeast: 10_000)
  }

  mutating func hasFiles(in queue: QueueID) { files[queue] = nil }

  mutating func takeDueFiles(at now: Timestamp) -> [QueueID] {
    let due = files.filter { $0.value.retryAt != nil && $0.value.isDue(at: now) }.keys
    for queue in due { files[queue]?.hurry() }
    return due.sorted { $0.rawValue < $1.rawValue }
  }

  mutating func heard(_ time: Timestamp) { serverTime = max(serverTime ?? time, time) }

  /// Any answer of the server: it is back, and who waited for that goes on.
  private mutating func reached() { connection.succeed() }

  mutating func didPush(_ queue: QueueID, refused: Bool) {
    requests -= 1
    poll.isOvertaken = true
    reached()
    pumps[queue, default: QueuePump()].didPush(refused: refused)
  }

  mutating func didPull(_ queue: QueueID, isAgain: Bool, _ place: QueuePlace, at now: Timestamp, chance: UInt64) {
    requests -= 1
    reached()
    pumps[queue, default: QueuePump()].didPull(
      isAgain: isAgain, place.load, at: now, chance: chance)
  }

  /// Nothing was sent after all.
  mutating func didNothing(_ queue: QueueID) {
    requests -= 1
    pumps[queue]?.isBusy = false
  }

  mutating func didFail(
    _ failure: SyncFailure, _ turn: QueuePump.Turn, _ queue: QueueID, at now: Timestamp, chance: UInt64
  ) {
    requests -= 1
    pumps[queue, default: QueuePump()].didFail(failure, turn, at: now, chance: chance)
    note(failure, at: now, chance: chance)
  }

  private mutating func note(_ failure: SyncFailure, at now: Timestamp, chance: UInt64) {
    switch failure.reaction {
    case .waitForServer, .refreshCredentials:
      // Requests that were under way together fail together: that is one failure.
      guard connection.isDue(at: now) else { return }
      connection.fail(at: now, failure.message, chance: chance, atLeast: failure.retryAfterMilliseconds)
    case .waitWithQueue, .halveBatch: reached()
    }
  }

  /// A queue that was read on since is asked for again by the next poll, with its new place.
  mutating func didPoll(_ changed: [QueueID], _ facts: SyncFacts) {
    reached()
    poll.isBusy = false
    poll.isFirst = false
    poll.backoff.succeed()
    for queue in changed where facts.places[queue] ?? QueuePlace() == poll.places[queue] {
      pumps[queue, default: QueuePump()].isBehind = true
    }
  }

  mutating func didFailPoll(_ failure: SyncFailure?, at now: Timestamp, chance: UInt64) {
    poll.isBusy = false
    guard let failure else { return }
    note(failure, at: now, chance: chance)
    if failure.reaction == .waitWithQueue || failure.reaction == .halveBatch {
      poll.backoff.fail(at: now, failure.message, chance: chance)
    }
  }

  /// What the home queue says now. A queue that is not named is asked why.
  mutating func follow(_ memberships: [QueueID: UUIDValue], _ facts: SyncFacts) {
    self.memberships = memberships
    // A restore gives back memberships as they were: what was refused under one may be served under it again.
    for queue in pumps.keys { pumps[queue]?.refusedGrant = nil }
    for (queue, place) in facts.places where queue != home && memberships[queue] == nil {
      if place.load == .loaded || place.load == .loading { pumps[queue, default: QueuePump()].isBehind = true }
    }
  }

  /// Who waits, waits no longer.
  mutating func hurry() {
    connection.hurry()
    poll.backoff.hurry()
    for queue in pumps.keys { pumps[queue]?.backoff.hurry() }
  }

  func failure(of queue: QueueID) -> QueueFailure? {
    queue == home ? connection.failure : pumps[queue]?.backoff.failure
  }

  /// Asking what there is to fetch is a part of it: who is idle has asked.
  var isPulling: Bool {
    poll.isFirst || poll.isBusy && !poll.isWaiting || pumps.values.contains { $0.isBusy && !$0.lastWasPush }
  }
  var isPushing: Bool { pumps.values.contains { $0.isBusy && $0.lastWasPush } }
  /// What went wrong last with a queue or the server.
  var problem: String? { connection.message ?? pumps.values.lazy.compactMap(\.backoff.message).first }
}
