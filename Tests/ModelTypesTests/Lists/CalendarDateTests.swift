// Days, weeks, months and years as dates of the system.

import Foundation
import ModelTypes
import Testing
import WireFormat

@Suite struct CalendarDateTests {
  let vienna = ListCalendar(timeZone: TimeZone(identifier: "Europe/Vienna")!)

  @Test(arguments: [-800_000, -719_468, -1, 0, 59, 60, 11_016, 20_780, 900_000] as [Int64])
  func firstDayOfMonthAndYearIsTheirs(days: Int64) {
    let day = CalendarDay(daysSince1970: days)
    let (month, year) = (CalendarMonth(of: day), CalendarYear(number: day.year))
    #expect(month.firstDay == CalendarDay(daysSince1970: days - Int64(day.day) + 1))
    #expect(CalendarMonth(of: month.firstDay) == month)
    #expect([year.firstDay.year, Int64(year.firstDay.month), Int64(year.firstDay.day)] == [day.year, 1, 1])
  }

  @Test func dateIsTheFirstMomentInTheTimeZone() throws {
    let date = CalendarDay(daysSince1970: 20_780).date(in: vienna)
    #expect(date.formatted(.iso8601) == "2026-11-22T23:00:00Z")
    #expect(vienna.day(of: Timestamp(date)) == CalendarDay(daysSince1970: 20_780))
    #expect(CalendarWeek(of: CalendarDay(daysSince1970: 20_782)).date(in: vienna) == date)
    #expect(CalendarMonth(number: 2026 * 12 + 6).date(in: vienna).formatted(.iso8601) == "2026-06-30T22:00:00Z")
    #expect(CalendarYear(number: 2026).date(in: vienna).formatted(.iso8601) == "2025-12-31T23:00:00Z")
  }

  @Test(arguments: [Int64.min, .max])
  func numberOutOfTimeGivesTheNearestDate(number: Int64) {
    let day = CalendarDay(daysSince1970: number).date(in: vienna)
    #expect(day == Date(Timestamp(millisecondsSince1970: number)))
    #expect(CalendarMonth(number: number).date(in: vienna) == day)
    #expect(CalendarYear(number: number).date(in: vienna) == day)
  }
}
