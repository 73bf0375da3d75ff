// Decides when to poll for news, and takes in the answers. Pure.

import ClientStore
import SyncProtocol
import WireFormat

extension SyncMachine {
  /// The state of polling; at most one poll is under way.
  struct Poll: Hashable, Sendable {
    var isBusy = false
    var isWaiting = false
    /// The next poll does not wait, but tells the server's time and what has changed. True at the start of a run.
    var isFirst = true
    /// The server did not let the last poll wait, so the next one does not wait either.
    var isTurnedAway = false
    /// A commit was answered since the poll began. It may have changed more than its own queue, such as memberships.
    var isOvertaken = false
    var beganAt = Timestamp.zero
    /// Polls in a row that were to wait, and came back within a second without news.
    var hasty = 0
    /// How many polls have named only some of the queues; tells which come next.
    var windows = 0
    var question = Question.named([:])
    /// Queues whose place has changed since the poll began, with the place at its beginning; nil if they were not
    /// polled.
    var moved: [QueueID: QueuePlace?] = [:]
    /// Queues that the server has named and the home queue does not name yet. A poll over all leaves them out.
    var strangers: Set<QueueID> = []
    /// The server has refused a poll over all queues, because it is older or they are too many for it. Polls name
    /// queues now.
    var mustName = false
    var backoff = Backoff()
  }

  /// The question of a poll.
  enum Question: Hashable, Sendable {
    case named([QueueID: QueuePlace])
    /// Some of the queues; the next polls name the others.
    case window([QueueID: QueuePlace])
    /// All queues of the user but `except`, with the sums of their places.
    case all(PlaceSums, except: [QueueID])
  }

  /// The pause between polls, in milliseconds, while the server lets no more clients wait.
  static let pauseOfPolls: Int64 = 15_000
  /// How long a poll may wait that names only some of the queues.
  private static let shortWaitSeconds = 5

  mutating func beginPoll(at now: Timestamp) -> Action? {
    guard !poll.isBusy, poll.backoff.isDue(at: now) else { return nil }
    let asksOnly = poll.isFirst || poll.isTurnedAway || connection.hasFailed
    guard asksOnly || !isOnce, asksOnly || index.polled.count > 0 else { return nil }
    poll.question = question()
    (poll.isBusy, poll.isWaiting, poll.isOvertaken) = (true, !asksOnly, false)
    (poll.beganAt, poll.moved) = (now, [:])
    var longest = ProtocolLimits.waitSeconds
    if case .window = poll.question { longest = Self.shortWaitSeconds }
    return .poll(poll.question, waitSeconds: asksOnly ? 0 : longest)
  }

  private mutating func question() -> Question {
    let polled = index.polled
    if polled.count > bounds.namedQueues, !poll.mustName, let others = leftOut() {
      return .all(polled.sums, except: others)
    }
    return polled.count > ProtocolLimits.changedQueues ? .window(window(of: polled.all)) : .named(polled.all)
  }

  /// The queues that a poll over all has to leave out; nil if they are unknown or too many.
  private func leftOut() -> [QueueID]? {
    // Before the home queue is read, the client does not know which queues there are.
    guard index.polled[home] != nil, index[.isLeftOut].count <= ProtocolLimits.changedQueues else { return nil }
    let others = index[.isLeftOut].union(poll.strangers.filter { index.polled[$0] == nil })
    return others.count <= ProtocolLimits.changedQueues ? others.sorted() : nil
  }

  /// The queues that the next poll names, if they are more than it may name. Each call goes on to the next ones.
  private mutating func window(of all: [QueueID: QueuePlace]) -> [QueueID: QueuePlace] {
    let sorted = all.sorted { $0.key < $1.key }
    let start = poll.windows * ProtocolLimits.changedQueues % sorted.count
    poll.windows += 1
    let window = (sorted[start...] + sorted[..<start]).prefix(ProtocolLimits.changedQueues)
    return Dictionary(uniqueKeysWithValues: window.map { ($0.key, $0.value) })
  }

  /// Whether the poll that waits now has to end. Either a new one would ask about more queues, or sync is paused, has
  /// lost the server, or has to ask at once.
  mutating func isPollOutdated(at now: Timestamp) -> Bool {
    guard poll.isBusy, poll.isWaiting else { return false }
    if isPaused || connection.hasFailed || poll.isFirst { return true }
    if case .window = poll.question { return false }
    refresh(at: now)
    return poll.moved.contains { queue, before in before == nil && index.polled[queue] != nil }
  }

  /// The place of a queue that the poll asked about; nil if it did not ask about the queue.
  private func askedPlace(of queue: QueueID) -> QueuePlace? {
    switch poll.question {
    case .named(let places), .window(let places): return places[queue]
    case .all: break
    }
    if let moved = poll.moved[queue] { return moved }
    return index.polled[queue]
  }

  /// Takes in the answer of a poll over all queues. A queue in a range of the answer has changed unless the answer has
  /// it at the place that the poll asked about.
  mutating func didPoll(_ answer: ChangedAllAnswer, at now: Timestamp, chance: UInt64) {
    guard case .all(let sums, _) = poll.question else { return didEndPoll() }
    refresh(at: now)
    let ranges = Set(answer.ranges)
    let told = Dictionary(answer.places.map { ($0.queue, $0) }) { first, _ in first }
    let near = Set(index.polled.queues(in: ranges, of: sums)).union(poll.moved.keys)
    let changed = near.filter { queue in
      guard ranges.contains(sums.range(of: queue)), let asked = askedPlace(of: queue) else { return false }
      return !asked.isWhere(told[queue])
    }
    let strangers = told.keys.filter { ranges.contains(sums.range(of: $0)) && askedPlace(of: $0) == nil }
    // Sorted, so that a simulation can be repeated.
    didPoll(
      changed.sorted(),
      tells: { ranges.isEmpty || ranges.contains(sums.range(of: $0)) }, at: now, chance: chance)
    poll.strangers.formUnion(strangers.prefix(ProtocolLimits.changedQueues))
  }

  /// Takes in the queues that a poll named. One that has moved since the poll began is left to the next poll. `tells`
  /// says whether the answer covers a queue that was asked about.
  mutating func didPoll(
    _ changed: [QueueID], tells: (QueueID) -> Bool = { _ in true }, at now: Timestamp, chance: UInt64
  ) {
    refresh(at: now)
    reached()
    let took = now.millisecondsSince1970 - poll.beganAt.millisecondsSince1970
    poll.hasty = poll.isWaiting && changed.isEmpty && took < Backoff.firstMilliseconds ? poll.hasty + 1 : 0
    (poll.isBusy, poll.isFirst, poll.isTurnedAway) = (false, false, false)
    poll.backoff.succeed()
    if poll.hasty > 2 {
      let error = SyncError(.unreachable, "The server does not let clients wait for changes.")
      poll.backoff.fail(at: now, error, chance: chance, atLeast: Backoff.firstMilliseconds)
    }
    let named = Set(changed)
    for queue in index[.isDoubted] where tells(queue) && !named.contains(queue) && pumps[queue]?.isBusy == false {
      // A queue that has moved since, such as one that is loaded again, was not asked about.
      if facts.place(of: queue) == askedPlace(of: queue) { change(queue) { $0.hasNothingNew() } }
    }
    for queue in changed where facts.place(of: queue) == askedPlace(of: queue) {
      change(queue) { $0.needsPull = true }
    }
  }

  mutating func didFailPoll(_ failure: SyncFailure, at now: Timestamp, chance: UInt64) {
    poll.isBusy = false
    if failure.reaction == .slowDown && poll.isWaiting {
      // Too many clients wait already. The server answers everything else, so the client polls now and then without
      // waiting.
      reached()
      poll.isTurnedAway = true
      let milliseconds = max(failure.retryAfterMilliseconds, Self.pauseOfPolls)
      return poll.backoff.fail(at: now, failure.error, chance: chance, atLeast: milliseconds)
    }
    backOff(failure, at: now, chance: chance)
    if failure.reaction == .waitWithQueue || failure.reaction == .halveBatch {
      if case .all = poll.question {
        poll.mustName = true
        return
      }
      poll.backoff.fail(at: now, failure.error, chance: chance)
    }
  }

  /// The poll was interrupted, and its answer is not used.
  mutating func didEndPoll() { poll.isBusy = false }
}

extension QueuePlace {
  /// Whether the server has the queue at this place too; false if it does not name the queue.
  fileprivate func isWhere(_ place: ChangedAllAnswer.Head?) -> Bool {
    place.map { $0.epoch == epoch && $0.grant == grant && $0.head == cursor } ?? false
  }
}
