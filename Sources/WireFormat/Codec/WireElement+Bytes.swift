// How strings, data, ids, uuids and hashes are encoded in records.

extension String: WireSetElement, WireField {
  public static var _wireType: WireType { .length }
  public static var _singlePlan: FieldPlan { FieldPlan(.string, .length) }
  public static var _optionalPlan: FieldPlan { FieldPlan(.optionalString, .length) }
  public static var _listPlan: FieldPlan { FieldPlan(.strings, .length) }
  public static var _setPlan: FieldPlan { FieldPlan(.stringSet, .length, codec: SetCodec<Self>()) }

  public static func _read(_ reader: inout WireReader) throws(WireError) -> Self { try reader.string() }
  public func _write(to writer: inout WireWriter) { writer.string(self) }

  public static func _precedes(_ left: Self, _ right: Self) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  /// Compares bytes, because `==` also takes canonically equivalent strings for equal.
  public static func _isSame(_ left: Self, _ right: Self) -> Bool {
    left.utf8.elementsEqual(right.utf8)
  }
}

extension UInt8: WireListElement {
  public static var _listPlan: FieldPlan { FieldPlan(.data, .length) }
}

extension Array: WireListElement, WireElement where Element == UInt8 {
  public static var _wireType: WireType { .length }
  public static var _singlePlan: FieldPlan { FieldPlan(.data, .length) }
  public static var _optionalPlan: FieldPlan { FieldPlan(.optionalData, .length) }

  public static func _read(_ reader: inout WireReader) throws(WireError) -> Self { [UInt8](try reader.bytes()) }
  public func _write(to writer: inout WireWriter) { writer.data(self) }
}

extension Array: WireSetElement where Element == UInt8 {
  public static func _precedes(_ left: Self, _ right: Self) -> Bool { left.lexicographicallyPrecedes(right) }
}

extension UUIDValue: WireSetElement, WireField {
  public static var _wireType: WireType { .length }
  public static var _singlePlan: FieldPlan { FieldPlan(.id, .length) }
  public static var _optionalPlan: FieldPlan { FieldPlan(.optionalID, .length) }

  public static func _read(_ reader: inout WireReader) throws(WireError) -> Self { try reader.uuid() }
  public func _write(to writer: inout WireWriter) { writer.uuid(self) }
  public static func _precedes(_ left: Self, _ right: Self) -> Bool { left < right }
  public static var _listPlan: FieldPlan { FieldPlan(IDListCodec<Self>(), .length) }
  public static var _setPlan: FieldPlan { FieldPlan(IDSetCodec<Self>(), .length) }
}

extension ObjectID: WireListElement, WireElement, WireSetElement, WireField {
  public static var _wireType: WireType { .length }
  public static var _singlePlan: FieldPlan { FieldPlan(.requiredID, .length) }
  public static var _optionalPlan: FieldPlan { FieldPlan(.optionalID, .length) }

  public static func _read(_ reader: inout WireReader) throws(WireError) -> Self { Self(try reader.uuid()) }
  public func _write(to writer: inout WireWriter) { writer.uuid(rawValue) }
  public static func _precedes(_ left: Self, _ right: Self) -> Bool { left < right }
  public static var _listPlan: FieldPlan { FieldPlan(IDListCodec<Self>(), .length) }
  public static var _setPlan: FieldPlan { FieldPlan(IDSetCodec<Self>(), .length) }
}

extension ContentHash: WireElement, WireField {
  public static var _wireType: WireType { .length }
  public static var _singlePlan: FieldPlan { FieldPlan(.hash, .length) }
  public static var _optionalPlan: FieldPlan { FieldPlan(.optionalHash, .length) }

  public static func _read(_ reader: inout WireReader) throws(WireError) -> Self { try reader.hash() }
  public func _write(to writer: inout WireWriter) { writer.hash(self) }
}
