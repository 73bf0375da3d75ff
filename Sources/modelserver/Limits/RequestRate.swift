// Limits how many requests a user may send: each user has a bucket that fills with time.

import Foundation
import WireFormat

/// `@unchecked Sendable`: its lock guards all state.
final class RequestRate: @unchecked Sendable {
  private let perSecond: Double
  private let lock = NSLock()
  private var buckets: [UserID: Bucket] = [:]
  private static let capacity = 100_000

  private struct Bucket {
    var rest: Double
    var time: ContinuousClock.Instant
  }

  init(perSecond: Int) { self.perSecond = Double(perSecond) }

  /// Counts a request; returns false if the user has sent too many. Twice as many as in a second may come at once.
  func take(_ user: UserID, at now: ContinuousClock.Instant = .now) -> Bool {
    lock.withLock {
      var bucket = buckets[user] ?? Bucket(rest: 2 * perSecond, time: now)
      bucket.rest = filled(bucket, now)
      bucket.time = now
      defer { buckets[user] = bucket }
      guard bucket.rest >= 1 else { return false }
      bucket.rest -= 1
      // Removes full buckets, because a new one is full too.
      if buckets.count > Self.capacity { buckets = buckets.filter { filled($0.value, now) < 2 * perSecond } }
      return true
    }
  }

  private func filled(_ bucket: Bucket, _ now: ContinuousClock.Instant) -> Double {
    min(2 * perSecond, bucket.rest + (now - bucket.time) / .seconds(1) * perSecond)
  }
}
