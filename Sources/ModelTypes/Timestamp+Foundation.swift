// Converts times between the runtime and Foundation, for apps whose other code uses `Date`.

public import Foundation
public import WireFormat

extension Timestamp {
  /// Rounds to the nearest millisecond, so that a timestamp comes back from a `Date` unchanged. A date that does not
  /// fit gives the first or the last timestamp.
  public init(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    self.init(millisecondsSince1970: Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
  }
}

extension Date {
  public init(_ time: Timestamp) { self.init(timeIntervalSince1970: Double(time.millisecondsSince1970) / 1_000) }
}
