// When to try again after failures.

import ClientStore
import WireFormat

/// Failures in a row, and when the next attempt is due. Exponential, with full jitter; pure.
struct Backoff: Hashable, Sendable {
  private(set) var attempts = 0
  private(set) var retryAt: Timestamp?
  private(set) var since: Timestamp?
  private(set) var error: SyncError?

  static let firstMilliseconds: Int64 = 1_000
  static let longestMilliseconds: Int64 = 5 * 60_000
  /// However the dice fall: a server that refuses at once must not be asked at once.
  static let shortestMilliseconds: Int64 = 100

  init() {}

  /// As it was when the store was last synced. `isDue`: the next attempt waits no longer.
  init(_ failure: QueueFailure, _ code: SyncError.Code, isDue: Bool = false) {
    attempts = failure.attempts
    retryAt = isDue ? .zero : failure.retryAt
    error = SyncError(code, failure.message)
  }

  var hasFailed: Bool { attempts > 0 }
  /// Of one that has failed; for an order.
  var retryTime: Int64 { retryAt?.millisecondsSince1970 ?? .min }

  /// For the row that survives a crash.
  var failure: QueueFailure? {
    guard let retryAt else { return nil }
    return QueueFailure(attempts: attempts, retryAt: retryAt, message: error?.message ?? "")
  }

  /// `attempt` is which failure this is, where more are known than were counted here; `chance` are random bits; `atLeast`
  /// is what the server asked for, in milliseconds.
  mutating func fail(
    at now: Timestamp, _ error: SyncError, attempt: Int = 1, chance: UInt64, atLeast milliseconds: Int64 = 0
  ) {
    attempts = max(attempts + 1, attempt)
    if since == nil { since = now }
    self.error = error
    let doubled = Self.firstMilliseconds << Int64(min(attempts - 1, 20))
    let longest = min(doubled, Self.longestMilliseconds)
    let jittered = max(Int64(chance % UInt64(longest + 1)), Self.shortestMilliseconds)
    let delay = max(jittered, min(milliseconds, Self.longestMilliseconds))
    retryAt = Timestamp(millisecondsSince1970: now.millisecondsSince1970 + delay)
  }

  mutating func succeed() { self = Self() }

  /// The next failure is the first one again; the pause that was begun stays.
  mutating func forgive() { attempts = 0 }

  /// Waits so many milliseconds at least, from now on.
  mutating func postpone(at now: Timestamp, by milliseconds: Int64) {
    let time = now.millisecondsSince1970 + min(milliseconds, Self.longestMilliseconds)
    if let retryAt, retryAt.millisecondsSince1970 < time { self.retryAt = Timestamp(millisecondsSince1970: time) }
  }

  /// Tries again at the next occasion, without forgetting the failures.
  mutating func hurry() { retryAt = nil }

  /// Milliseconds until the next attempt; 0 where it is due. A clock that was set back by years delays nothing by years.
  func wait(at now: Timestamp) -> Int64 {
    guard let retryAt else { return 0 }
    let left = retryAt.millisecondsSince1970 - now.millisecondsSince1970
    return left > Self.longestMilliseconds ? 0 : max(left, 0)
  }

  func isDue(at now: Timestamp) -> Bool { wait(at: now) == 0 }
}
