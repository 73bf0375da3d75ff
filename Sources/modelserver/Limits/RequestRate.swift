// How many requests a user may send: a bucket that fills with time.

import Foundation
import WireFormat

/// `@unchecked Sendable`: behind its lock.
final class RequestRate: @unchecked Sendable {
  private let perSecond: Double
  private let lock = NSLock()
  private var buckets: [UUIDValue: Bucket] = [:]
  private static let capacity = 100_000

  private struct Bucket {
    var rest: Double
    var time: ContinuousClock.Instant
  }

  init(perSecond: Int) { self.perSecond = Double(perSecond) }

  /// Twice as many as in a second may come at once. False where the user has to wait a second.
  func take(_ user: UUIDValue, at now: ContinuousClock.Instant = .now) -> Bool {
    lock.withLock {
      var bucket = buckets[user] ?? Bucket(rest: 2 * perSecond, time: now)
      bucket.rest = filled(bucket, now)
      bucket.time = now
      defer { buckets[user] = bucket }
      guard bucket.rest >= 1 else { return false }
      bucket.rest -= 1
      // A bucket that is full again is like none.
      if buckets.count > Self.capacity { buckets = buckets.filter { filled($0.value, now) < 2 * perSecond } }
      return true
    }
  }

  private func filled(_ bucket: Bucket, _ now: ContinuousClock.Instant) -> Double {
    min(2 * perSecond, bucket.rest + (now - bucket.time) / .seconds(1) * perSecond)
  }
}
