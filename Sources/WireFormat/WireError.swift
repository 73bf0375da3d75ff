// The error that reading bytes throws.

/// Bytes that are not a message of the blob format, or that exceed a limit.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of mistake, for a program.
  public var code: Code
  /// The offset in the message, in bytes. Inside a nested message it counts from the start of that message.
  public var offset: Int

  /// For tests of code that handles such errors.
  public init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }

  /// The mistake that was found in the bytes.
  public enum Code: Hashable, Sendable {
    /// A record ends past the end of its message.
    case truncated
    /// A varint longer than 10 bytes.
    case overlongVarint
    /// A tag that is 0 or above 536,870,911.
    case invalidTag
    /// A wire type of 3, 4, 6 or 7.
    case invalidWireType
    /// A string whose bytes are not UTF-8.
    case invalidUTF8
    /// An id, uuid or hash of another length, or a packed list whose length is no multiple of its elements'.
    case invalidLength
    /// Messages nested deeper than `WireLimits.maximumDepth`.
    case tooDeep
    /// A message larger than its limit, or structs in lists that take more than `WireLimits.maximumElementBytes` of
    /// memory.
    case tooLarge
    /// A patch that is not canonical or contradicts itself, or a change that the format does not allow.
    case invalidPatch
  }

  public var description: String { "\(code) at byte \(offset)" }
}

/// The most that a message may cost. Checked before memory is allocated.
public enum WireLimits {
  /// 16 MiB.
  public static let maximumBytes = 16 << 20
  /// 128 MiB: the memory that the structs in the lists of one blob may take.
  public static let maximumElementBytes = 128 << 20
  /// How deep messages may be nested.
  public static let maximumDepth = 100
  /// 2²⁹ − 1.
  public static let maximumTag = 536_870_911
}
