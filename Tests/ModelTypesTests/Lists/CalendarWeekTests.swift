// Weeks in a time zone, compared with Foundation's calendar, and at the limits of timestamps.

import Foundation
import ModelTypes
import Snapshots
import TestSupport
import Testing
import WireFormat

@Suite struct CalendarWeekTests {
  private static func time(_ text: String) throws -> Timestamp {
    let date = try Date(text, strategy: .iso8601)
    return Timestamp(millisecondsSince1970: Int64((date.timeIntervalSince1970 * 1_000).rounded()))
  }

  private static func calendar(_ zone: String, _ first: CalendarWeekday = .monday) throws -> ListCalendar {
    ListCalendar(timeZone: try #require(TimeZone(identifier: zone)), firstWeekday: first)
  }

  @Test(
    arguments: [
      // Over the end of a year, in both directions.
      ("2025-12-31T12:00:00Z", "UTC", .monday, "2025-12-29/2026-01-04"),
      ("2026-01-04T23:59:59Z", "UTC", .monday, "2025-12-29/2026-01-04"),
      ("2026-01-05T00:00:00Z", "UTC", .monday, "2026-01-05/2026-01-11"),
      ("2026-01-04T00:00:00Z", "UTC", .sunday, "2026-01-04/2026-01-10"),
      ("2026-01-03T23:59:59Z", "UTC", .sunday, "2025-12-28/2026-01-03"),
      ("2026-01-03T00:00:00Z", "UTC", .saturday, "2026-01-03/2026-01-09"),
      // Before 1970, and a leap day.
      ("1969-12-31T23:59:59Z", "UTC", .monday, "1969-12-29/1970-01-04"),
      ("1969-12-28T23:59:59Z", "UTC", .monday, "1969-12-22/1969-12-28"),
      ("2024-02-29T00:00:00Z", "UTC", .monday, "2024-02-26/2024-03-03"),
      // The nights in which summer time begins and ends. The week ends at midnight in the time zone.
      ("2026-03-29T21:59:59Z", "Europe/Berlin", .monday, "2026-03-23/2026-03-29"),
      ("2026-03-29T22:00:00Z", "Europe/Berlin", .monday, "2026-03-30/2026-04-05"),
      ("2026-10-25T22:59:59Z", "Europe/Berlin", .monday, "2026-10-19/2026-10-25"),
      ("2026-10-25T23:00:00Z", "Europe/Berlin", .monday, "2026-10-26/2026-11-01"),
    ] as [(String, String, CalendarWeekday, String)])
  func findsWeekOfTime(time: String, zone: String, first: CalendarWeekday, expected: String) throws {
    #expect(try Self.calendar(zone, first).week(of: Self.time(time)).description == expected)
  }

  @Test(arguments: ["UTC", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia", "Europe/London"])
  func weeksAreThoseOfFoundation(zone: String) throws {
    let seed = UInt64(zone.utf8.count)
    var random = SeededRandom(seed: seed)
    for _ in 0..<400 {
      // Years 1800 to 2200.
      let time = Timestamp(millisecondsSince1970: .random(in: -5_364_662_400_000...7_258_118_400_000, using: &random))
      let first = random.pick(CalendarWeekday.allCases)
      var plain = Calendar(identifier: .gregorian)
      plain.timeZone = try #require(TimeZone(identifier: zone))
      plain.firstWeekday = first.rawValue % 7 + 1
      let date = Date(timeIntervalSince1970: Double(time.millisecondsSince1970) / 1_000)
      let start = try #require(plain.dateInterval(of: .weekOfYear, for: date)).start
      let parts = plain.dateComponents([.year, .month, .day], from: start)
      let expected = try "\(#require(parts.year)) \(#require(parts.month)) \(#require(parts.day))"
      let day = try Self.calendar(zone, first).week(of: time).firstDay
      #expect("\(day.year) \(day.month) \(day.day)" == expected, "seed \(seed), \(time), from \(first)")
    }
  }

  @Test(arguments: CalendarWeekday.allCases) func extremeTimesHaveAWeek(first: CalendarWeekday) throws {
    for milliseconds in [Int64.min, Int64.min + 1, -1, 0, 1, Int64.max - 1, Int64.max] {
      let calendar = try Self.calendar("UTC", first)
      let time = Timestamp(millisecondsSince1970: milliseconds)
      let (week, day) = (calendar.week(of: time), calendar.day(of: time))
      #expect(week.firstDay.weekday == first && (week.firstDay...week.lastDay).contains(day))
      #expect(CalendarWeek(.ascending(week), isDescending: false) == week)
      #expect(CalendarWeek(.descending(week), isDescending: true) == week)
    }
  }

  @Test func weeksCompareByTheirFirstDays() {
    let days = (-20...20).map { CalendarDay(daysSince1970: $0) }
    let weeks = days.map { CalendarWeek(of: $0) }
    #expect(weeks == weeks.sorted() && Set(weeks).count == 7)
    #expect(CalendarDay(daysSince1970: 0).weekday == .thursday)
  }

  @Test func calendarsWithOtherFirstWeekdaysDiffer() throws {
    let (monday, sunday) = (try Self.calendar("UTC"), try Self.calendar("UTC", .sunday))
    #expect(monday != sunday && monday == ListCalendar(timeZone: monday.timeZone))
    #expect(ListCalendar.current.firstWeekday.rawValue % 7 + 1 == Calendar.current.firstWeekday)
  }
}
