// `$now` and `$today` in conditions of lists. Comparing a time with one gives the moments at which the comparison
// holds.

public import WireFormat

/// A time that moves on: the present moment, or the beginning of today.
///
/// It never goes back, so once it has passed a time it stays past it. The last millisecond of a timestamp stands for
/// never.
public enum ListClock: Sendable {
  case now
  case today(ListCalendar)

  /// Holds from the first moment at which the clock shows a later time.
  public static func < (time: Timestamp, clock: Self) -> ListTermMoments { .since(clock.moment(behind: time)) }
  /// Holds from the first moment at which the clock shows this time or a later one.
  public static func <= (time: Timestamp, clock: Self) -> ListTermMoments { .since(clock.moment(at: time)) }
  /// Holds until the clock shows this time or a later one.
  public static func > (time: Timestamp, clock: Self) -> ListTermMoments { .before(clock.moment(at: time)) }
  /// Holds until the clock shows a later time.
  public static func >= (time: Timestamp, clock: Self) -> ListTermMoments { .before(clock.moment(behind: time)) }

  /// The first moment at which the clock shows this time or a later one.
  private func moment(at time: Timestamp) -> Int64 {
    switch self {
    case .now: time.millisecondsSince1970
    case .today(let calendar): calendar.firstDayBeginning(from: time).millisecondsSince1970
    }
  }

  /// The first moment at which the clock shows a later time.
  private func moment(behind time: Timestamp) -> Int64 {
    let time = time.millisecondsSince1970
    return time == .max ? .max : moment(at: Timestamp(millisecondsSince1970: time + 1))
  }
}

extension ListContext {
  /// `$now`: the present moment.
  public var now: ListClock { .now }
  /// `$today`: the beginning of today in the time zone of the calendar.
  public var today: ListClock { .today(calendar) }
}
