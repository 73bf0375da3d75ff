// 16 bytes as two words: the raw form of every id. Plain old data.

/// A 128-bit identifier (RFC 9562), ordered by its bytes.
@frozen
public struct UUIDValue: Hashable, Sendable, Comparable {
  /// The first 8 bytes, big-endian; `low` has the last 8. So the numbers compare as the bytes do.
  public var high: UInt64
  /// The last 8 bytes, big-endian.
  public var low: UInt64

  /// Any 16 bytes; no version or variant of RFC 9562 is set. `random()` makes a new id.
  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// 16 zero bytes: the value of a required field that is absent.
  @inlinable public static var zero: Self { Self(high: 0, low: 0) }

  /// Whether it has the form of a random UUID (RFC 9562), as every queue's id has, except those of home queues.
  public var isVersion4: Bool { high & 0xF000 == 0x4000 && low >> 62 == 2 }

  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
