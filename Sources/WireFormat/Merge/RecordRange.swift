// A run of records of a message: the unit that the merge compares and copies.

/// Records that follow each other in `bytes`, at `range`. The code that makes a range keeps the bytes alive.
struct RecordRange {
  var bytes: UnsafeRawBufferPointer
  var range: Range<Int>

  static var none: Self { Self(bytes: UnsafeRawBufferPointer(start: nil, count: 0), range: 0..<0) }

  var isEmpty: Bool { range.isEmpty }

  func hasSameBytes(as other: Self) -> Bool {
    Element(bytes: bytes, wireType: .length, value: range)
      .order(to: Element(bytes: other.bytes, wireType: .length, value: other.range)) == .same
  }

  /// The value of the counter that these records hold: the last one of wire type 0. Returns 0 if there are no records,
  /// and nil if all have other wire types.
  func counter() throws(WireError) -> Int64? {
    var reader = RecordReader(bytes, in: range)
    var value: Int64? = isEmpty ? 0 : nil
    while let record = try reader.next() {
      if record.wireType == .varint { value = Zigzag.decode(reader.number(record)) }
    }
    return value
  }

  /// Whether the elements ascend, without duplicates.
  func isSortedSet() throws(WireError) -> Bool {
    var cursor = try ElementCursor(self)
    while let element = cursor.current {
      try cursor.advance()
      if let next = cursor.current, element.order(to: next) != .before { return false }
    }
    return true
  }

  /// Whether every number takes as few bytes as possible.
  func hasShortestNumbers() throws(WireError) -> Bool {
    var reader = RecordReader(bytes, in: range)
    while let record = try reader.next() {
      guard try reader.isShortestNumber(record) else { return false }
    }
    return true
  }

  /// Writes the records with each number in as few bytes as possible, as a patch demands.
  func writeShortest(to writer: inout RecordWriter) throws(WireError) {
    var reader = RecordReader(bytes, in: range)
    while let record = try reader.next() {
      if record.wireType == .varint {
        writer.varint(record.tag, reader.number(record))
      } else {
        writer.append(records: bytes[record.range])
      }
    }
  }
}
