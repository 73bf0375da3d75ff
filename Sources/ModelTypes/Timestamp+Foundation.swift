// Times between the runtime and Foundation, for apps whose other code speaks `Date`.

public import Foundation
public import WireFormat

extension Timestamp {
  /// The nearest millisecond, so that a timestamp is the same after a date; the first or last there is for a date beyond.
  public init(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    self.init(millisecondsSince1970: Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
  }
}

extension Date {
  public init(_ time: Timestamp) { self.init(timeIntervalSince1970: Double(time.millisecondsSince1970) / 1_000) }
}
