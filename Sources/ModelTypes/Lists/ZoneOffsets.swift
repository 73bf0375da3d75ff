// Caches how far a time zone is from UTC, so that a list does not ask Foundation for every object.

import Foundation
import Synchronization

/// Remembers the offset of each day on which the time zone does not change it.
final class ZoneOffsets: Sendable {
  private static let secondsOfDay: Int64 = 86_400
  /// The days of 180 years. All are forgotten when there are more.
  private static let maximumCount = 65_536
  private let timeZone: TimeZone
  /// By the number of the day in UTC; nil if the offset changes on that day.
  private let days = Mutex<[Int64: Int64?]>([:])

  init(_ timeZone: TimeZone) { self.timeZone = timeZone }

  /// The offset in seconds, at a time in seconds since 1970.
  func offset(at seconds: Int64) -> Int64 {
    let day = seconds.flooredQuotient(by: Self.secondsOfDay)
    return days.withLock { days in
      if let known = days[day] { return known ?? ask(seconds) }
      if days.count >= Self.maximumCount { days = [:] }
      let (start, end) = (ask(day * Self.secondsOfDay), ask((day + 1) * Self.secondsOfDay))
      days[day] = .some(start == end ? start : nil)
      return start == end ? start : ask(seconds)
    }
  }

  private func ask(_ seconds: Int64) -> Int64 {
    Int64(timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds))))
  }
}

extension Int64 {
  /// Rounded towards the smaller number, for times before 1970 too.
  func flooredQuotient(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
