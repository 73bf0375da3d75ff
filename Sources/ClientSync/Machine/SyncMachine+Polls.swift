// Decides when to poll for news, and takes in the answers. Pure.
//
// A poll asks whether the server is at another place in any queue than the client has heard. What it tells is heard
// then, so the next poll waits, although the client may still be reading: a queue whose rows are at another place than
// was heard has something to fetch (`QueueFacts.isBehind`).

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
    /// What the poll asks about; nil if it only asks for the server's time.
    var sums: PlaceSums?
    /// Queues of which another place was heard since the poll began. Its answer says nothing of them.
    var moved: Set<QueueID> = []
    var backoff = Backoff()
  }

  /// The pause between polls, in milliseconds, while the server lets no more clients wait.
  static let pauseOfPolls: Int64 = 15_000

  mutating func beginPoll(at now: Timestamp) -> Action? {
    guard !poll.isBusy, poll.backoff.isDue(at: now) else { return nil }
    let asksOnly = poll.isFirst || poll.isTurnedAway || connection.hasFailed
    // A client that has read nothing would be told of all its queues.
    let hasRead = heard.count > 0
    guard asksOnly || hasRead && !isOnce else { return nil }
    poll.sums = hasRead ? heard.sums : nil
    (poll.isBusy, poll.isWaiting, poll.isOvertaken) = (true, !asksOnly, false)
    (poll.beganAt, poll.moved) = (now, [])
    return .poll(poll.sums, waitSeconds: asksOnly ? 0 : ProtocolLimits.waitSeconds)
  }

  /// Whether the poll that waits now has to end: sync is paused, has lost the server, or has to ask at once.
  var isPollOutdated: Bool { poll.isBusy && poll.isWaiting && (isPaused || connection.hasFailed || poll.isFirst) }

  mutating func didPoll(_ answer: ChangedAnswer, at now: Timestamp, chance: UInt64) {
    refresh()
    reached()
    (poll.isBusy, poll.isFirst, poll.isTurnedAway) = (false, false, false)
    poll.backoff.succeed()
    let isNews = hear(answer)
    let took = now.millisecondsSince1970 - poll.beganAt.millisecondsSince1970
    poll.hasty = poll.isWaiting && !isNews && took < Backoff.firstMilliseconds ? poll.hasty + 1 : 0
    guard poll.hasty > 2 else { return }
    let error = SyncError(.unreachable, "The server does not let clients wait for changes.")
    poll.backoff.fail(at: now, error, chance: chance, atLeast: Backoff.firstMilliseconds)
  }

  /// Takes in the places of an answer, and returns whether any of them is new.
  private mutating func hear(_ answer: ChangedAnswer) -> Bool {
    guard let sums = poll.sums else { return false }
    let ranges = Set(answer.ranges)
    let told = Dictionary(answer.places.map { ($0.queue, HeardPlace($0)) }) { first, _ in first }
    // A range is told whole: a queue of it that is not told is not the user's.
    let queues = Set(heard.queues(in: ranges, of: sums)).union(told.keys)
      .filter { ranges.contains(sums.range(of: $0)) && !poll.moved.contains($0) }
    var isNews = false
    for queue in queues where heard[queue] != told[queue] {
      isNews = true
      hear(told[queue], of: queue)
      if told[queue] == nil, facts.place(of: queue).load == .loaded { change(queue) { $0.needsPull = true } }
    }
    for queue in index[.isDoubted] where !poll.moved.contains(queue) && pumps[queue]?.isBusy == false {
      guard ranges.isEmpty || ranges.contains(sums.range(of: queue)) else { continue }
      if let shown = facts.place(of: queue).shown, heard[queue] == shown { change(queue) { $0.hasNothingNew() } }
    }
    return isNews
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
      poll.backoff.fail(at: now, failure.error, chance: chance)
    }
  }

  /// The poll was interrupted, and its answer is not used.
  mutating func didEndPoll() { poll.isBusy = false }
}

extension HeardPlace {
  fileprivate init(_ place: ChangedAnswer.Head) {
    self.init(grant: place.grant, head: place.head)
  }
}
