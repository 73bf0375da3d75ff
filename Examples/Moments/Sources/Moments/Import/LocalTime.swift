// A time as a clock showed it, and how far that clock was ahead of UTC. EXIF keeps dates in this way.
import Foundation
import ModelRuntime

/// The time of a clock at some place. A photo taken at 23:50 stands under that day wherever it is looked at.
public struct LocalTime: Hashable, Sendable {
  /// The time that the clock showed, as if it were in UTC.
  public var time: Timestamp
  /// How far the clock was ahead of UTC; nil if nobody knows.
  public var utcOffsetMinutes: Int32?

  public init(time: Timestamp, utcOffsetMinutes: Int32? = nil) {
    (self.time, self.utcOffsetMinutes) = (time, utcOffsetMinutes)
  }

  /// The time that clocks of a time zone showed.
  init(_ instant: Date, in timeZone: TimeZone) {
    let offset = timeZone.secondsFromGMT(for: instant)
    time = Timestamp(instant.addingTimeInterval(Double(offset)))
    utcOffsetMinutes = Int32(offset / 60)
  }

  /// A date of the calendar. Nil if there is no such date, as in a 13th month or on a 30 February, or if the year is
  /// before 1801, when nobody took photos.
  init?(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, milliseconds: Int = 0,
    utcOffsetMinutes: Int32?
  ) {
    // Clocks show a leap second as 60.
    guard (1801...9999).contains(year), (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let day = DateComponents(calendar: calendar, year: year, month: month, day: day)
    guard day.isValidDate, let midnight = day.date else { return nil }
    let seconds = (hour * 60 + minute) * 60 + second
    time = Timestamp(
      millisecondsSince1970: Timestamp(midnight).millisecondsSince1970 + Int64(seconds * 1_000 + milliseconds))
    self.utcOffsetMinutes = utcOffsetMinutes
  }
}
