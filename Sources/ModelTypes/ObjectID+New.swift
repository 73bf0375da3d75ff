// New ids: random where an object is one of a kind.

import Determinism
public import WireFormat

extension UUIDValue {
  /// A random UUID, version 4 (RFC 9562), from the environment's randomness.
  public static func random() -> Self {
    let environment = RuntimeEnvironment.current
    let high = environment.randomBits()
    let low = environment.randomBits()
    return Self(high: high, low: low).marked(version: 4)
  }

  /// With the version and the variant of RFC 9562 in their 6 bits.
  func marked(version: UInt64) -> Self {
    Self(
      high: high & ~0xF000 | version << 12,
      low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}

extension ObjectID {
  /// The id of a new object: a random UUID, version 4.
  public static func new() -> Self { Self(.random()) }
}
