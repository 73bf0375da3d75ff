// Weeks, each identified by its first day.

/// The days of a week, numbered as ISO 8601 does.
public enum CalendarWeekday: Int, CaseIterable, Hashable, Sendable {
  case monday = 1
  case tuesday, wednesday, thursday, friday, saturday, sunday
}

/// Seven days, identified by the first.
public struct CalendarWeek: Hashable, Comparable, Sendable {
  /// The day that identifies the week. Any weekday may be the first; a calendar's weeks begin with its `firstWeekday`.
  public var firstDay: CalendarDay

  /// The week that begins with this day, whichever day of the week that is.
  public init(firstDay: CalendarDay) {
    self.firstDay = firstDay
  }

  /// The week that contains a day.
  public init(of day: CalendarDay, firstWeekday: CalendarWeekday = .monday) {
    let days = day.weekday.rawValue - firstWeekday.rawValue
    firstDay = CalendarDay(daysSince1970: day.daysSince1970 - Int64(days < 0 ? days + 7 : days))
  }

  /// The sixth day after the first.
  public var lastDay: CalendarDay { CalendarDay(daysSince1970: firstDay.daysSince1970 + 6) }

  public static func < (left: Self, right: Self) -> Bool { left.firstDay < right.firstDay }
}

extension CalendarWeek: CustomStringConvertible {
  /// An interval of ISO 8601: `2026-11-23/2026-11-29`.
  public var description: String { "\(firstDay)/\(lastDay)" }
}

extension CalendarDay {
  /// The day of the week, from Monday to Sunday; also for days before 1970.
  public var weekday: CalendarWeekday {
    // January 1, 1970 was a Thursday, three days after a Monday.
    let days = daysSince1970 + 3
    return CalendarWeekday.allCases[Int(days - days.flooredQuotient(by: 7) * 7)]
  }
}
