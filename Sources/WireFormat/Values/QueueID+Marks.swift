// The marks by which derived ids of queues are told from random ones, and from each other.

extension ObjectID<ObjectQueue> {
  /// This id with the text `home` as its first four bytes, which mark the id of a user's home queue.
  ///
  /// Everybody who knows a user can compute the id of the user's home queue. So a server lets only that user create a
  /// queue with a marked id.
  package var markedAsHome: Self {
    Self(UUIDValue(high: Self.homeMark << 32 | rawValue.high & 0xFFFF_FFFF, low: rawValue.low))
  }

  /// Whether this can only be the id of a home queue: it has version 8, and the mark.
  package var isMarkedAsHome: Bool { rawValue.high >> 32 == Self.homeMark && rawValue.isVersion8 }

  /// The text `home`.
  private static var homeMark: UInt64 { 0x686F_6D65 }

  /// This id with 1 as its first bit, which is the mark of a queue with an identity. The text `home` begins with 0.
  package var markedAsDerived: Self {
    Self(UUIDValue(high: rawValue.high | Self.derivedMark, low: rawValue.low))
  }

  /// Whether this can only be the id of a queue with an identity: it has version 8, and the mark.
  package var isDerived: Bool { rawValue.high & Self.derivedMark != 0 && rawValue.isVersion8 }

  private static var derivedMark: UInt64 { 1 << 63 }
}

extension UUIDValue {
  fileprivate var isVersion8: Bool { high & 0xF000 == 0x8000 }
}
