// Days, weeks, months and years in a time zone, as values for the sections of a list.

public import Foundation
public import WireFormat

/// The Gregorian calendar in a time zone, which decides the day of a moment.
public struct ListCalendar: Sendable {
  /// Decides to which day a moment belongs, with the offset from UTC at that moment.
  public let timeZone: TimeZone
  /// The day with which each week of `week(of:)` begins.
  public let firstWeekday: CalendarWeekday
  let offsets: ZoneOffsets

  /// By default the device's time zone as it is now, and weeks that begin on Monday.
  public init(timeZone: TimeZone = .current, firstWeekday: CalendarWeekday = .monday) {
    self.timeZone = timeZone
    self.firstWeekday = firstWeekday
    offsets = ZoneOffsets(timeZone)
  }

  /// The time zone and the first day of the week that the user has chosen, as they are now.
  public static var current: Self { Self(timeZone: .current, firstWeekday: CalendarWeekday(of: .current)) }

  /// The day in the time zone at this moment.
  public func day(of time: Timestamp) -> CalendarDay {
    let seconds = time.millisecondsSince1970.flooredQuotient(by: 1_000)
    return CalendarDay(daysSince1970: (seconds + offsets.offset(at: seconds)).flooredQuotient(by: 86_400))
  }

  /// The week of the day in the time zone; it begins with `firstWeekday`.
  public func week(of time: Timestamp) -> CalendarWeek {
    CalendarWeek(of: day(of: time), firstWeekday: firstWeekday)
  }
}

extension ListCalendar: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    left.timeZone == right.timeZone && left.firstWeekday == right.firstWeekday
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(timeZone)
    hasher.combine(firstWeekday)
  }
}

extension CalendarWeekday {
  /// The first day of the week in a Foundation calendar, which counts from 1 for Sunday.
  init(of calendar: Calendar) { self = Self(rawValue: calendar.firstWeekday - 1) ?? .sunday }
}

/// A day of the Gregorian calendar, also before its introduction.
public struct CalendarDay: Hashable, Comparable, Sendable {
  /// 0 is the first of January 1970.
  public var daysSince1970: Int64

  /// The day so many days after the first of January 1970; a negative number counts back.
  public init(daysSince1970: Int64) {
    self.daysSince1970 = daysSince1970
  }

  /// As ISO 8601 counts: 0 is the year before 1, and −1 the one before that.
  public var year: Int64 { civil.year }
  /// From 1 to 12.
  public var month: Int { civil.month }
  /// From 1 to 31.
  public var day: Int { civil.day }

  public static func < (left: Self, right: Self) -> Bool { left.daysSince1970 < right.daysSince1970 }

  /// Counts in eras of 400 years that begin with the first of March, so that leap days are last: the algorithm
  /// `civil_from_days` of Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
  private var civil: (year: Int64, month: Int, day: Int) {
    let days = daysSince1970 + 719_468
    let era = days.flooredQuotient(by: 146_097)
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = Int(shifted < 10 ? shifted + 3 : shifted - 9)
    let day = Int(dayOfYear - (153 * shifted + 2) / 5 + 1)
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

extension CalendarDay: CustomStringConvertible {
  /// In ISO 8601: `2026-11-23`.
  public var description: String { "\(CalendarMonth(of: self))-\(day.padded(to: 2))" }
}

/// A month of a year.
public struct CalendarMonth: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// 12 times the year, plus 0 for January to 11 for December.
  public var number: Int64

  /// The month with this number: 24,312 is January 2026.
  public init(number: Int64) {
    self.number = number
  }

  /// The month that contains a day.
  public init(of day: CalendarDay) {
    number = day.year * 12 + Int64(day.month) - 1
  }

  /// As ISO 8601 counts: 0 is the year before 1, and −1 the one before that.
  public var year: Int64 { number.flooredQuotient(by: 12) }
  /// From 1 to 12.
  public var month: Int { Int(number - year * 12) + 1 }

  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

  /// In ISO 8601: `2026-11`.
  public var description: String { "\(Int(year).padded(to: 4))-\(month.padded(to: 2))" }
}

/// A year.
public struct CalendarYear: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// As ISO 8601 counts: 0 is the year before 1, and −1 the one before that.
  public var number: Int64

  /// The year with this number, as ISO 8601 counts. `ListContext.year(of:)` gives the year of a moment.
  public init(number: Int64) {
    self.number = number
  }

  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

  public var description: String { "\(number)" }
}

extension Int {
  fileprivate func padded(to width: Int) -> String {
    let digits = String(magnitude)
    return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }
}
