// The first moments of days, weeks, months and years as dates, which the system can format.

public import Foundation

extension CalendarDay {
  /// The first moment of the day, by default in the time zone of the device, in which dates are formatted. Rounded to
  /// the nearest `Timestamp`.
  public func date(in calendar: ListCalendar = .current) -> Date {
    // Keeps the seconds inside an Int64; timestamps end long before.
    let day = Self(daysSince1970: min(max(daysSince1970, -1 << 46), 1 << 46))
    return Date(calendar.beginning(of: day))
  }
}

extension CalendarWeek {
  /// The first moment of the week, as `CalendarDay.date(in:)`.
  public func date(in calendar: ListCalendar = .current) -> Date { firstDay.date(in: calendar) }
}

extension CalendarMonth {
  /// The first moment of the month, as `CalendarDay.date(in:)`.
  public func date(in calendar: ListCalendar = .current) -> Date { firstDay.date(in: calendar) }

  /// The first day of the month. The number of a month is taken as at most 2⁴⁰ from 0.
  public var firstDay: CalendarDay {
    // `days_from_civil` of Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin with March, in
    // eras of 400 years. March is the month 0.
    let monthsSinceMarch = min(max(number, -1 << 40), 1 << 40) - 2
    let year = monthsSinceMarch.flooredQuotient(by: 12)
    let era = year.flooredQuotient(by: 400)
    let (month, yearOfEra) = (monthsSinceMarch - year * 12, year - era * 400)
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + (153 * month + 2) / 5
    return CalendarDay(daysSince1970: era * 146_097 + dayOfEra - 719_468)
  }
}

extension CalendarYear {
  /// The first moment of the year, as `CalendarDay.date(in:)`.
  public func date(in calendar: ListCalendar = .current) -> Date { firstDay.date(in: calendar) }

  /// The first of January. The number of a year is taken as at most 2³⁶ from 0.
  public var firstDay: CalendarDay { CalendarMonth(number: min(max(number, -1 << 36), 1 << 36) * 12).firstDay }
}
