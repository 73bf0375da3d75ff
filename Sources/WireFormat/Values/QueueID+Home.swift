// The mark by which ids of home queues are told from all others.

extension ObjectID<ObjectQueue> {
  /// This id with the text `home` as its first four bytes, which mark the id of a user's home queue.
  ///
  /// Everybody who knows a user can compute the id of the user's home queue. So a server lets only that user create a
  /// queue with a marked id.
  package var markedAsHome: Self {
    Self(UUIDValue(high: Self.homeMark << 32 | rawValue.high & 0xFFFF_FFFF, low: rawValue.low))
  }

  /// Whether this can only be the id of a home queue: it has version 8, and the mark.
  package var isMarkedAsHome: Bool { rawValue.high >> 32 == Self.homeMark && rawValue.high & 0xF000 == 0x8000 }

  /// The text `home`.
  private static var homeMark: UInt64 { 0x686F_6D65 }
}
