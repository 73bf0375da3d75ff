// One field of a message in its encoded form: everything that can be known without a schema.

/// Where a record begins, where its value lies, and what its key says; offsets count from the start of the message.
@frozen
public struct Record: Sendable {
  public var tag: Int
  public var wireType: WireType
  /// The offset of the key.
  public var start: Int
  /// The value, without the length in front of it.
  public var value: Range<Int>
  /// Whether the key and the length take as few bytes as possible.
  public var isShortest: Bool

  /// The range of the key, the length and the value.
  @inlinable public var range: Range<Int> { start..<value.upperBound }
}
