// The one error that reading bytes can end with.

/// Bytes that are not a message of the blob format, or that exceed a limit.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
  public var code: Code
  /// Where in the message that was read, in bytes; inside a nested message counted from its own start.
  public var offset: Int

  public init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }

  /// The mistake that was found in the bytes.
  public enum Code: Hashable, Sendable {
    /// A record ends behind the end of its message.
    case truncated
    /// A varint longer than 10 bytes.
    case overlongVarint
    /// 0, or above 536,870,911.
    case invalidTag
    /// 3, 4, 6 or 7.
    case invalidWireType
    case invalidUTF8
    /// An id, uuid or hash of another length, or a packed list whose bytes do not divide.
    case invalidLength
    /// Nested deeper than `WireLimits.maximumDepth`.
    case tooDeep
    /// Larger than `WireLimits.maximumBytes`, or a value larger than `WireLimits.maximumElementBytes` in memory.
    case tooLarge
    /// A patch whose parts contradict each other.
    case invalidPatch
  }

  public var description: String { "\(code) at byte \(offset)" }
}

/// The most that a message may cost; checked before anything is allocated.
public enum WireLimits {
  /// 16 MiB.
  public static let maximumBytes = 16 << 20
  /// 128 MiB: what the structs in the lists of one blob may take in memory.
  public static let maximumElementBytes = 128 << 20
  /// Levels of nested messages.
  public static let maximumDepth = 100
  /// 2²⁹ − 1.
  public static let maximumTag = 536_870_911
}
