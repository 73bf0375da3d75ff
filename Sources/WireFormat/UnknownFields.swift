// The fields of a message that only a newer schema declares, kept as bytes.

/// Records that the reader did not know, by ascending tags. Nearly always there are none, which takes only one nil.
public struct UnknownFields: Hashable, Sendable {
  /// Each record is in canonical form: shortest key, length and number. Nil instead of an empty array.
  private var stored: [UInt8]?

  /// No records: the value for a message that this device has made.
  public static var none: Self { Self(stored: nil) }

  /// Whether the message has only fields that this schema declares.
  public var isEmpty: Bool { stored == nil }

  /// The records as they are encoded in a message.
  public var records: [UInt8] { stored ?? [] }

  /// Appends the record whose key has been read. Returns whether it is the only one; otherwise `normalise` must sort
  /// them.
  mutating func append(key: UInt64, _ reader: inout WireReader) throws(WireError) -> Bool {
    guard let wireType = WireType(rawValue: UInt8(key & 7)) else { throw reader.error(.invalidWireType) }
    if stored == nil { stored = [] }
    let isAlone = stored!.isEmpty
    stored!.append(varint: key)
    if wireType == .varint {
      stored!.append(varint: try reader.varint())
    } else {
      let start = reader.cursor
      let value: UnsafeRawBufferPointer
      if wireType == .length {
        value = try reader.bytes()
        stored!.append(varint: UInt64(value.count))
      } else {
        try reader.skip(key: key)
        value = UnsafeRawBufferPointer(start: start, count: reader.cursor - start)
      }
      stored!.append(contentsOf: value)
    }
    return isAlone
  }

  /// Sorts the records by tag. Records of one tag keep their order.
  mutating func normalise() {
    guard let stored else { return }
    var records: [(tag: UInt32, range: Range<Int>)] = []
    stored.withUnsafeBytes { bytes in
      var position = 0
      while let record = nextRecord(bytes, at: position) {
        records.append(record)
        position = record.range.upperBound
      }
    }
    // `sort` does not promise to be stable, so equal tags are compared by position.
    records.sort { ($0.tag, $0.range.lowerBound) < ($1.tag, $1.range.lowerBound) }
    self.stored = records.flatMap { stored[$0.range] }
  }
}

extension UnknownFields {
  /// Walks along the unknown fields while a message is written.
  struct Cursor {
    /// `UInt32.max` where there is none left.
    private(set) var nextTag = UInt32.max
    private var records: [UInt8] = []
    private var next = 0..<0

    @inline(__always)
    init(_ table: FieldTable, _ message: UnsafeRawPointer) {
      let offset = table.storage.pointee.unknownOffset
      guard offset >= 0 else { return }
      // Sound: the offset was taken from a key path to a property of this very type.
      if let stored = (message + offset).assumingMemoryBound(to: UnknownFields.self).pointee.stored {
        records = stored
        advance()
      }
    }

    @inline(never)
    mutating func write(before tag: UInt32, to writer: inout WireWriter) {
      while nextTag < tag {
        records.withUnsafeBytes { writer.append(UnsafeRawBufferPointer(rebasing: $0[next])) }
        advance()
      }
    }

    @inline(never)
    private mutating func advance() {
      let record = records.withUnsafeBytes { nextRecord($0, at: next.upperBound) }
      nextTag = record?.tag ?? .max
      next = record?.range ?? next
    }
  }
}

/// The record at a position; nil at the end. The bytes were checked when they were stored.
private func nextRecord(_ bytes: UnsafeRawBufferPointer, at position: Int) -> (tag: UInt32, range: Range<Int>)? {
  guard position < bytes.count, let base = bytes.baseAddress else { return nil }
  var reader = WireReader(base + position, base + bytes.count)
  guard let key = try? reader.varint(), (try? reader.skip(key: key)) != nil else { return nil }
  return (UInt32(key >> 3), position..<(reader.cursor - base))
}

extension [UInt8] {
  fileprivate mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}
