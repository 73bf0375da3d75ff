// Seeded random numbers, so that a failure can be repeated. Every random test prints the seed it used.

/// SplitMix64: small, good enough, and the same everywhere.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, not including, the bound.
  public mutating func below<Bound: FixedWidthInteger>(_ bound: Bound) -> Bound { Bound(next() % UInt64(bound)) }

  public mutating func chance(_ percent: UInt64) -> Bool { below(100) < percent }

  /// One of the elements. The collection must not be empty.
  public mutating func pick<Elements: RandomAccessCollection>(_ elements: Elements) -> Elements.Element {
    elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
  }
}
