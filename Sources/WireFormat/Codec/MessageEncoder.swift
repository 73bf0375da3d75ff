// The writing half of the engine: stored properties in, canonical records out.

extension FieldTable {
  /// Appends the records of a message, with its unknown fields in their places by tag.
  @inline(never)
  func encode(_ message: UnsafeRawPointer, to writer: inout WireWriter) throws(WireError) {
    var unknown = UnknownFields.Cursor(self, message)
    var slot = storage.pointee.slots
    let end = storage.pointee.end
    while slot < end {
      if _slowPath(unknown.nextTag < slot.pointee.tag) { unknown.write(before: slot.pointee.tag, to: &writer) }
      writer.reserve(0)
      try slot.pointee.write(message + Int(slot.pointee.offset), to: &writer)
      slot += 1
    }
    if _slowPath(unknown.nextTag != .max) { unknown.write(before: .max, to: &writer) }
  }

  /// Appends a nested message: a length, then its records.
  func encodeDelimited(_ message: UnsafeRawPointer, to writer: inout WireWriter) throws(WireError) {
    guard writer.depth < WireLimits.maximumDepth else { throw WireError(.tooDeep, at: writer.count) }
    writer.depth += 1
    try writer.delimited { writer throws(WireError) in try encode(message, to: &writer) }
    writer.depth -= 1
  }
}

extension FieldSlot {
  /// Writes the records of one property. The caller has reserved the slack. Sound for the reasons given at `read`.
  @inline(__always)
  func write(_ property: UnsafeRawPointer, to writer: inout WireWriter) throws(WireError) {
    switch kind {
    case .bool: writeVarint(property.load(as: Bool.self) ? 1 : 0, &writer)
    case .int32: writeVarint(property.load(as: Int32.self)._varint, &writer)
    case .uint32: writeVarint(property.load(as: UInt32.self)._varint, &writer)
    case .word, .uint64: writeVarint(property.load(as: UInt64.self), &writer)
    case .counter: writeVarint(Zigzag.encode(property.load(as: Int64.self)), &writer)
    case .float:
      writer.key(encodedKey)
      writer.fixed32(property.load(as: UInt32.self))
    case .double:
      writer.key(encodedKey)
      writer.fixed64(property.load(as: UInt64.self))
    case .id: writeID(property.load(as: UUIDValue.self), &writer)
    case .requiredID:
      let id = property.load(as: UUIDValue.self)
      if id != .zero { writeID(id, &writer) }
    case .string: writeString(property.assumingMemoryBound(to: String.self).pointee, &writer)
    case .strings:
      writeStrings(property.assumingMemoryBound(to: [String].self).pointee, &writer)
    case .stringSet:
      writeStrings(property.assumingMemoryBound(to: SortedSet<String>.self).pointee.elements, &writer)
    case .codec:
      guard let codec else { return }
      try codec.withoutRetain { codec throws(WireError) in
        try codec.write(property, key: encodedKey, to: &writer)
      }
    default: writeOptional(property, &writer)
    }
  }

  @inline(__always)
  private func writeOptional(_ property: UnsafeRawPointer, _ writer: inout WireWriter) {
    switch kind {
    case .optionalBool: if let value = property.load(as: Bool?.self) { writeVarint(value ? 1 : 0, &writer) }
    case .optionalInt32: if let value = property.load(as: Int32?.self) { writeVarint(value._varint, &writer) }
    case .optionalUInt32: if let value = property.load(as: UInt32?.self) { writeVarint(value._varint, &writer) }
    case .optionalWord, .optionalUInt64:
      if let value = property.load(as: UInt64?.self) { writeVarint(value, &writer) }
    case .optionalFloat: if let value = property.load(as: Float?.self) { writeElement(value, &writer) }
    case .optionalDouble: if let value = property.load(as: Double?.self) { writeElement(value, &writer) }
    case .optionalID: if let value = property.load(as: UUIDValue?.self) { writeID(value, &writer) }
    case .hash: writeElement(property.load(as: ContentHash.self), &writer)
    case .optionalHash: if let value = property.load(as: ContentHash?.self) { writeElement(value, &writer) }
    case .data: writeElement(property.assumingMemoryBound(to: [UInt8].self).pointee, &writer)
    case .optionalString:
      if let value = property.assumingMemoryBound(to: String?.self).pointee { writeString(value, &writer) }
    default:
      if let value = property.assumingMemoryBound(to: [UInt8]?.self).pointee { writeElement(value, &writer) }
    }
  }

  @inline(__always)
  private func writeVarint(_ value: UInt64, _ writer: inout WireWriter) {
    writer.key(encodedKey)
    writer.varint(value)
  }

  @inline(__always)
  private func writeID(_ value: UUIDValue, _ writer: inout WireWriter) {
    writer.key(encodedKey)
    writer.uuid(value)
  }

  @inline(__always)
  private func writeString(_ value: String, _ writer: inout WireWriter) {
    writer.key(encodedKey)
    writer.string(value)
  }

  private func writeStrings(_ strings: [String], _ writer: inout WireWriter) {
    for string in strings {
      writer.reserve(0)
      writeString(string, &writer)
    }
  }

  @inline(__always)
  private func writeElement(_ value: Float, _ writer: inout WireWriter) {
    writer.key(encodedKey)
    writer.fixed32(value.bitPattern)
  }

  @inline(__always)
  private func writeElement(_ value: Double, _ writer: inout WireWriter) {
    writer.key(encodedKey)
    writer.fixed64(value.bitPattern)
  }

  private func writeElement(_ value: ContentHash, _ writer: inout WireWriter) {
    writer.key(encodedKey)
    writer.hash(value)
  }

  private func writeElement(_ value: [UInt8], _ writer: inout WireWriter) {
    writer.key(encodedKey)
    writer.data(value)
  }
}
