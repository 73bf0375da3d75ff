// Several values as one key, or a value that is no number.

/// Writes values one after the other, so that the bytes compare as the values do.
///
/// The first value decides, then the second. The encoding is that of FoundationDB's tuple layer: a marker, then the
/// value; text ends with a zero, and a zero inside it is followed by 255. Descending values are written inverted behind
/// their marker, so nulls stay last.
public struct KeyBytes: Sendable {
  public private(set) var bytes: [UInt8] = []

  public init() {}

  /// The key of all values so far; of its bytes only the first `ListKey.maximumLength` count.
  public var key: ListKey { .bytes(bytes) }

  /// No value: after all others, ascending and descending.
  public mutating func appendNull() { bytes.append(0xFF) }

  /// A date, a day, a whole number.
  public mutating func append(_ value: Int64, descending: Bool = false) {
    append(value.ordered, descending: descending)
  }

  /// A number without a sign, or one that stands for a value and compares as it does.
  public mutating func append(_ value: UInt64, descending: Bool = false) {
    let written = descending ? ~value : value
    bytes.append(1)
    for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: written >> shift)) }
  }

  /// IEEE 754 total order, so −0 before 0; a NaN is sorted by its sign.
  public mutating func append(_ value: Double, descending: Bool = false) {
    append(value.ordered, descending: descending)
  }

  /// A text's folded UTF-8, or the bytes of an id.
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
