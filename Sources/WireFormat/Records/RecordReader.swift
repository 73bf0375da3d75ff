// Splits bytes into records. Every read is checked against the end of the bytes.

/// Walks over the records of one message. Never reads past its end, and allocates nothing.
package struct RecordReader {
  /// All given bytes, even if only a part of them is read.
  package let bytes: UnsafeRawBufferPointer
  /// The offset of the next record.
  package private(set) var offset: Int
  private let end: Int

  /// `bytes` must outlive the reader.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.init(bytes, in: 0..<bytes.count)
  }

  /// Reads the records in one part of the bytes. Offsets count from the start of all bytes.
  package init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "a part lies inside its bytes")
    self.bytes = bytes
    offset = range.lowerBound
    end = range.upperBound
  }

  /// The next record, or nil at the end.
  ///
  /// Throws `truncated`, `overlongVarint`, `invalidTag` or `invalidWireType`, at the byte where the record or the
  /// number begins.
  package mutating func next() throws(WireError) -> Record? {
    guard offset < end else { return nil }
    let start = offset
    let key = try varint()
    guard key.value >> 3 >= 1, key.value >> 3 <= UInt64(WireLimits.maximumTag) else {
      throw WireError(.invalidTag, at: start)
    }
    guard let wireType = WireType(rawValue: UInt8(truncatingIfNeeded: key.value & 7)) else {
      throw WireError(.invalidWireType, at: start)
    }
    var isShortest = key.isShortest
    let valueStart: Int
    switch wireType {
    case .varint:
      valueStart = offset
      _ = try varint()
    case .fixed64:
      valueStart = offset
      try skip(8, from: start)
    case .fixed32:
      valueStart = offset
      try skip(4, from: start)
    case .length:
      let length = try varint()
      isShortest = isShortest && length.isShortest
      valueStart = offset
      try skip(length.value, from: start)
    }
    return Record(
      tag: Int(key.value >> 3), wireType: wireType, start: start, value: valueStart..<offset, isShortest: isShortest)
  }

  /// The number in a record with wire type 0 that `next` has returned.
  package func number(_ record: Record) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    for index in record.value {
      value |= UInt64(bytes[index] & 0x7F) &<< shift
      shift += 7
    }
    return value
  }

  /// Whether the record has no number, or one that takes as few bytes as possible.
  func isShortestNumber(_ record: Record) throws(WireError) -> Bool {
    guard record.wireType == .varint else { return true }
    var reader = RecordReader(bytes, in: record.value)
    return try reader.varint().isShortest
  }

  /// The number at `offset`, modulo 2⁶⁴, and whether it takes as few bytes as possible.
  package mutating func varint() throws(WireError) -> (value: UInt64, isShortest: Bool) {
    let start = offset
    guard start < end else { throw WireError(.truncated, at: start) }
    let first = bytes[start]
    if first < 0x80 {
      offset = start + 1
      return (UInt64(first), true)
    }
    var value = UInt64(first & 0x7F)
    for index in 1..<10 {
      guard start + index < end else { throw WireError(.truncated, at: start) }
      let byte = bytes[start + index]
      value |= UInt64(byte & 0x7F) &<< UInt64(7 * index)
      if byte < 0x80 {
        offset = start + index + 1
        // The tenth byte has room for one bit only.
        return (value, byte != 0 && (index < 9 || byte == 1))
      }
    }
    throw WireError(.overlongVarint, at: start)
  }

  /// Compares before it converts, because a length may be any 64-bit number.
  private mutating func skip(_ count: UInt64, from start: Int) throws(WireError) {
    guard count <= UInt64(end - offset) else { throw WireError(.truncated, at: start) }
    offset += Int(count)
  }
}
