// The table of waiting long polls, by user.

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
  /// A poll is over all queues of its user. The queues are not listed, because that table would have a row for every
  /// membership of every user.
  private var byUser: [UserID: Set<Int>] = [:]
  /// The polls that follow the signals of a queue.
  private var byWatched: [QueueID: Set<Int>] = [:]
  /// Queues of which many polls were woken a moment ago, with those that are still to be woken.
  private var due: [QueueID: DueWakes] = [:]
  private var next = 0
  private var isClosed = false
  private var isTicking = false
  private let environment: RuntimeEnvironment
  private let limits: PollLimits

  /// The waits are counted down in steps of this length.
  private static let tickMilliseconds: Int64 = 500

  private struct Poll {
    var user: UserID
    var watched: [QueueID]
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
  func register(of user: UserID, watching watched: [QueueID] = []) throws -> Int {
    guard polls.count < limits.total, byUser[user]?.count ?? 0 < limits.perUser else {
      throw RequestError(.tooManyRequests, "Too many polls wait already.")
    }
    next += 1
    polls[next] = Poll(user: user, watched: watched, isWoken: isClosed)
    byUser[user, default: []].insert(next)
    for queue in watched { byWatched[queue, default: []].insert(next) }
    return next
  }

  /// Lets a poll follow the signals of these queues only: those of which its user turned out to be a member. Polls of
  /// strangers would delay the wakes of members.
  func watch(_ queues: Set<QueueID>, by id: Int) {
    guard let poll = polls[id] else { return }
    for queue in poll.watched where !queues.contains(queue) { unwatch(queue, by: id) }
    polls[id]?.watched = poll.watched.filter { queues.contains($0) }
  }

  private func unwatch(_ queue: QueueID, by id: Int) {
    byWatched[queue]?.remove(id)
    if byWatched[queue]?.isEmpty == true { byWatched[queue] = nil }
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
    byUser[poll.user]?.remove(id)
    if byUser[poll.user]?.isEmpty == true { byUser[poll.user] = nil }
    for queue in poll.watched { unwatch(queue, by: id) }
  }

  /// Wakes the polls of these users, for news of a queue; nil wakes those of all users. Wakes a few at once, and many
  /// in steps with pauses. Otherwise one commit to a queue of thousands would keep all threads busy.
  func wake(_ users: [UserID]?, of queue: QueueID) {
    wake(users.map { Set($0.flatMap { byUser[$0] ?? [] }) } ?? Set(polls.keys), of: queue)
  }

  /// Wakes the polls that follow the signals of a queue, in such steps too.
  func wakeWatchers(of queue: QueueID) { wake(byWatched[queue] ?? [], of: queue) }

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
