// A moment in time, plain old data.

/// Milliseconds since 1970-01-01T00:00:00Z; negative before.
@frozen
public struct Timestamp: Hashable, Sendable, Comparable {
  /// Without leap seconds, as Unix counts.
  public var millisecondsSince1970: Int64

  /// The moment so many milliseconds after the beginning of 1970 in UTC; a negative number counts back.
  @inlinable
  public init(millisecondsSince1970: Int64) {
    self.millisecondsSince1970 = millisecondsSince1970
  }

  /// 1970-01-01T00:00:00Z.
  @inlinable public static var zero: Self { Self(millisecondsSince1970: 0) }

  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    left.millisecondsSince1970 < right.millisecondsSince1970
  }
}
