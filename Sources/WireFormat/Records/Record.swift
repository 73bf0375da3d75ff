// One field of a message in its encoded form: everything that can be known without a schema.

/// Where a record begins, where its value lies, and what its key says; offsets count from the start of the message.
@frozen
package struct Record: Sendable {
  package var tag: Int
  package var wireType: WireType
  /// The offset of the key.
  package var start: Int
  /// The value, without the length in front of it.
  package var value: Range<Int>
  /// Whether the key and the length take as few bytes as possible.
  package var isShortest: Bool

  /// The range of the key, the length and the value.
  @inlinable package var range: Range<Int> { start..<value.upperBound }
}
