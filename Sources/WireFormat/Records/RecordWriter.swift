// Writes records in canonical form, as far as one record goes: shortest keys, lengths and numbers.

/// Appends records to a growing array. The caller must write them by ascending tags.
package struct RecordWriter {
  package private(set) var bytes: [UInt8]

  /// Reserves room for `capacity` bytes.
  package init(capacity: Int = 0) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// A number in 1 to 10 bytes.
  package mutating func varint(_ tag: Int, _ value: UInt64) {
    key(tag, .varint)
    append(varint: value)
  }

  /// Two's complement: a negative number takes 10 bytes.
  package mutating func varint(_ tag: Int, _ value: Int64) {
    varint(tag, UInt64(bitPattern: value))
  }

  /// A `counter`: zigzag, so that small negative numbers are short.
  package mutating func zigzag(_ tag: Int, _ value: Int64) {
    varint(tag, Zigzag.encode(value))
  }

  /// 4 bytes, the lowest first.
  package mutating func fixed32(_ tag: Int, _ value: UInt32) {
    key(tag, .fixed32)
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// 8 bytes, the lowest first.
  package mutating func fixed64(_ tag: Int, _ value: UInt64) {
    key(tag, .fixed64)
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Any bytes, preceded by their count.
  package mutating func length(_ tag: Int, _ value: some Collection<UInt8>) {
    key(tag, .length)
    append(varint: UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  /// The UTF-8 of a text, preceded by its count of bytes.
  package mutating func string(_ tag: Int, _ value: String) {
    length(tag, value.utf8)
  }

  /// 16 bytes, in the order of the text form.
  package mutating func uuid(_ tag: Int, _ value: UUIDValue) {
    key(tag, .length)
    append(varint: 16)
    append(bigEndian: value.high)
    append(bigEndian: value.low)
  }

  /// 32 bytes, in the order of the text form.
  package mutating func hash(_ tag: Int, _ value: ContentHash) {
    key(tag, .length)
    append(varint: 32)
    append(bigEndian: value.words.0)
    append(bigEndian: value.words.1)
    append(bigEndian: value.words.2)
    append(bigEndian: value.words.3)
  }

  /// Appends bytes that are records already.
  mutating func append(records: some Collection<UInt8>) {
    bytes.append(contentsOf: records)
  }

  mutating func key(_ tag: Int, _ wireType: WireType) {
    precondition(WireTag.range.contains(tag), "a tag is 1 … 536,870,911")
    append(varint: UInt64(tag) << 3 | UInt64(wireType.rawValue))
  }

  mutating func append(varint value: UInt64) {
    var rest = value
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  private mutating func append(bigEndian word: UInt64) {
    withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
  }
}

/// Maps signed numbers to unsigned ones, so that numbers near 0 stay small: 0, -1, 1, -2 → 0, 1, 2, 3.
package enum Zigzag {
  package static func encode(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: value << 1 ^ value >> 63)
  }

  package static func decode(_ encoded: UInt64) -> Int64 {
    Int64(bitPattern: encoded >> 1) ^ -Int64(bitPattern: encoded & 1)
  }
}
