// When comparisons with `$now` and `$today` hold, compared with Foundation's calendar and a plain comparison.

import Foundation
import ModelTypes
import TestSupport
import Testing
import WireFormat

@Suite struct ListClockTests {
  private static func time(_ text: String) throws -> Timestamp {
    let date = try Date(text, strategy: .iso8601)
    return Timestamp(millisecondsSince1970: Int64((date.timeIntervalSince1970 * 1_000).rounded()))
  }

  private static func calendar(_ zone: String) throws -> ListCalendar {
    ListCalendar(timeZone: try #require(TimeZone(identifier: zone)))
  }

  @Test(
    arguments: [
      ("Asia/Kathmandu", "2026-11-23", "2026-11-22T18:15:00Z"),
      ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z"),
      ("Europe/Berlin", "2026-03-30", "2026-03-29T22:00:00Z"),
      ("Europe/Berlin", "2026-10-26", "2026-10-25T23:00:00Z"),
      // Midnight is skipped, so the day begins at one.
      ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z"),
      // At midnight clocks go back to eleven, so the day begins an hour later.
      ("America/Sao_Paulo", "2018-02-18", "2018-02-18T03:00:00Z"),
      // At one clocks go back to midnight, so the day begins at the first of two midnights.
      ("America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"),
      // At one minute past midnight clocks go back to the day before.
      ("America/St_Johns", "2005-10-30", "2005-10-30T02:30:00Z"),
      // The 30th does not exist.
      ("Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00Z"),
      ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"),
      ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z"),
      ("Pacific/Apia", "2012-01-01", "2011-12-31T10:00:00Z"),
    ]) func findsBeginningOfDay(zone: String, day: String, expected: String) throws
  {
    let noon = try Self.time("\(day)T12:00:00Z").millisecondsSince1970
    let number = CalendarDay(daysSince1970: (noon - 43_200_000) / 86_400_000)
    #expect(number.description == day)
    #expect(try Self.calendar(zone).beginning(of: number) == Self.time(expected))
  }

  /// Whether a term holds at a moment, as a list asks it.
  private static func holds(_ term: ListTermMoments, at moment: Timestamp) -> Bool {
    var moments = ListMoments()
    moments.require(term)
    return moments.contains(moment.millisecondsSince1970)
  }

  private static func check(
    _ clock: ListClock, _ time: Timestamp, _ moment: Timestamp, shown: Timestamp, _ what: String
  ) {
    #expect(holds(time < clock, at: moment) == (time < shown), "\(what) <")
    #expect(holds(time <= clock, at: moment) == (time <= shown), "\(what) <=")
    #expect(holds(time > clock, at: moment) == (time > shown), "\(what) >")
    #expect(holds(time >= clock, at: moment) == (time >= shown), "\(what) >=")
  }

  @Test(arguments: [
    "UTC", "Europe/Berlin", "Asia/Kathmandu", "America/Sao_Paulo", "America/Havana", "Pacific/Apia",
    "Australia/Lord_Howe",
  ]) func comparisonWithClockEqualsPlainComparison(zone: String) throws {
    let seed = UInt64(zone.utf8.count)
    var random = SeededRandom(seed: seed)
    let calendar = try Self.calendar(zone)
    var plain = Calendar(identifier: .gregorian)
    plain.timeZone = calendar.timeZone
    for round in 0..<3_000 {
      let moment = Timestamp(millisecondsSince1970: .random(in: 0...2_000_000_000_000, using: &random))
      let start = plain.startOfDay(for: Date(timeIntervalSince1970: Double(moment.millisecondsSince1970) / 1_000))
      let today = Timestamp(millisecondsSince1970: Int64(start.timeIntervalSince1970 * 1_000))
      let nears = [moment, today, Timestamp(millisecondsSince1970: today.millisecondsSince1970 + 86_400_000)]
      let distance = random.pick([0, 1, -1, random.below(200_000_000), -random.below(Int64(200_000_000))])
      let time = Timestamp(millisecondsSince1970: random.pick(nears).millisecondsSince1970 + distance)
      let what = "seed \(seed), round \(round): \(time) at \(moment)"
      Self.check(.now, time, moment, shown: moment, "\(what), now")
      Self.check(.today(calendar), time, moment, shown: today, "\(what), today")
    }
  }

  @Test func dayStaysBegunWhenClocksGoBack() throws {
    let clock = ListClock.today(try Self.calendar("America/St_Johns"))
    let midnight = try Self.time("2005-10-30T02:30:00Z")
    for (moment, hasBegun) in [
      ("2005-10-30T02:29:59Z", false), ("2005-10-30T02:30:00Z", true), ("2005-10-30T02:45:00Z", true),
      ("2005-10-30T03:30:00Z", true),
    ] {
      #expect(Self.holds(midnight <= clock, at: try Self.time(moment)) == hasBegun, "\(moment)")
    }
    // Due in the hour that comes twice, so it is due today until the next midnight.
    let due = try Self.time("2005-10-30T02:45:00Z")
    #expect(Self.holds(due >= clock, at: try Self.time("2005-10-31T03:29:59Z")))
    #expect(!Self.holds(due >= clock, at: try Self.time("2005-10-31T03:30:00Z")))
  }

  @Test func clockComparesWithExtremeTimes() throws {
    let clocks = [ListClock.now, .today(try Self.calendar("Europe/Berlin"))]
    let now = try Self.time("2026-11-23T12:00:00Z")
    for (clock, (time, isPast)) in clocks.flatMap({ clock in
      [(Int64.min, true), (.min + 1, true), (.max - 1, false), (.max, false)].map { (clock, $0) }
    }) {
      let time = Timestamp(millisecondsSince1970: time)
      #expect(Self.holds(time < clock, at: now) == isPast && Self.holds(time <= clock, at: now) == isPast)
      #expect(Self.holds(time > clock, at: now) != isPast && Self.holds(time >= clock, at: now) != isPast)
    }
  }

  /// Terms of every kind, each of one or two half-lines of time. A moment is contained if it is in all terms.
  @Test(arguments: 1...200) func momentIsContainedIfAllTermsHold(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var moments = ListMoments()
    var terms: [(Int64) -> Bool] = []
    for _ in 0..<random.below(4) {
      let (time, other) = (random.below(Int64(20)), random.below(Int64(20)))
      var term = Timestamp(millisecondsSince1970: time) > .now
      switch random.below(4) {
      case 0: terms.append { time > $0 }
      case 1:
        term = Timestamp(millisecondsSince1970: time) <= .now
        terms.append { time <= $0 }
      case 2:
        term.formUnion(Timestamp(millisecondsSince1970: other) < .now)
        terms.append { time > $0 || other < $0 }
      default:
        term = .never
        let holds = random.chance(50)
        if holds { term.formUnion(.always) }
        terms.append { _ in holds }
      }
      moments.require(term)
    }
    let isIn = (Int64(0)..<24).map { moment in terms.allSatisfy { $0(moment) } }
    for moment in Int64(0)..<24 {
      #expect(moments.contains(moment) == isIn[Int(moment)], "seed \(seed), \(moment)")
      // Nothing changes until the next moment.
      let next = moments.next(after: moment) ?? 24
      #expect(next > moment, "seed \(seed)")
      for later in moment..<min(next, 24) { #expect(isIn[Int(later)] == isIn[Int(moment)], "seed \(seed), \(later)") }
    }
  }
}
