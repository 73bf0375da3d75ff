// Encodes as one key several values, or a value that is no number.

/// Writes values one after the other, so that the bytes sort as the values do.
///
/// The first value decides, then the second. The encoding follows FoundationDB's tuple layer: a marker (1, or 255 for
/// null), then the value. A text ends with a zero, and a zero inside it is followed by 255. Descending values are
/// inverted, but their markers are not, so nulls stay last.
public struct KeyBytes: Sendable {
  public private(set) var bytes: [UInt8] = []

  public init() {}

  /// The key of all values so far. Only its first `ListKey.maximumLength` bytes count.
  public var key: ListKey { .bytes(bytes) }

  /// Appends a null, which sorts after all values, ascending and descending.
  public mutating func appendNull() { bytes.append(0xFF) }

  /// Appends a date, a day or a whole number.
  public mutating func append(_ value: Int64, descending: Bool = false) {
    append(value.ordered, descending: descending)
  }

  /// Appends an unsigned number, or one that stands for another value and sorts as that value does.
  public mutating func append(_ value: UInt64, descending: Bool = false) {
    let written = descending ? ~value : value
    bytes.append(1)
    for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: written >> shift)) }
  }

  /// Appends a number in IEEE 754 total order: −0 sorts before 0, a NaN by its sign.
  public mutating func append(_ value: Double, descending: Bool = false) {
    append(value.ordered, descending: descending)
  }

  /// Appends the folded UTF-8 of a text, or the bytes of an id.
  public mutating func append(_ text: some Sequence<UInt8>, descending: Bool = false) {
    let mask: UInt8 = descending ? 0xFF : 0
    bytes.append(1)
    for byte in text {
      bytes.append(byte ^ mask)
      if byte == 0 { bytes.append(0xFF ^ mask) }
    }
    bytes.append(mask)
  }
}
