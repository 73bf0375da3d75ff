// Elements of a set as the merge sees them: records of one tag, compared by wire type and bytes.

/// An element of a list or set: its wire type and the bytes of its value.
struct Element {
  var bytes: UnsafeRawBufferPointer
  var wireType: WireType
  var value: Range<Int>

  enum Order { case before, same, after }

  /// Compares by wire type, then by the bytes of the value. A prefix sorts before a longer value.
  func order(to other: Element) -> Order {
    guard wireType == other.wireType else {
      return wireType.rawValue < other.wireType.rawValue ? .before : .after
    }
    let (left, right) = (value, other.value)
    let common = min(left.count, right.count)
    var index = 0
    while index + 8 <= common {
      let one = bytes.loadUnaligned(fromByteOffset: left.lowerBound + index, as: UInt64.self)
      let two = other.bytes.loadUnaligned(fromByteOffset: right.lowerBound + index, as: UInt64.self)
      if one != two { return one.bigEndian < two.bigEndian ? .before : .after }
      index += 8
    }
    while index < common {
      let one = bytes[left.lowerBound + index]
      let two = other.bytes[right.lowerBound + index]
      if one != two { return one < two ? .before : .after }
      index += 1
    }
    if left.count == right.count { return .same }
    return left.count < right.count ? .before : .after
  }
}

extension Element {
  init(_ record: Record, in bytes: UnsafeRawBufferPointer) {
    self.init(bytes: bytes, wireType: record.wireType, value: record.value)
  }
}

/// Walks over the elements of one tag.
struct ElementCursor {
  private var reader: RecordReader
  private(set) var current: Element?
  /// The offset of the current element. After the last one, the end of the range.
  private(set) var offset: Int

  init(_ records: RecordRange) throws(WireError) {
    reader = RecordReader(records.bytes, in: records.range)
    offset = records.range.lowerBound
    try advance()
  }

  /// The range of the current element's record.
  var currentRange: Range<Int> { offset..<reader.offset }

  mutating func advance() throws(WireError) {
    offset = reader.offset
    current = try reader.next().map { Element($0, in: reader.bytes) }
  }
}
