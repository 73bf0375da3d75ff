// Some records of a message, taken together: what the merge cuts, compares and copies.

/// Records that lie side by side in some bytes.
struct RecordRange {
  var bytes: UnsafeRawBufferPointer
  var range: Range<Int>

  static var none: Self { Self(bytes: UnsafeRawBufferPointer(start: nil, count: 0), range: 0..<0) }

  var isEmpty: Bool { range.isEmpty }

  func hasSameBytes(as other: Self) -> Bool {
    Element(bytes: bytes, wireType: .length, value: range)
      .order(to: Element(bytes: other.bytes, wireType: .length, value: other.range)) == .same
  }

  /// The counter that records of one tag hold: the last with wire type 0, 0 where there is none at all, nil where
  /// there are records that no counter is made of.
  func counter() throws(WireError) -> Int64? {
    var reader = RecordReader(bytes, in: range)
    var value: Int64? = isEmpty ? 0 : nil
    while let record = try reader.next() {
      if record.wireType == .varint { value = Zigzag.decode(reader.number(record)) }
    }
    return value
  }

  /// Every element is before the next one: sorted, and each once.
  func isSortedSet() throws(WireError) -> Bool {
    var cursor = try ElementCursor(self)
    while let element = cursor.current {
      try cursor.advance()
      if let next = cursor.current, element.order(to: next) != .before { return false }
    }
    return true
  }

  /// Every number is written in the one shortest way.
  func hasShortestNumbers() throws(WireError) -> Bool {
    var reader = RecordReader(bytes, in: range)
    while let record = try reader.next() {
      guard try reader.isShortestNumber(record) else { return false }
    }
    return true
  }

  /// Writes the records with the shortest numbers too, as a patch asks for.
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
