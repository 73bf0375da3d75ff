// The two numbers in front of every record: its tag, and how to find its end.

/// How a record's value ends (protobuf wire format); groups (3, 4) are not part of the blob format.
@frozen
public enum WireType: UInt8, Sendable {
  case varint = 0
  case fixed64 = 1
  case length = 2
  case fixed32 = 5
}

/// The numbers that name fields inside a message.
public enum WireTag {
  /// 1 … 536,870,911; a schema leaves out 19,000–19,999, the bytes do not.
  public static let range = 1...WireLimits.maximumTag
}
