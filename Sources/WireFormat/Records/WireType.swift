// The two numbers in a record's key: its tag and its wire type.

/// How the end of a record's value is found (protobuf wire format). Groups (3, 4) are not part of the blob format.
@frozen
public enum WireType: UInt8, Sendable {
  case varint = 0
  case fixed64 = 1
  case length = 2
  case fixed32 = 5
}

/// The numbers that name fields inside a message.
public enum WireTag {
  /// 1 … 536,870,911. A schema leaves out 19,000–19,999, but the bytes may have them.
  public static let range = 1...WireLimits.maximumTag
}
