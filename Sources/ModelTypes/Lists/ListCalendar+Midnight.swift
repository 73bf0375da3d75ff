// The moments at which days begin, also where clocks skip midnight or show it twice.

package import WireFormat

extension ListCalendar {
  /// The first moment of this day in the time zone, or of the next day if the zone skips this one.
  package func beginning(of day: CalendarDay) -> Timestamp {
    let local = day.daysSince1970 * Self.secondsOfDay
    var (before, after) = (local - Self.secondsOfDay, local + Self.secondsOfDay)
    let (old, new) = (offsets.offset(at: before), offsets.offset(at: after))
    if old == new { return Timestamp(secondsSince1970: local - old) }
    // Bisects until `after` is the first second of the new offset.
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if offsets.offset(at: middle) == old { before = middle } else { after = middle }
    }
    return Timestamp(secondsSince1970: local - old < after ? local - old : max(after, local - new))
  }

  /// The first moment at or after `time` at which a day begins.
  ///
  /// If clocks go back over midnight, the day that has begun goes on, and the day before does not begin again.
  func firstDayBeginning(from time: Timestamp) -> Timestamp {
    var day = day(of: time)
    while true {
      let beginning = beginning(of: day)
      if beginning >= time { return beginning }
      // No later midnight fits into a timestamp.
      if beginning.millisecondsSince1970 > .max - 2 * Self.secondsOfDay * 1_000 {
        return Timestamp(millisecondsSince1970: .max)
      }
      day.daysSince1970 += 1
    }
  }

  private static var secondsOfDay: Int64 { 86_400 }
}

extension Timestamp {
  /// The nearest timestamp, if the time does not fit into one.
  fileprivate init(secondsSince1970 seconds: Int64) {
    let (milliseconds, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000)
    self.init(millisecondsSince1970: isTooFar ? (seconds < 0 ? .min : .max) : milliseconds)
  }
}
