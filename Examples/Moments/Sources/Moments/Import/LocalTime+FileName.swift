// Dates in the names of files, as phones and messengers write them.
import Foundation

extension LocalTime {
  /// Finds a date in a name like `IMG_20260517_180359.jpg`, `IMG-20260517-WA0001.jpg` or
  /// `Photo 2026-05-17 at 18.03.59.jpg`. Noon stands for an absent or impossible time of day.
  init?(fileName: String) {
    let date =
      #/
      (?:^|[^0-9]) (?<year>(?:18|19|20)[0-9]{2}) (?<separator>[-_.:\ ]?) (?<month>[0-9]{2}) \k<separator>
      (?<day>[0-9]{2})
      (?: (?:[-_.T\ ]|\ at\ |) (?<hour>[0-9]{2}) (?<colon>[-_.:\ ]?) (?<minute>[0-9]{2}) \k<colon>
        (?<second>[0-9]{2}) (?<fraction>[0-9]{3})? )?
      (?![0-9])
      /#
    for match in fileName.matches(of: date) {
      let parts = match.output
      let numbers = [parts.year, parts.month, parts.day].compactMap { Int($0) }
      let clock = [parts.hour, parts.minute, parts.second].compactMap { $0.flatMap { Int($0) } }
      let fraction = Self.milliseconds(parts.fraction.map(String.init))
      guard let time = Self(numbers, clock, milliseconds: fraction) ?? Self(numbers, [12, 0, 0]) else { continue }
      self = time
      return
    }
    return nil
  }

  private init?(_ date: [Int], _ clock: [Int], milliseconds: Int = 0) {
    guard date.count == 3, clock.count == 3 else { return nil }
    self.init(
      year: date[0], month: date[1], day: date[2], hour: clock[0], minute: clock[1], second: clock[2],
      milliseconds: milliseconds, utcOffsetMinutes: nil)
  }
}
