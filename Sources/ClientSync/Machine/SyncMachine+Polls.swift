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
    /// The poll under way.
    var request: Request?
    var next = Next.atOnce
    /// A commit was answered since the last poll began. It may have changed more than its own queue, such as
    /// memberships.
    var isOvertaken = false
    /// Polls in a row that were to wait, and came back within a second without news.
    var hasty = 0
    var backoff = Backoff()
    /// Polls in a row that came back at once with signals only.
    var flickers = 0
    /// The next poll begins no earlier, because of those.
    var pausedUntil = Timestamp.zero

    /// A poll from its beginning to its end.
    struct Request: Hashable, Sendable {
      let beganAt: Timestamp
      /// What the poll asks about. Without sums it only asks for the server's time.
      let asked: ChangedRequest
      /// Whether the server keeps the poll until it has news.
      let isWaiting: Bool
      /// Queues of which another place was heard since the poll began. Its answer says nothing of them.
      var moved: Set<QueueID> = []
    }

    /// What the next poll is like.
    enum Next: Hashable, Sendable {
      /// It does not wait, but tells the server's time and what has changed, as at the start of a run.
      case atOnce
      /// It does not wait, because the server did not let the last one wait.
      case turnedAway
      /// It waits for news.
      case waiting
    }

    /// Whether a poll that waits is under way.
    var isWaiting: Bool { request?.isWaiting == true }
    /// Whether a poll that does not wait is under way.
    var isAsking: Bool { request?.isWaiting == false }

    /// Ends the poll under way, and returns it.
    @discardableResult
    mutating func end() -> Request {
      guard let ended = request else { preconditionFailure("No poll is under way.") }
      request = nil
      return ended
    }
  }

  /// The pause between polls, in milliseconds, while the server lets no more clients wait.
  static let pauseOfPolls: Int64 = 15_000

  /// The pause after several polls that came back at once with signals only, in milliseconds. Servers that share the work
  /// may know different ones for a while, and then each of them answers at once.
  private static let pauseOfFlicker: Int64 = 250

  /// How long the next poll waits because of that. A longer wait comes of a clock that was set back.
  func flickerWait(at now: Timestamp) -> Int64 {
    let left = poll.pausedUntil.millisecondsSince1970 - now.millisecondsSince1970
    return (0...Self.pauseOfFlicker).contains(left) ? left : 0
  }

  /// Returns the poll to begin now, and marks it as under way.
  mutating func beginPoll(at now: Timestamp) -> Action? {
    guard poll.request == nil, poll.backoff.isDue(at: now), flickerWait(at: now) == 0 else { return nil }
    let asksOnly = poll.next != .waiting || connection.hasFailed
    // A client that has read nothing would be told of all its queues.
    let hasRead = heard.count > 0
    guard asksOnly || hasRead && !isOnce else { return nil }
    // What others show may be over without a word, if the connection has broken off: so the answer is due sooner.
    let wait = watched.contains { $0.state != nil } ? Self.secondsOfSignals : ProtocolLimits.waitSeconds
    let asked = ChangedRequest(
      sums: hasRead ? heard.sums : nil, waitSeconds: asksOnly ? 0 : wait, watched: hasRead ? watched : [])
    poll.request = Poll.Request(beganAt: now, asked: asked, isWaiting: !asksOnly)
    poll.isOvertaken = false
    return .poll(asked)
  }

  /// How long a poll waits while others show something.
  private static let secondsOfSignals = 15

  /// Whether the poll that waits now has to end: sync is paused, has lost the server, or has to ask at once, or the app
  /// watches a queue that the poll does not follow, or not from what the app knows.
  var isPollOutdated: Bool {
    guard let request = poll.request, request.isWaiting else { return false }
    return isPaused || connection.hasFailed || poll.next == .atOnce
      || !watched.allSatisfy { request.asked.watched.contains($0) }
  }

  /// Takes in the answer to the poll.
  mutating func didPoll(_ answer: ChangedAnswer, at now: Timestamp, chance: UInt64) {
    reached()
    let request = poll.end()
    poll.next = .waiting
    poll.backoff.succeed()
    let isNews = hear(answer, to: request) || !answer.signals.isEmpty
    let took = now.millisecondsSince1970 - request.beganAt.millisecondsSince1970
    let isFlicker = answer.ranges.isEmpty && !answer.signals.isEmpty && took < Self.pauseOfFlicker
    poll.flickers = isFlicker ? poll.flickers + 1 : 0
    if poll.flickers >= 3 {
      poll.pausedUntil = Timestamp(millisecondsSince1970: now.millisecondsSince1970 + Self.pauseOfFlicker)
    }
    poll.hasty = request.isWaiting && !isNews && took < Backoff.firstMilliseconds ? poll.hasty + 1 : 0
    guard poll.hasty > 2 else { return }
    let error = SyncError(.unreachable, "The server does not let clients wait for changes.")
    poll.backoff.fail(at: now, error, chance: chance, atLeast: Backoff.firstMilliseconds)
  }

  /// Takes in the places of an answer, and returns whether any of them is new.
  private mutating func hear(_ answer: ChangedAnswer, to request: Poll.Request) -> Bool {
    guard let sums = request.asked.sums else { return false }
    let ranges = Set(answer.ranges)
    let told = Dictionary(answer.places.map { ($0.queue, HeardPlace($0)) }) { first, _ in first }
    // A range is told whole: a queue of it that is not told is not the user's.
    let queues = Set(heard.queues(in: ranges, of: sums)).union(told.keys)
      .filter { ranges.contains(sums.range(of: $0)) && !request.moved.contains($0) }
    var isNews = false
    for queue in queues where heard[queue] != told[queue] {
      isNews = true
      hear(told[queue], of: queue)
      if told[queue] == nil, facts.place(of: queue).load == .loaded { change(queue) { $0.ask(.news) } }
      if told[queue] != nil, pumps[queue]?.isRefused == true { change(queue) { $0.doubtRefusal() } }
    }
    for queue in index[.isDoubted] where !request.moved.contains(queue) && pumps[queue]?.request == nil {
      guard ranges.isEmpty || ranges.contains(sums.range(of: queue)) else { continue }
      if let shown = facts.place(of: queue).shown, heard[queue] == shown { change(queue) { $0.hasNothingNew() } }
    }
    return isNews
  }

  /// Takes in that the poll got no answer.
  mutating func didFailPoll(_ failure: SyncFailure, at now: Timestamp, chance: UInt64) {
    let request = poll.end()
    if failure.reaction == .slowDown && request.isWaiting {
      // Too many clients wait already. The server answers everything else, so the client polls now and then without
      // waiting.
      reached()
      poll.next = .turnedAway
      let milliseconds = max(failure.retryAfterMilliseconds, Self.pauseOfPolls)
      return poll.backoff.fail(at: now, failure.error, chance: chance, atLeast: milliseconds)
    }
    backOff(failure, at: now, chance: chance)
    if failure.reaction == .waitWithQueue || failure.reaction == .halveBatch {
      poll.backoff.fail(at: now, failure.error, chance: chance)
    }
  }
}

extension HeardPlace {
  fileprivate init(_ place: ChangedAnswer.Head) {
    self.init(grant: place.grant, head: place.head)
  }
}
