// The name of a file: the SHA-256 of its bytes.

/// A SHA-256 as four words, each read from its bytes in big-endian order, so that words compare as the bytes do.
@frozen
public struct ContentHash: Hashable, Sendable, Comparable {
  /// The first 8 bytes are in the first word, the last 8 in the fourth.
  public var words: (UInt64, UInt64, UInt64, UInt64)

  /// For a hash at hand as words; `init(bytes:)` takes 32 bytes, and `init(_:)` hexadecimal digits.
  @inlinable
  public init(words: (UInt64, UInt64, UInt64, UInt64)) {
    self.words = words
  }

  /// 32 zero bytes, which stand for an absent hash.
  @inlinable public static var zero: Self { Self(words: (0, 0, 0, 0)) }

  @inlinable
  public static func == (left: Self, right: Self) -> Bool {
    left.words == right.words
  }

  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    left.words < right.words
  }

  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
    hasher.combine(words.2)
    hasher.combine(words.3)
  }
}
