// The long polls that wait, by queue.

import Determinism
import SyncProtocol
import WireFormat

/// How many long polls may be parked.
public struct PollLimits: Hashable, Sendable {
  public var total = 10_000
  public var perUser = 50

  public init() {}
}

/// Parked long polls. A poll is registered first, and wakes that come before it waits are not lost.
actor PollTable {
  private var polls: [Int: Poll] = [:]
  private var byQueue: [UUIDValue: Set<Int>] = [:]
  private var next = 0
  private var isClosed = false
  private var isTicking = false
  private let environment: RuntimeEnvironment
  private let limits: PollLimits
  private var byUser: [UUIDValue: Int] = [:]

  /// How exact the end of a wait is.
  private static let tickMilliseconds: Int64 = 500

  private struct Poll {
    var user: UUIDValue
    var queues: [UUIDValue]
    var isWoken = false
    var remainingMilliseconds: Int64 = 0
    var continuation: CheckedContinuation<Bool, Never>?
  }

  init(environment: RuntimeEnvironment, limits: PollLimits = PollLimits()) {
    self.environment = environment
    self.limits = limits
  }

  var count: Int { polls.count }

  /// Throws a `RequestError` where too many wait already.
  func register(_ queues: [UUIDValue], of user: UUIDValue) throws -> Int {
    guard polls.count < limits.total, byUser[user, default: 0] < limits.perUser else {
      throw RequestError(.tooManyRequests, "Too many polls wait already.")
    }
    next += 1
    polls[next] = Poll(user: user, queues: queues, isWoken: isClosed)
    byUser[user, default: 0] += 1
    for queue in queues { byQueue[queue, default: []].insert(next) }
    return next
  }

  /// Returns whether something woke it before its time was up; removes it. A cancelled task is let go.
  func wait(_ id: Int, milliseconds: Int64) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard let poll = polls[id], !poll.isWoken, !Task.isCancelled else {
          remove(id)
          return continuation.resume(returning: true)
        }
        polls[id]?.remainingMilliseconds = milliseconds
        polls[id]?.continuation = continuation
        startTicking()
      }
    } onCancel: { [environment] in
      environment.spawn { await self.give(up: id) }
    }
  }

  /// Nobody listens any more, whether it waits already or not.
  func give(up id: Int) { finish(id, woken: false) }

  func remove(_ id: Int) {
    guard let poll = polls.removeValue(forKey: id) else { return }
    byUser[poll.user, default: 0] -= 1
    if byUser[poll.user] == 0 { byUser[poll.user] = nil }
    for queue in poll.queues {
      byQueue[queue]?.remove(id)
      if byQueue[queue]?.isEmpty == true { byQueue[queue] = nil }
    }
  }

  func wake(_ queue: UUIDValue) {
    for id in (byQueue[queue] ?? []).sorted() {
      if polls[id]?.continuation == nil { polls[id]?.isWoken = true } else { finish(id, woken: true) }
    }
  }

  /// Wakes all, and lets nobody wait any more.
  func close() {
    isClosed = true
    for id in polls.keys.sorted() {
      if polls[id]?.continuation == nil { polls[id]?.isWoken = true } else { finish(id, woken: false) }
    }
  }

  private func finish(_ id: Int, woken: Bool) {
    let continuation = polls[id]?.continuation
    remove(id)
    continuation?.resume(returning: woken)
  }

  /// One task for all that wait, as long as somebody does. Its sleep fails where the process ends: then nobody waits on.
  private func startTicking() {
    guard !isTicking else { return }
    isTicking = true
    environment.spawn { [environment] in
      repeat {
        do { try await environment.sleep(milliseconds: Self.tickMilliseconds) } catch { return await self.close() }
      } while await self.tick()
    }
  }

  /// Ends the waits whose time is up; returns whether somebody still waits.
  private func tick() -> Bool {
    for id in polls.keys.sorted() where polls[id]?.continuation != nil {
      polls[id]?.remainingMilliseconds -= Self.tickMilliseconds
      if polls[id].map({ $0.remainingMilliseconds <= 0 }) ?? false { finish(id, woken: false) }
    }
    isTicking = polls.values.contains { $0.continuation != nil }
    return isTicking
  }
}
