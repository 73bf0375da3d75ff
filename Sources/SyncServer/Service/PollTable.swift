// The table of waiting long polls, by queue and by member.

import Determinism
import SyncProtocol
import WireFormat

/// How many long polls may wait at a time.
package struct PollLimits: Hashable, Sendable {
  package var total = 10_000
  package var perUser = 50

  package init() {}
}

/// The long polls that wait. A poll registers before it looks for news, so that a wake before its wait is not lost.
actor PollTable {
  private var polls: [Int: Poll] = [:]
  private var byQueue: [QueueID: Set<Int>] = [:]
  /// Polls over all queues of a user.
  private var byMember: [UserID: Set<Int>] = [:]
  /// Queues of which many polls were woken a moment ago, with those that are still to be woken.
  private var due: [QueueID: DueWakes] = [:]
  private var next = 0
  private var isClosed = false
  private var isTicking = false
  private let environment: RuntimeEnvironment
  private let limits: PollLimits
  private var byUser: [UserID: Int] = [:]

  /// The waits are counted down in steps of this length.
  private static let tickMilliseconds: Int64 = 500

  /// The queues that a poll waits for.
  enum Watched {
    case queues([QueueID])
    /// All queues of which its user is a member. They are not listed, because that table would have a row for every
    /// membership of every user.
    case all
  }

  private struct Poll {
    var user: UserID
    var watched: Watched
    var isWoken = false
    var remainingMilliseconds: Int64 = 0
    var continuation: CheckedContinuation<Int64?, Never>?
  }

  init(environment: RuntimeEnvironment, limits: PollLimits = PollLimits()) {
    self.environment = environment
    self.limits = limits
  }

  var count: Int { polls.count }

  /// Registers a poll and returns its number. Throws a `RequestError` if too many wait already.
  func register(_ watched: Watched, of user: UserID) throws -> Int {
    guard polls.count < limits.total, byUser[user, default: 0] < limits.perUser else {
      throw RequestError(.tooManyRequests, "Too many polls wait already.")
    }
    next += 1
    polls[next] = Poll(user: user, watched: watched, isWoken: isClosed)
    byUser[user, default: 0] += 1
    switch watched {
    case .queues(let queues): for queue in queues { byQueue[queue, default: []].insert(next) }
    case .all: byMember[user, default: []].insert(next)
    }
    return next
  }

  /// Waits until the poll is woken, and removes it. Returns how many milliseconds are left then; nil if the time is up,
  /// the task is cancelled, the client has gone, or the table is closed.
  func wait(_ id: Int, milliseconds: Int64) async -> Int64? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let poll = polls[id]
        guard let poll, !poll.isWoken, !Task.isCancelled, milliseconds > 0 else {
          remove(id)
          let isWorthALook = poll?.isWoken == true && !isClosed && !Task.isCancelled
          return continuation.resume(returning: isWorthALook ? milliseconds : nil)
        }
        polls[id]?.remainingMilliseconds = milliseconds
        polls[id]?.continuation = continuation
        startTicking()
      }
    } onCancel: { [environment] in
      environment.spawn { await self.give(up: id) }
    }
  }

  /// Ends a poll whose client has gone, whether it waits yet or not.
  func give(up id: Int) { finish(id, woken: false) }

  func remove(_ id: Int) {
    guard let poll = polls.removeValue(forKey: id) else { return }
    byUser[poll.user, default: 0] -= 1
    if byUser[poll.user] == 0 { byUser[poll.user] = nil }
    switch poll.watched {
    case .queues(let queues):
      for queue in queues {
        byQueue[queue]?.remove(id)
        if byQueue[queue]?.isEmpty == true { byQueue[queue] = nil }
      }
    case .all:
      byMember[poll.user]?.remove(id)
      if byMember[poll.user]?.isEmpty == true { byMember[poll.user] = nil }
    }
  }

  /// Wakes the polls that name the queue. Returns whether polls over all queues wait: the caller has to wake those of
  /// the queue's members.
  func wake(_ queue: QueueID) -> Bool {
    wake(byQueue[queue] ?? [], of: queue)
    return !byMember.isEmpty
  }

  /// Wakes the polls over all queues of these users, for news of a queue; nil wakes those of all users.
  func wake(members: [UserID]?, of queue: QueueID) {
    let polls = (members ?? Array(byMember.keys)).reduce(into: Set()) { $0.formUnion(byMember[$1] ?? []) }
    wake(polls, of: queue)
  }

  /// Wakes a few polls at once, and many in steps with pauses. Otherwise one commit to a queue of thousands would keep
  /// all threads busy.
  private func wake(_ ids: Set<Int>, of queue: QueueID) {
    guard ids.count > DueWakes.atOnce || due[queue] != nil else { return wake(ids.sorted()) }
    let isUnderWay = due[queue] != nil
    due[queue, default: DueWakes()].add(ids)
    guard !isUnderWay, wakeNext(of: queue) else { return }
    environment.spawn { [environment] in
      repeat {
        do { try await environment.sleep(milliseconds: DueWakes.pauseMilliseconds) } catch { return await self.close() }
      } while await self.wakeNext(of: queue)
    }
  }

  /// Wakes some of the polls that are due; returns false if there were none left.
  private func wakeNext(of queue: QueueID) -> Bool {
    guard let next = due[queue]?.next(), !next.isEmpty else {
      due[queue] = nil
      return false
    }
    wake(next)
    return true
  }

  private func wake(_ ids: [Int]) {
    for id in ids {
      if polls[id]?.continuation == nil { polls[id]?.isWoken = true } else { finish(id, woken: true) }
    }
  }

  /// Ends all polls, and lets no poll wait any more.
  func close() {
    isClosed = true
    for id in polls.keys.sorted() {
      if polls[id]?.continuation == nil { polls[id]?.isWoken = true } else { finish(id, woken: false) }
    }
  }

  private func finish(_ id: Int, woken: Bool) {
    let poll = polls[id]
    remove(id)
    poll?.continuation?.resume(returning: woken ? poll?.remainingMilliseconds : nil)
  }

  /// Starts the task that counts down all waits, if it does not run. It runs as long as a poll waits. If its sleep
  /// fails, the process is ending, and the table is closed.
  private func startTicking() {
    guard !isTicking else { return }
    isTicking = true
    environment.spawn { [environment] in
      repeat {
        do { try await environment.sleep(milliseconds: Self.tickMilliseconds) } catch { return await self.close() }
      } while await self.tick()
    }
  }

  /// Ends the polls whose time is up; returns whether any poll still waits.
  private func tick() -> Bool {
    for id in polls.keys.sorted() where polls[id]?.continuation != nil {
      polls[id]?.remainingMilliseconds -= Self.tickMilliseconds
      if polls[id].map({ $0.remainingMilliseconds <= 0 }) ?? false { finish(id, woken: false) }
    }
    isTicking = polls.values.contains { $0.continuation != nil }
    return isTicking
  }
}
