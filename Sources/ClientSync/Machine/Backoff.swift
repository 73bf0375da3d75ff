// Decides when to try again after failures.

import ClientStore
import WireFormat

/// Counts failures in a row, and says when the next attempt is due. Exponential, with full jitter; pure.
struct Backoff: Hashable, Sendable {
  private(set) var attempts = 0
  private(set) var retryAt: Timestamp?
  private(set) var since: Timestamp?
  private(set) var error: SyncError?
  /// Whether the failure is of an earlier run, and this run has tried nothing yet.
  private(set) var isRestored = false

  static let firstMilliseconds: Int64 = 1_000
  static let longestMilliseconds: Int64 = 5 * 60_000
  /// The shortest wait, whatever the jitter, so that a server that refuses at once is not asked again at once.
  static let shortestMilliseconds: Int64 = 100

  init() {}

  /// Restores what the store noted in an earlier run. With `isDue` the next attempt does not wait.
  init(_ failure: QueueFailure, _ code: SyncError.Code, isDue: Bool = false) {
    attempts = failure.attempts
    retryAt = isDue ? .zero : failure.retryAt
    error = SyncError(code, failure.message)
    isRestored = true
  }

  var hasFailed: Bool { attempts > 0 }
  /// The time of the next attempt in milliseconds since 1970, to sort failed requests by.
  var retryTime: Int64 { retryAt?.millisecondsSince1970 ?? .min }

  /// The failure for the store to keep; nil if no attempt has to wait.
  var failure: QueueFailure? {
    guard let retryAt else { return nil }
    return QueueFailure(attempts: attempts, retryAt: retryAt, message: error?.message ?? "")
  }

  /// Counts a failure and sets the time of the next attempt. `attempt` is the number of this failure, if the caller
  /// knows of more failures in a row; `chance` are random bits; `atLeast` is the shortest wait that the server asked
  /// for, in milliseconds. No wait is longer than `longestMilliseconds`.
  mutating func fail(
    at now: Timestamp, _ error: SyncError, attempt: Int = 1, chance: UInt64, atLeast milliseconds: Int64 = 0
  ) {
    attempts = max(attempts + 1, attempt)
    if since == nil { since = now }
    (self.error, isRestored) = (error, false)
    let doubled = Self.firstMilliseconds << Int64(min(attempts - 1, 20))
    let longest = min(doubled, Self.longestMilliseconds)
    let jittered = max(Int64(chance % UInt64(longest + 1)), Self.shortestMilliseconds)
    let delay = max(jittered, min(milliseconds, Self.longestMilliseconds))
    retryAt = Timestamp(millisecondsSince1970: now.millisecondsSince1970 + delay)
  }

  mutating func succeed() { self = Self() }

  /// Counts the next failure as the first one again. The current wait goes on.
  mutating func forgive() { attempts = 0 }

  /// Makes the current wait last at least so many milliseconds from now. Does nothing if there is none.
  mutating func postpone(at now: Timestamp, by milliseconds: Int64) {
    let time = now.millisecondsSince1970 + min(milliseconds, Self.longestMilliseconds)
    if let retryAt, retryAt.millisecondsSince1970 < time { self.retryAt = Timestamp(millisecondsSince1970: time) }
  }

  /// Makes the next attempt due now, without forgetting the failures.
  mutating func hurry() { retryAt = nil }

  /// Milliseconds until the next attempt; 0 if it is due. A wait over 5 minutes counts as 0, in case the clock was set
  /// back.
  func wait(at now: Timestamp) -> Int64 {
    guard let retryAt else { return 0 }
    let left = retryAt.millisecondsSince1970 - now.millisecondsSince1970
    return left > Self.longestMilliseconds ? 0 : max(left, 0)
  }

  func isDue(at now: Timestamp) -> Bool { wait(at: now) == 0 }
}
