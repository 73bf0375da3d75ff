// A length of time as people write it: 90s, 15m, 12h, 30d.

import ArgumentParser

struct Span: ExpressibleByArgument, Sendable, CustomStringConvertible {
  var milliseconds: Int64

  init(days: Int64) { milliseconds = days * 86_400_000 }

  init?(argument: String) {
    let units: [Character: Int64] = ["s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard let unit = argument.last.flatMap({ units[$0] }), let count = Int64(argument.dropLast()), count > 0 else {
      return nil
    }
    let (milliseconds, isTooLong) = count.multipliedReportingOverflow(by: unit)
    // A thousand years: sums of times stay far from the end of their numbers.
    guard !isTooLong, milliseconds <= 365_000 * 86_400_000 else { return nil }
    self.milliseconds = milliseconds
  }

  var description: String {
    for (unit, length) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000)] as [(String, Int64)]
    where milliseconds % length == 0 { return "\(milliseconds / length)\(unit)" }
    return "\(milliseconds / 1_000)s"
  }

  var defaultValueDescription: String { description }
}
