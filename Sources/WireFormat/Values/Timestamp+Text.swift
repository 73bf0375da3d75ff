// A moment as ISO 8601 text, in UTC, without Foundation.

extension Timestamp: CustomStringConvertible {
  /// `2026-01-31T08:05:09.250Z`, in the proleptic Gregorian calendar; every Int64 has a text.
  ///
  /// A year outside 0 … 9999 has a sign and at least six digits: `-000001-12-31T…`, `+292278994-08-17T…`.
  public var description: String {
    let day = Self.floorDivide(millisecondsSince1970, 86_400_000)
    let date = Self.date(ofDay: day.quotient)
    let time = day.remainder
    let clock = [(time / 3_600_000, 2), (time / 60_000 % 60, 2), (time / 1000 % 60, 2)]
      .map { Self.padded($0.0, to: $0.1) }.joined(separator: ":")
    let calendar = "\(Self.text(ofYear: date.year))-\(Self.padded(date.month, to: 2))-\(Self.padded(date.day, to: 2))"
    return "\(calendar)T\(clock).\(Self.padded(time % 1000, to: 3))Z"
  }

  /// The civil date of a day since 1970-01-01, from eras of 400 years that begin in March
  /// (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floorDivide(day + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfMonth)
  }

  private static func text(ofYear year: Int64) -> String {
    if (0...9999).contains(year) { return padded(year, to: 4) }
    return (year < 0 ? "-" : "+") + padded(abs(year), to: 6)
  }

  private static func padded(_ number: Int64, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Rounds towards the past, so that the remainder is never negative.
  private static func floorDivide(_ dividend: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
