// The protobuf wire format: bytes are records of a tag, a wire type and a value. docs/formats/blob-format.md.

/// One record. `value` has the bytes behind the key; of wire type 2 those behind the length.
struct PlainRecord: Hashable {
  var tag: UInt64
  var wireType: UInt64
  var value: [UInt8]
}

/// Bytes that are no records, no patch or no changes.
struct PlainMalformed: Error {}

extension [UInt8] {
  func records() throws(PlainMalformed) -> [PlainRecord] {
    var records: [PlainRecord] = []
    var rest = self[...]
    while !rest.isEmpty {
      let key = try rest.takeVarint()
      let (tag, wireType) = (key >> 3, key & 7)
      guard (1...536_870_911).contains(tag) else { throw PlainMalformed() }
      let value: ArraySlice<UInt8>
      switch wireType {
      case 0:
        let before = rest
        _ = try rest.takeVarint()
        value = before[..<rest.startIndex]
      case 1: value = try rest.take(8)
      case 2: value = try rest.take(try rest.takeVarint())
      case 5: value = try rest.take(4)
      default: throw PlainMalformed()
      }
      records.append(PlainRecord(tag: tag, wireType: wireType, value: Array(value)))
    }
    return records
  }

  mutating func appendVarint(_ number: UInt64) {
    var rest = number
    while rest > 127 {
      append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  mutating func append(_ record: PlainRecord) {
    appendVarint(record.tag << 3 | record.wireType)
    if record.wireType == 2 { appendVarint(UInt64(record.value.count)) }
    append(contentsOf: record.value)
  }

  static func < (left: Self, right: Self) -> Bool { left.lexicographicallyPrecedes(right) }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func take(_ count: UInt64) throws(PlainMalformed) -> ArraySlice<UInt8> {
    guard count <= UInt64(self.count) else { throw PlainMalformed() }
    let taken = prefix(Int(count))
    removeFirst(Int(count))
    return taken
  }

  mutating func takeVarint() throws(PlainMalformed) -> UInt64 {
    var number: UInt64 = 0
    for shift in 0..<10 {
      guard let byte = popFirst() else { throw PlainMalformed() }
      number |= UInt64(byte & 127) << UInt64(7 * shift)
      if byte < 128 { return number }
    }
    throw PlainMalformed()
  }
}

extension PlainRecord {
  init(tag: UInt64, number: UInt64) {
    self.init(tag: tag, wireType: 0, value: [])
    value.appendVarint(number)
  }

  func number() throws(PlainMalformed) -> UInt64 {
    guard wireType == 0 else { throw PlainMalformed() }
    var rest = value[...]
    return try rest.takeVarint()
  }

  func bytes() throws(PlainMalformed) -> [UInt8] {
    guard wireType == 2 else { throw PlainMalformed() }
    return value
  }

  func id() throws(PlainMalformed) -> PlainID {
    guard let id = PlainID(bytes: try bytes()) else { throw PlainMalformed() }
    return id
  }
}

extension Int64 {
  init(zigzag number: UInt64) { self = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1) }
  var zigzag: UInt64 { UInt64(bitPattern: self << 1 ^ self >> 63) }
}
