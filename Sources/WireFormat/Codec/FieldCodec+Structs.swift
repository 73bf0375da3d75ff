// Codecs for nested messages and for enums, and the defaults that generated types get.

/// A struct in a required field.
final class StructCodec<Value: WireStruct>: FieldCodec {
  override func read(
    _ reader: inout WireReader, wireType: WireType, key: UInt32, into property: UnsafeMutableRawPointer
  ) throws(WireError) {
    try Value.fieldTable.decodeDelimited(&reader, into: property)
  }

  override func write(_ property: UnsafeRawPointer, key: EncodedKey, to writer: inout WireWriter) throws(WireError) {
    writer.key(key)
    try Value.fieldTable.encodeDelimited(property, to: &writer)
  }

  override func normalise(_ property: UnsafeMutableRawPointer) {
    Value.fieldTable.normalise(property)
  }
}

/// A struct in an optional field.
final class OptionalStructCodec<Value: WireStruct>: FieldCodec {
  override func read(
    _ reader: inout WireReader, wireType: WireType, key: UInt32, into property: UnsafeMutableRawPointer
  ) throws(WireError) {
    let optional = property.assumingMemoryBound(to: Value?.self)
    if optional.pointee == nil { optional.pointee = Value.zero }
    // In place, so that a record that merges into an existing value copies nothing. Sound: the payload of an Optional
    // is at the address of the Optional, and is present now.
    try Value.fieldTable.decodeDelimited(&reader, into: property)
  }

  override func write(_ property: UnsafeRawPointer, key: EncodedKey, to writer: inout WireWriter) throws(WireError) {
    guard let value = property.assumingMemoryBound(to: Value?.self).pointee else { return }
    writer.key(key)
    try value._write(to: &writer)
  }

  override func normalise(_ property: UnsafeMutableRawPointer) {
    let optional = property.assumingMemoryBound(to: Value?.self)
    if optional.pointee != nil { Value._normalise(&optional.pointee!) }
  }
}

/// `[Value]` of structs. They are read and written in place, so that each level of nesting takes only a few words of
/// the stack.
final class StructListCodec<Value: WireStruct>: FieldCodec {
  override func read(
    _ reader: inout WireReader, wireType: WireType, key: UInt32, into property: UnsafeMutableRawPointer
  ) throws(WireError) {
    reader.elementBytes += MemoryLayout<Value>.stride
    guard reader.elementBytes <= WireLimits.maximumElementBytes else { throw reader.error(.tooLarge) }
    let list = property.assumingMemoryBound(to: [Value].self)
    if list.pointee.isEmpty { list.pointee.reserveCapacity(reader.countRun(key: UInt64(key), limit: 1024)) }
    appendZero(to: list)
    let index = list.pointee.count - 1
    try list.pointee.withUnsafeMutableBufferPointer { elements throws(WireError) in
      guard let first = elements.baseAddress else { return }
      try Value.fieldTable.decodeDelimited(&reader, into: UnsafeMutableRawPointer(first + index))
    }
  }

  /// A function of its own, so that a large struct is on the stack only here, and not while its nested messages are
  /// read.
  @inline(never)
  private func appendZero(to list: UnsafeMutablePointer<[Value]>) {
    list.pointee.append(Value.zero)
  }

  override func write(_ property: UnsafeRawPointer, key: EncodedKey, to writer: inout WireWriter) throws(WireError) {
    try property.assumingMemoryBound(to: [Value].self).pointee.withUnsafeBufferPointer { list throws(WireError) in
      for index in list.indices {
        writer.reserve(0)
        writer.key(key)
        guard let first = list.baseAddress else { return }
        try Value.fieldTable.encodeDelimited(UnsafeRawPointer(first + index), to: &writer)
      }
    }
  }

  override func normalise(_ property: UnsafeMutableRawPointer) {
    let list = property.assumingMemoryBound(to: [Value].self)
    for index in list.pointee.indices { Value._normalise(&list.pointee[index]) }
  }
}

extension WireStruct {
  public static var _listPlan: FieldPlan { FieldPlan(StructListCodec<Self>(), .length) }
  public static var _wireType: WireType { .length }
  public static var _singlePlan: FieldPlan { FieldPlan(StructCodec<Self>(), .length) }
  public static var _optionalPlan: FieldPlan { FieldPlan(OptionalStructCodec<Self>(), .length) }

  public static func _read(_ reader: inout WireReader) throws(WireError) -> Self {
    var value = Self.zero
    try withUnsafeMutableBytes(of: &value) { bytes throws(WireError) in
      guard let address = bytes.baseAddress else { return }
      try fieldTable.decodeDelimited(&reader, into: address)
    }
    return value
  }

  public func _write(to writer: inout WireWriter) throws(WireError) {
    try withUnsafeBytes(of: self) { bytes throws(WireError) in
      guard let address = bytes.baseAddress else { return }
      try Self.fieldTable.encodeDelimited(address, to: &writer)
    }
  }

  public static func _normalise(_ value: inout Self) {
    withUnsafeMutableBytes(of: &value) { bytes in
      if let address = bytes.baseAddress { fieldTable.normalise(address) }
    }
  }
}

/// An enum in a required field; the number 0 means absent.
final class EnumCodec<Value: WireEnum>: FieldCodec {
  override func read(
    _ reader: inout WireReader, wireType: WireType, key: UInt32, into property: UnsafeMutableRawPointer
  ) throws(WireError) {
    property.assumingMemoryBound(to: Value.self).pointee = try Value._read(&reader)
  }

  override func write(_ property: UnsafeRawPointer, key: EncodedKey, to writer: inout WireWriter) {
    let number = property.assumingMemoryBound(to: Value.self).pointee.rawValue
    guard number != 0 else { return }
    writer.key(key)
    writer.varint(number._varint)
  }
}

/// An enum in an optional field.
final class OptionalEnumCodec<Value: WireEnum>: FieldCodec {
  override func read(
    _ reader: inout WireReader, wireType: WireType, key: UInt32, into property: UnsafeMutableRawPointer
  ) throws(WireError) {
    property.assumingMemoryBound(to: Value?.self).pointee = try Value._read(&reader)
  }

  override func write(_ property: UnsafeRawPointer, key: EncodedKey, to writer: inout WireWriter) {
    guard let value = property.assumingMemoryBound(to: Value?.self).pointee else { return }
    writer.key(key)
    writer.varint(value.rawValue._varint)
  }
}

extension WireEnum {
  public static var _wireType: WireType { .varint }
  public static var _singlePlan: FieldPlan { FieldPlan(EnumCodec<Self>(), .varint) }
  public static var _optionalPlan: FieldPlan { FieldPlan(OptionalEnumCodec<Self>(), .varint) }

  public static func _read(_ reader: inout WireReader) throws(WireError) -> Self {
    Self(rawValue: Int32(_varint: try reader.varint()))
  }

  public func _write(to writer: inout WireWriter) { writer.varint(rawValue._varint) }

  public static func _precedes(_ left: Self, _ right: Self) -> Bool {
    varintPrecedes(left.rawValue._varint, right.rawValue._varint)
  }
}
