// Writes the parts of records into growing memory: the bottom layer of encoding.

/// A cursor into the caller's scratch memory or, if that is too small, into memory of its own.
///
/// Safe because every write is preceded by `reserve`. The code that makes a writer must call `free` when it is done.
public struct WireWriter {
  /// The extra room that every `reserve` makes: enough for one key and one number or length.
  static let slack = 32

  private(set) var base: UnsafeMutableRawPointer
  var cursor: UnsafeMutableRawPointer
  private var end: UnsafeMutableRawPointer
  private(set) var ownsMemory: Bool
  var depth = 0

  init(_ memory: UnsafeMutableRawBufferPointer, count: Int = 0, ownsMemory: Bool) {
    // An empty buffer may have no address; any address will do, as the first `reserve` replaces it.
    base = memory.baseAddress ?? UnsafeMutableRawPointer(bitPattern: 8)!
    cursor = base + count
    end = base + memory.count
    self.ownsMemory = ownsMemory
  }

  var count: Int { cursor - base }
  var capacity: Int { end - base }

  func free() {
    if ownsMemory { base.deallocate() }
  }

  /// Makes room for `count` bytes and the slack.
  @inline(__always)
  mutating func reserve(_ count: Int) {
    if _slowPath(end - cursor < count &+ Self.slack) { grow(count) }
  }

  @inline(never)
  private mutating func grow(_ count: Int) {
    let written = self.count
    let capacity = Swift.max(self.capacity * 2, written + count + Self.slack, 256)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: base, byteCount: written)
    free()
    ownsMemory = true
    base = larger
    cursor = larger + written
    end = larger + capacity
  }

  /// Writes into the slack that the last `reserve` has made.
  @inline(__always)
  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      cursor.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
      cursor += 1
      rest &>>= 7
    }
    cursor.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
    cursor += 1
  }

  /// Writes into the slack. Stores 8 bytes, and counts only those of the key.
  @inline(__always)
  mutating func key(_ key: EncodedKey) {
    cursor.storeBytes(of: key.bytes.littleEndian, as: UInt64.self)
    cursor += Int(key.count)
  }

  @inline(__always)
  mutating func fixed32(_ value: UInt32) {
    cursor.storeBytes(of: value.littleEndian, as: UInt32.self)
    cursor += 4
  }

  @inline(__always)
  mutating func fixed64(_ value: UInt64) {
    cursor.storeBytes(of: value.littleEndian, as: UInt64.self)
    cursor += 8
  }

  @inline(__always)
  mutating func uuid(_ value: UUIDValue) {
    varint(16)
    bigEndianWord(value.high)
    bigEndianWord(value.low)
  }

  mutating func hash(_ value: ContentHash) {
    reserve(33)
    varint(32)
    bigEndianWord(value.words.0)
    bigEndianWord(value.words.1)
    bigEndianWord(value.words.2)
    bigEndianWord(value.words.3)
  }

  @inline(__always)
  private mutating func bigEndianWord(_ word: UInt64) {
    cursor.storeBytes(of: word.bigEndian, as: UInt64.self)
    cursor += 8
  }

  @inline(__always)
  mutating func string(_ value: String) {
    let units = value.utf8
    let count = units.count
    reserve(count)
    varint(UInt64(count))
    UnsafeMutableRawBufferPointer(start: cursor, count: count).copyBytes(from: units)
    cursor += count
  }

  @inline(__always)
  mutating func data(_ value: [UInt8]) {
    value.withUnsafeBytes { bytes in
      varint(UInt64(bytes.count))
      append(bytes)
    }
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    guard let source = bytes.baseAddress else { return }
    cursor.copyMemory(from: source, byteCount: bytes.count)
    cursor += bytes.count
  }

  /// Writes a length and the bytes that `body` writes. Keeps one byte for the length, and moves the bytes if it needs
  /// more.
  @inline(__always)
  mutating func delimited(_ body: (inout WireWriter) throws(WireError) -> Void) throws(WireError) {
    reserve(1)
    let lengthAt = count
    cursor += 1
    try body(&self)
    closeDelimited(lengthAt)
  }

  private mutating func closeDelimited(_ lengthAt: Int) {
    let length = count - lengthAt - 1
    let lengthCount = varintCount(UInt64(length))
    reserve(lengthCount)
    let position = base + lengthAt
    if lengthCount > 1 {
      (position + lengthCount).copyMemory(from: position + 1, byteCount: length)
    }
    cursor = position
    varint(UInt64(length))
    cursor += length
  }
}

/// The bytes of a record's key, at most 5, lowest first.
struct EncodedKey {
  var bytes: UInt64 = 0
  var count: UInt8 = 0

  init(_ key: UInt32) {
    var rest = UInt64(key)
    repeat {
      let more: UInt64 = rest >= 0x80 ? 0x80 : 0
      bytes |= (rest & 0x7F | more) << UInt64(8 * count)
      count += 1
      rest >>= 7
    } while rest > 0
  }
}

/// How many bytes the shortest varint of a number has.
@inline(__always)
func varintCount(_ value: UInt64) -> Int {
  (70 &- (value | 1).leadingZeroBitCount) / 7
}
