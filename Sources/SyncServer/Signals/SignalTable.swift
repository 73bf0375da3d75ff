// The board of signals, with the time that passes and the polls that wait for it.

import Determinism
import SyncProtocol
import WireFormat

/// Keeps the signals of a server, and wakes the polls that watch their queues.
actor SignalTable {
  private var board = SignalBoard()
  /// How often the signals of users were removed.
  private(set) var removals = 0
  private var isTicking = false
  private var lastTick = Timestamp.zero
  private let polls: PollTable
  private let environment: RuntimeEnvironment
  private let clock: ServerClock

  /// The time of signals is counted in steps of about this length. A clock that was set back counts as a step.
  private static let tickMilliseconds: Int64 = 250

  init(environment: RuntimeEnvironment, clock: ServerClock, polls: PollTable) {
    (self.environment, self.clock, self.polls) = (environment, clock, polls)
  }

  /// Shows signals of a user, or takes them back. Returns those that it took; nil if somebody was removed since
  /// `removals`, because the user may be no member any more.
  func show(_ request: SignalRequest, by user: UserID, removals: Int? = nil) async -> [SignalRequest.Change]? {
    if let removals, removals != self.removals { return nil }
    let taken = request.signals.filter { board.show($0, by: user, in: request.session) }
    await publish()
    return taken
  }

  /// Removes what users show to a queue; nil removes all.
  func remove(_ users: [UserID]?, from queue: QueueID) async {
    removals += 1
    board.remove(users, from: queue)
    await publish()
  }

  /// What others show to those watched queues where it is not what the user's client knows.
  func news(_ watched: [WatchedQueue], for user: UserID) -> [QueueSignals] {
    watched.filter { board.state(of: $0.queue, for: user) != $0.state }.map { board.signals(of: $0.queue, for: user) }
  }

  var count: Int { board.count }

  private func publish() async {
    for queue in board.publish() { await polls.wakeWatchers(of: queue) }
    startTicking()
  }

  /// Starts the task that counts the time, if it does not run. It runs as long as there is a signal. If its sleep fails,
  /// the process is ending.
  private func startTicking() {
    guard !isTicking, !board.isEmpty else { return }
    isTicking = true
    lastTick = clock.now
    environment.spawn { [environment] in
      repeat {
        do { try await environment.sleep(milliseconds: Self.tickMilliseconds) } catch { return }
      } while await self.tick()
    }
  }

  /// Lets time pass; returns whether there is more to count.
  private func tick() async -> Bool {
    let now = clock.now
    let passed = now.millisecondsSince1970 - lastTick.millisecondsSince1970
    board.advance(milliseconds: max(passed, Self.tickMilliseconds))
    lastTick = now
    for queue in board.publish() { await polls.wakeWatchers(of: queue) }
    isTicking = !board.isEmpty
    return isTicking
  }
}
