// Ids of home queues can be told from all others.

extension UUIDValue {
  /// A derived id whose first four bytes are `home`: that of a user's home queue.
  ///
  /// Everybody who knows a user can compute this id. So a server lets only that user make a queue with an id that has
  /// the mark.
  public var markedAsHome: Self { Self(high: Self.homeMark << 32 | high & 0xFFFF_FFFF, low: low) }

  /// Whether it can only be the id of a home queue: version 8, and the mark.
  public var isMarkedAsHome: Bool { high >> 32 == Self.homeMark && high & 0xF000 == 0x8000 }

  /// The text `home`.
  private static let homeMark: UInt64 = 0x686F_6D65
}
