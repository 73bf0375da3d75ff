// Ids of home queues can be told from all others.

extension UUIDValue {
  /// A derived id whose first four bytes are `home`: that of a user's home queue.
  ///
  /// Who knows a user can compute this id, so a server lets nobody else make a queue with one like it; it can because
  /// it sees the mark.
  public var markedAsHome: Self { Self(high: Self.homeMark << 32 | high & 0xFFFF_FFFF, low: low) }

  /// Whether it can only be the id of a home queue: version 8, and the mark.
  public var isMarkedAsHome: Bool { high >> 32 == Self.homeMark && high & 0xF000 == 0x8000 }

  /// The text `home`.
  private static let homeMark: UInt64 = 0x686F_6D65
}
