// When days begin, where clocks skip midnight or show it twice too.

package import WireFormat

extension ListCalendar {
  /// The first moment at which it is this day there, or a later one: where a day is skipped, the next one.
  package func beginning(of day: CalendarDay) -> Timestamp {
    let local = day.daysSince1970 * Self.secondsOfDay
    var (before, after) = (local - Self.secondsOfDay, local + Self.secondsOfDay)
    let (old, new) = (offsets.offset(at: before), offsets.offset(at: after))
    if old == new { return Timestamp(secondsSince1970: local - old) }
    // Halved until `after` is the first second of the new offset.
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if offsets.offset(at: middle) == old { before = middle } else { after = middle }
    }
    return Timestamp(secondsSince1970: local - old < after ? local - old : max(after, local - new))
  }

  /// The first beginning of a day that does not come before the time.
  ///
  /// A day that has begun stays begun: where clocks go back over midnight, the day before does not come again.
  func firstMidnight(from time: Timestamp) -> Timestamp {
    var day = day(of: time)
    while true {
      let beginning = beginning(of: day)
      if beginning >= time { return beginning }
      // Behind the last one that a timestamp can name.
      if beginning.millisecondsSince1970 > .max - 2 * Self.secondsOfDay * 1_000 {
        return Timestamp(millisecondsSince1970: .max)
      }
      day.daysSince1970 += 1
    }
  }

  private static var secondsOfDay: Int64 { 86_400 }
}

extension Timestamp {
  /// Or the nearest that there is.
  fileprivate init(secondsSince1970 seconds: Int64) {
    let (milliseconds, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000)
    self.init(millisecondsSince1970: isTooFar ? (seconds < 0 ? .min : .max) : milliseconds)
  }
}
