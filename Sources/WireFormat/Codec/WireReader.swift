// Reads the parts of records from borrowed bytes: the bottom layer of decoding, which checks every bound.

/// A cursor over the bytes of one message.
///
/// Safe as long as the bytes outlive it, because the cursor moves only by lengths that were compared with `end`. It is
/// made and used inside one call that holds the bytes, and never stored.
public struct WireReader {
  var cursor: UnsafeRawPointer
  /// The end of the message that is being read. A nested message narrows it.
  var end: UnsafeRawPointer
  var start: UnsafeRawPointer
  var depth = 0
  /// The memory, in bytes, of the structs in lists so far. It is bounded because a few bytes can stand for a large
  /// struct.
  var elementBytes = 0
  /// Whether a set or unknown fields were read out of order; see `FieldTable.normalise`.
  var needsNormalising = false

  init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
    guard bytes.count <= WireLimits.maximumBytes else { throw WireError(.tooLarge, at: WireLimits.maximumBytes) }
    // An empty buffer may have no address; any address will do, as it is never read.
    let base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 8)!
    self.init(base, base + bytes.count)
  }

  @inline(__always)
  init(_ start: UnsafeRawPointer, _ end: UnsafeRawPointer) {
    self.cursor = start
    self.end = end
    self.start = start
  }

  @inline(__always)
  var remaining: Int { end - cursor }

  func error(_ code: WireError.Code) -> WireError {
    WireError(code, at: cursor - start)
  }

  @inline(__always)
  mutating func varint() throws(WireError) -> UInt64 {
    if cursor < end {
      let byte = cursor.load(as: UInt8.self)
      if byte < 0x80 {
        cursor += 1
        return UInt64(byte)
      }
    }
    return try longVarint()
  }

  /// Reads up to 8 bytes at once if there are 8, and a longer number byte by byte.
  @inline(never)
  private mutating func longVarint() throws(WireError) -> UInt64 {
    guard remaining >= 8 else { return try slowVarint() }
    let word = UInt64(littleEndian: cursor.loadUnaligned(as: UInt64.self))
    // A top bit of 0 marks the last byte of a number. The lowest such mark ends this number.
    let lastBytes = ~word & 0x8080_8080_8080_8080
    guard lastBytes != 0 else { return try slowVarint() }
    cursor += lastBytes.trailingZeroBitCount / 8 + 1
    // Keeps the bits below the lowest mark, then moves the groups of 7 bits together, two at a time.
    var bits = word & (lastBytes ^ (lastBytes &- 1)) & 0x7F7F_7F7F_7F7F_7F7F
    bits = bits & 0x007F_007F_007F_007F | (bits & 0x7F00_7F00_7F00_7F00) &>> 1
    bits = bits & 0x0000_3FFF_0000_3FFF | (bits & 0x3FFF_0000_3FFF_0000) &>> 2
    return bits & 0x0FFF_FFFF | (bits & 0x0FFF_FFFF_0000_0000) &>> 4
  }

  /// Bits above the 64th are dropped, as protobuf does.
  private mutating func slowVarint() throws(WireError) -> UInt64 {
    var value: UInt64 = 0
    var position = cursor
    let limit = Swift.min(10, remaining)
    for index in 0..<limit {
      let byte = position.load(as: UInt8.self)
      position += 1
      value |= UInt64(byte & 0x7F) &<< UInt64(7 &* index)
      if byte < 0x80 {
        cursor = position
        return value
      }
    }
    throw error(limit == 10 ? .overlongVarint : .truncated)
  }

  /// Skips a number without decoding it.
  @inline(__always)
  private mutating func skipVarint() throws(WireError) {
    guard remaining >= 8 else {
      _ = try varint()
      return
    }
    let lastBytes = ~UInt64(littleEndian: cursor.loadUnaligned(as: UInt64.self)) & 0x8080_8080_8080_8080
    if lastBytes == 0 {
      _ = try slowVarint()
    } else {
      cursor += lastBytes.trailingZeroBitCount / 8 + 1
    }
  }

  @inline(__always)
  mutating func fixed32() throws(WireError) -> UInt32 {
    guard remaining >= 4 else { throw error(.truncated) }
    defer { cursor += 4 }
    return UInt32(littleEndian: cursor.loadUnaligned(as: UInt32.self))
  }

  @inline(__always)
  mutating func fixed64() throws(WireError) -> UInt64 {
    guard remaining >= 8 else { throw error(.truncated) }
    defer { cursor += 8 }
    return UInt64(littleEndian: cursor.loadUnaligned(as: UInt64.self))
  }

  /// Reads a length. Throws `truncated` if fewer bytes are left.
  @inline(__always)
  mutating func length() throws(WireError) -> Int {
    let length = try varint()
    guard length <= UInt64(remaining) else { throw error(.truncated) }
    return Int(length)
  }

  /// The bytes of a length-delimited record.
  @inline(__always)
  mutating func bytes() throws(WireError) -> UnsafeRawBufferPointer {
    let count = try length()
    defer { cursor += count }
    return UnsafeRawBufferPointer(start: cursor, count: count)
  }

  @inline(__always)
  mutating func uuid() throws(WireError) -> UUIDValue {
    let count = try length()
    guard count == 16 else { throw error(.invalidLength) }
    return UUIDValue(high: bigEndianWord(), low: bigEndianWord())
  }

  mutating func hash() throws(WireError) -> ContentHash {
    let count = try length()
    guard count == 32 else { throw error(.invalidLength) }
    return ContentHash(words: (bigEndianWord(), bigEndianWord(), bigEndianWord(), bigEndianWord()))
  }

  /// The caller has checked that 8 bytes are there.
  @inline(__always)
  private mutating func bigEndianWord() -> UInt64 {
    defer { cursor += 8 }
    return UInt64(bigEndian: cursor.loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  mutating func string() throws(WireError) -> String {
    let bytes = try bytes()
    // Sound: the buffer is read only during this call, and any memory may be read as bytes.
    let units = UnsafeBufferPointer(start: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count)
    // ASCII needs no repair. `validating` is slow because it is not specialised, and looks up generic metadata each
    // time.
    if isASCII(bytes) { return String(decoding: units, as: UTF8.self) }
    guard let string = String(validating: units, as: UTF8.self) else { throw error(.invalidUTF8) }
    return string
  }

  /// Reads 8 bytes at a time, but never past the end of `bytes`.
  @inline(__always)
  private func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard var position = bytes.baseAddress else { return true }
    let end = position + bytes.count
    var bits: UInt64 = 0
    while end - position >= 8 {
      bits |= position.loadUnaligned(as: UInt64.self)
      position += 8
    }
    while position < end {
      bits |= UInt64(position.load(as: UInt8.self))
      position += 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }

  /// Skips the value of a record with this key.
  @inline(__always)
  mutating func skip(key: UInt64) throws(WireError) {
    switch key & 7 {
    case 0: try skipVarint()
    case 1: _ = try fixed64()
    case 2: _ = try bytes()
    case 5: _ = try fixed32()
    default: throw error(.invalidWireType)
    }
  }

  /// How many records with this key follow directly, including the one just begun, up to `limit`. A list
  /// reserves this many.
  func countRun(key: UInt64, limit: Int) -> Int {
    var ahead = self
    var count = 0
    repeat {
      count += 1
      guard count < limit, (try? ahead.skip(key: key)) != nil else { break }
    } while (try? ahead.varint()) == key
    return count
  }
}
