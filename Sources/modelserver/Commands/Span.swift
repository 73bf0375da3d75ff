// A length of time as people write it: 90s, 15m, 12h, 30d.

import ArgumentParser

struct Span: Sendable, CustomStringConvertible {
  var milliseconds: Int64

  init(days: Int64) { milliseconds = days * 86_400_000 }

  init(milliseconds: Int64) { self.milliseconds = milliseconds }

  init(text: String) throws {
    guard let span = Self(argument: text) else {
      throw ValidationError("a length of time is a number above 0 with its unit, as 5s, 10m, 1h or 30d.")
    }
    self = span
  }

  init?(argument: String) {
    let units: [Character: Int64] = ["s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard let unit = argument.last.flatMap({ units[$0] }), let count = Int64(argument.dropLast()), count > 0 else {
      return nil
    }
    let (milliseconds, isTooLong) = count.multipliedReportingOverflow(by: unit)
    // At most a thousand years, so that sums of times cannot overflow.
    guard !isTooLong, milliseconds <= 365_000 * 86_400_000 else { return nil }
    self.milliseconds = milliseconds
  }

  var description: String {
    for (unit, length) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000)] as [(String, Int64)]
    where milliseconds % length == 0 { return "\(milliseconds / length)\(unit)" }
    return "\(milliseconds / 1_000)s"
  }
}

extension Option where Value == Span {
  /// Reports a malformed span together with the right format, which an `ExpressibleByArgument` cannot.
  init(wrappedValue: Span, help: String) {
    self.init(wrappedValue: wrappedValue, help: "\(help) (default: \(wrappedValue))", transform: Span.init(text:))
  }
}
