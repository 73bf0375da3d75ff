// `$now` and `$today`: what a time is compared with says at which moments that holds.

public import WireFormat

/// A time that goes on: the moment, or the moment at which today has begun.
///
/// It never goes back, so a time that it has reached is behind it for ever. The last millisecond that a timestamp can
/// name counts as never.
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
    case .today(let calendar): calendar.firstMidnight(from: time).millisecondsSince1970
    }
  }

  /// The first one at which it shows a later one.
  private func moment(behind time: Timestamp) -> Int64 {
    let time = time.millisecondsSince1970
    return time == .max ? .max : moment(at: Timestamp(millisecondsSince1970: time + 1))
  }
}

extension ListContext {
  /// `$now`: the moment.
  public var now: ListClock { .now }
  /// `$today`: the moment at which today has begun, in the time zone of the calendar.
  public var today: ListClock { .today(calendar) }
}
