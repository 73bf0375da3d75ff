// The mark by which ids of home queues are told from all others.

extension UUIDValue {
  /// This id with the text `home` as its first four bytes, which mark the id of a user's home queue.
  ///
  /// Everybody who knows a user can compute the id of the user's home queue. So a server lets only that user create a
  /// queue with a marked id.
  public var markedAsHome: Self { Self(high: Self.homeMark << 32 | high & 0xFFFF_FFFF, low: low) }

  /// Whether this can only be the id of a home queue: it has version 8, and the mark.
  public var isMarkedAsHome: Bool { high >> 32 == Self.homeMark && high & 0xF000 == 0x8000 }

  /// The text `home`.
  private static let homeMark: UInt64 = 0x686F_6D65
}
