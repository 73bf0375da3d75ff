// The reading half of the engine: records in, stored properties out.

extension FieldTable {
  /// Reads a whole blob into the properties of a message of this table's type.
  ///
  /// Properties keep their values where no record names them. After an error the message is only partly read: its sets
  /// may be out of order, and its unknown fields may end in an incomplete record.
  @inline(never)
  func decode(_ bytes: UnsafeRawBufferPointer, into message: UnsafeMutableRawPointer) throws(WireError) {
    var reader = try WireReader(bytes)
    try decode(&reader, into: message)
    if reader.needsNormalising { normalise(message) }
  }

  /// Reads up to `reader.end`. Fields mostly arrive in order of tags, so the slot behind the last one is tried first.
  func decode(_ reader: inout WireReader, into message: UnsafeMutableRawPointer) throws(WireError) {
    let unknown = unknownFields(message)
    var expected = storage.pointee.slots
    while reader.cursor < reader.end {
      let key = try reader.varint()
      if key != UInt64(expected.pointee.key) {
        guard let slot = slot(for: key) else {
          guard isTag(key >> 3) else { throw reader.error(.invalidTag) }
          if let unknown { try keep(key, &reader, in: unknown) } else { try reader.skip(key: key) }
          continue
        }
        expected = slot
      }
      try expected.pointee.read(key, &reader, message + Int(expected.pointee.offset))
      expected += 1
    }
  }

  /// Reads a message inside a message: a length, then records.
  func decodeDelimited(_ reader: inout WireReader, into message: UnsafeMutableRawPointer) throws(WireError) {
    let length = try reader.length()
    guard reader.depth < WireLimits.maximumDepth else { throw reader.error(.tooDeep) }
    let (outerStart, outerEnd) = (reader.start, reader.end)
    reader.start = reader.cursor
    reader.end = reader.cursor + length
    reader.depth += 1
    try decode(&reader, into: message)
    reader.depth -= 1
    reader.start = outerStart
    reader.end = outerEnd
  }

  /// Sorts sets and unknown fields, once for a whole blob. Sorting after each record would let hostile bytes cost the
  /// square of their length.
  func normalise(_ message: UnsafeMutableRawPointer) {
    var slot = storage.pointee.slots
    while slot < storage.pointee.end {
      slot.pointee.codec?._withUnsafeGuaranteedRef { $0.normalise(message + Int(slot.pointee.offset)) }
      slot += 1
    }
    if let unknown = unknownFields(message) { unknown.pointee.normalise() }
  }

  @inline(never)
  private func keep(
    _ key: UInt64, _ reader: inout WireReader, in unknown: UnsafeMutablePointer<UnknownFields>
  ) throws(WireError) {
    if try !unknown.pointee.append(key: key, &reader) { reader.needsNormalising = true }
  }

  @inline(__always)
  private func isTag(_ number: UInt64) -> Bool {
    number &- 1 < UInt64(WireLimits.maximumTag)
  }

  /// Sound: the offset was taken from a key path to a property of this very type.
  @inline(__always)
  private func unknownFields(_ message: UnsafeMutableRawPointer) -> UnsafeMutablePointer<UnknownFields>? {
    let offset = storage.pointee.unknownOffset
    return offset < 0 ? nil : (message + offset).assumingMemoryBound(to: UnknownFields.self)
  }
}

extension FieldSlot {
  /// Reads one record into its property.
  ///
  /// Sound: the kind was inferred from the property's type. Numbers and ids are stored as raw bytes of a type with the
  /// same layout; the others are bound to the property's own type.
  @inline(__always)
  func read(_ key: UInt64, _ reader: inout WireReader, _ property: UnsafeMutableRawPointer) throws(WireError) {
    switch kind {
    case .bool: property.storeBytes(of: try reader.varint() != 0, as: Bool.self)
    case .int32: property.storeBytes(of: Int32(_varint: try reader.varint()), as: Int32.self)
    case .uint32: property.storeBytes(of: UInt32(_varint: try reader.varint()), as: UInt32.self)
    case .word: property.storeBytes(of: Int64(_varint: try reader.varint()), as: Int64.self)
    case .uint64: property.storeBytes(of: try reader.varint(), as: UInt64.self)
    case .counter: property.storeBytes(of: Zigzag.decode(try reader.varint()), as: Int64.self)
    case .float: property.storeBytes(of: try reader.fixed32(), as: UInt32.self)
    case .double: property.storeBytes(of: try reader.fixed64(), as: UInt64.self)
    case .id, .requiredID: property.storeBytes(of: try reader.uuid(), as: UUIDValue.self)
    case .hash: property.storeBytes(of: try reader.hash(), as: ContentHash.self)
    case .string: property.assumingMemoryBound(to: String.self).pointee = try reader.string()
    case .data: property.assumingMemoryBound(to: [UInt8].self).pointee = try ._read(&reader)
    case .optionalBool: property.storeBytes(of: try reader.varint() != 0, as: Bool?.self)
    case .optionalInt32: property.storeBytes(of: Int32(_varint: try reader.varint()), as: Int32?.self)
    case .optionalUInt32: property.storeBytes(of: UInt32(_varint: try reader.varint()), as: UInt32?.self)
    case .optionalWord: property.storeBytes(of: Int64(_varint: try reader.varint()), as: Int64?.self)
    case .optionalUInt64: property.storeBytes(of: try reader.varint(), as: UInt64?.self)
    case .optionalFloat: property.storeBytes(of: Float(bitPattern: try reader.fixed32()), as: Float?.self)
    case .optionalDouble: property.storeBytes(of: Double(bitPattern: try reader.fixed64()), as: Double?.self)
    case .optionalID: property.storeBytes(of: try reader.uuid(), as: UUIDValue?.self)
    case .optionalHash: property.storeBytes(of: try reader.hash(), as: ContentHash?.self)
    case .optionalString: property.assumingMemoryBound(to: String?.self).pointee = try reader.string()
    case .optionalData: property.assumingMemoryBound(to: [UInt8]?.self).pointee = try ._read(&reader)
    case .strings: try readStrings(key, &reader, property)
    case .stringSet: try readStringSet(key, &reader, property)
    case .codec: try readWithCodec(key, &reader, property)
    case .sentinel: throw reader.error(.invalidTag)
    }
  }

  @inline(never)
  private func readStrings(
    _ key: UInt64, _ reader: inout WireReader, _ property: UnsafeMutableRawPointer
  ) throws(WireError) {
    let list = property.assumingMemoryBound(to: [String].self)
    if list.pointee.isEmpty { list.pointee.reserveCapacity(reader.countRun(key: key, limit: 1024)) }
    list.pointee.append(try reader.string())
  }

  @inline(never)
  private func readStringSet(
    _ key: UInt64, _ reader: inout WireReader, _ property: UnsafeMutableRawPointer
  ) throws(WireError) {
    let set = property.assumingMemoryBound(to: SortedSet<String>.self)
    if set.pointee.isEmpty { set.pointee.reserveCapacity(reader.countRun(key: key, limit: 1024)) }
    if !set.pointee.appendUnordered(try reader.string()) { reader.needsNormalising = true }
  }

  @inline(never)
  private func readWithCodec(
    _ key: UInt64, _ reader: inout WireReader, _ property: UnsafeMutableRawPointer
  ) throws(WireError) {
    // Neither is nil: a slot of this kind is made with a codec, and `slot(for:)` has checked the wire type.
    guard let codec, let wireType = WireType(rawValue: UInt8(key & 7)) else { return }
    try codec.withoutRetain { codec throws(WireError) in
      try codec.read(&reader, wireType: wireType, key: UInt32(key), into: property)
    }
  }
}
