// The map of this module: what happens to a client, and what it is to do. Pure.

import ClientStore
import SyncProtocol
import WireFormat

extension SyncMachine {
  /// What has happened. Each event comes to `handle` with the news of the store.
  enum Event: Sendable {
    /// The loop asks what to do now. The only event with actions, so that no request begins in the midst of another step
    /// of the client.
    case woken
    /// The store may have news that the client is going to ask about.
    case news
    /// The home queue was read, and names these queues with the grants of the memberships.
    case memberships([QueueID: GrantID])
    /// The server has answered: its times, one of each answer in the response, and its history.
    case answered([Timestamp], HistoryID)
    /// An answer says that the server takes no changes from this version of the app; nil if it takes them.
    case outdated(SyncError?)
    /// A request has ended. A queue without a result counts as `unanswered`.
    case ended(Turn, Turn.Results)
    /// The poll was answered in this history.
    case polled(ChangedAnswer, HistoryID)
    /// The poll got no usable answer.
    case pollFailed(SyncFailure)
    /// The poll was interrupted or cancelled, and its answer is not used.
    case pollInterrupted
    /// The app watches the signals of these queues, and knows these.
    case watching([WatchedQueue])
    /// The app wants no more requests to begin.
    case paused
    case resumed
    /// The app wants all that failed to be tried again at once.
    case hurried
  }

  /// What the client is to do.
  enum Action: Hashable, Sendable {
    /// Begins a request, which ends with `ended`.
    case begin(Turn)
    /// Begins a poll, which ends with `polled`, `pollFailed` or `pollInterrupted`. Without sums it only asks for the
    /// server's time.
    case poll(ChangedRequest)
    /// Ends the poll that waits.
    case interruptPoll
    /// Lets the operations of a queue that wait for files go again.
    case tryFilesAgain(QueueID)
    /// Lets the operation of a queue that has stepped aside go again.
    case tryAsidesAgain(QueueID)
  }

  /// Takes in an event, and returns what to do. `news` is what has changed in the store since the event before; `chance`
  /// are random bits.
  @discardableResult
  mutating func handle(_ event: Event, _ news: SyncNews, at now: Timestamp, chance: UInt64) -> [Action] {
    learn(news)
    refresh()
    defer { refresh() }
    switch event {
    case .woken: return actions(at: now)
    case .news: break
    case .memberships(let memberships): follow(memberships)
    case .answered(let times, let history): for time in times { hear(time, in: history) }
    case .outdated(let error): hear(outdated: error)
    case .ended(let turn, let results): end(turn, results, at: now, chance: chance)
    case .polled(let answer, let history):
      hear(answer.time, in: history)
      didPoll(answer, at: now, chance: chance)
    case .pollFailed(let failure): didFailPoll(failure, at: now, chance: chance)
    case .pollInterrupted: poll.end()
    case .watching(let queues): watch(queues)
    case .paused: isPaused = true
    case .resumed: isPaused = false
    case .hurried: hurry()
    }
    return []
  }

  /// What to do now. Marks the requests that begin as under way.
  private mutating func actions(at now: Timestamp) -> [Action] {
    if isOnce { askAgain() }
    var actions = files.takeDue(at: now).map(Action.tryFilesAgain)
    actions += asides.takeDue(at: now).map(Action.tryAsidesAgain)
    if isPollOutdated { actions.append(.interruptPoll) }
    guard !isPaused, connection.isDue(at: now), pace.isDue(at: now) else { return actions }
    if let poll = beginPoll(at: now) { actions.append(poll) }
    // After a failure only the poll goes, to find out whether the server is back.
    if !connection.hasFailed { actions += beginTurns(at: now).map(Action.begin) }
    return actions
  }
}
