// Dates as cameras and people write them: EXIF's form, ISO 8601, and forms between them.
import Foundation

extension LocalTime {
  /// Parses texts like `2026:05:17 18:03:59`, `2026-05-17T18:03:59.25+02:00` and `2026-05-17 18:03`. Nil if the text is
  /// no date, or no possible one.
  ///
  /// `offset` and `fraction` are EXIF's tags beside the date, like `+02:00` and `25`. The text's own
  /// count more.
  public init?(text: String, offset: String? = nil, fraction: String? = nil) {
    let date =
      #/
      (?<year>[0-9]{4}) [-:\/.] \s?(?<month>[0-9]{1,2}) [-:\/.] \s?(?<day>[0-9]{1,2}) [Tt\s]+
      (?<hour>[0-9]{1,2}) [:.] \s?(?<minute>[0-9]{1,2}) (?:[:.] \s?(?<second>[0-9]{1,2}) (?:[.,] (?<fraction>[0-9]+))?)?
      \s* (?<rest>[^0-9:.].*)?
      /#
    // No date is longer; a long text could keep the expression busy.
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.utf8.count <= 64, let match = text.wholeMatch(of: date) else { return nil }
    let parts = match.output
    guard let year = Int(parts.year), let month = Int(parts.month), let day = Int(parts.day),
      let hour = Int(parts.hour), let minute = Int(parts.minute), let second = Int(parts.second ?? "0")
    else { return nil }
    self.init(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      milliseconds: Self.milliseconds(parts.fraction.map(String.init) ?? fraction),
      utcOffsetMinutes: parts.rest.flatMap { Self.utcOffsetMinutes(String($0)) }
        ?? offset.flatMap { Self.utcOffsetMinutes($0) })
  }

  /// Parses the digits behind a second's point. `25` is a quarter of a second.
  static func milliseconds(_ fraction: String?) -> Int {
    let digits = (fraction ?? "").trimmingCharacters(in: .whitespaces)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
    return Int(digits.padding(toLength: 3, withPad: "0", startingAt: 0)) ?? 0
  }

  /// Parses `Z`, `+02:00`, `+0200` and `+2`. Nil if no place's clock is that far from UTC.
  static func utcOffsetMinutes(_ text: String) -> Int32? {
    let text = text.trimmingCharacters(in: .whitespaces)
    if text.uppercased() == "Z" { return 0 }
    guard let parts = text.wholeMatch(of: #/([+-])([0-9]{1,2})(?::?([0-9]{2}))?/#)?.output,
      let hours = Int32(parts.2), let minutes = Int32(parts.3 ?? "0"), minutes < 60, hours * 60 + minutes <= 14 * 60
    else { return nil }
    return (parts.1 == "-" ? -1 : 1) * (hours * 60 + minutes)
  }
}
