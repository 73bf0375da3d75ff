// How Bool, the integers, the floating-point numbers and Timestamp are encoded in records.

/// A number that is encoded as a varint.
public protocol VarintElement: WireSetElement, WireField {
  init(_varint varint: UInt64)
  var _varint: UInt64 { get }
}

extension VarintElement {
  public static var _wireType: WireType { .varint }

  public static func _read(_ reader: inout WireReader) throws(WireError) -> Self {
    Self(_varint: try reader.varint())
  }

  public func _write(to writer: inout WireWriter) {
    writer.varint(_varint)
  }

  public static func _precedes(_ left: Self, _ right: Self) -> Bool {
    varintPrecedes(left._varint, right._varint)
  }
}

/// Compares the bytes of varints, which begin with the lowest 7 bits. This is not the order of numbers: 256 is before
/// 129.
func varintPrecedes(_ left: UInt64, _ right: UInt64) -> Bool {
  var left = left
  var right = right
  while true {
    let leftByte = left & 0x7F | (left >= 0x80 ? 0x80 : 0)
    let rightByte = right & 0x7F | (right >= 0x80 ? 0x80 : 0)
    if leftByte != rightByte { return leftByte < rightByte }
    if leftByte < 0x80 { return false }
    left >>= 7
    right >>= 7
  }
}

extension Bool: VarintElement {
  public static var _singlePlan: FieldPlan { FieldPlan(.bool, .varint) }
  public static var _optionalPlan: FieldPlan { FieldPlan(.optionalBool, .varint) }
  public init(_varint varint: UInt64) { self = varint != 0 }
  public var _varint: UInt64 { self ? 1 : 0 }
}

extension Int32: VarintElement {
  public static var _singlePlan: FieldPlan { FieldPlan(.int32, .varint) }
  public static var _optionalPlan: FieldPlan { FieldPlan(.optionalInt32, .varint) }
  public init(_varint varint: UInt64) { self.init(truncatingIfNeeded: varint) }
  public var _varint: UInt64 { UInt64(bitPattern: Int64(self)) }
}

extension Int64: VarintElement {
  public static var _singlePlan: FieldPlan { FieldPlan(.word, .varint) }
  public static var _optionalPlan: FieldPlan { FieldPlan(.optionalWord, .varint) }
  public init(_varint varint: UInt64) { self.init(bitPattern: varint) }
  public var _varint: UInt64 { UInt64(bitPattern: self) }
}

extension UInt32: VarintElement {
  public static var _singlePlan: FieldPlan { FieldPlan(.uint32, .varint) }
  public static var _optionalPlan: FieldPlan { FieldPlan(.optionalUInt32, .varint) }
  public init(_varint varint: UInt64) { self.init(truncatingIfNeeded: varint) }
  public var _varint: UInt64 { UInt64(self) }
}

extension UInt64: VarintElement {
  public static var _singlePlan: FieldPlan { FieldPlan(.uint64, .varint) }
  public static var _optionalPlan: FieldPlan { FieldPlan(.optionalUInt64, .varint) }
  public init(_varint varint: UInt64) { self = varint }
  public var _varint: UInt64 { self }
}

extension Timestamp: VarintElement {
  public static var _singlePlan: FieldPlan { FieldPlan(.word, .varint) }
  public static var _optionalPlan: FieldPlan { FieldPlan(.optionalWord, .varint) }
  public init(_varint varint: UInt64) { self.init(millisecondsSince1970: Int64(bitPattern: varint)) }
  public var _varint: UInt64 { UInt64(bitPattern: millisecondsSince1970) }
}

extension Float: WireElement, WireField {
  public static var _wireType: WireType { .fixed32 }
  public static var _singlePlan: FieldPlan { FieldPlan(.float, .fixed32) }
  public static var _optionalPlan: FieldPlan { FieldPlan(.optionalFloat, .fixed32) }

  public static func _read(_ reader: inout WireReader) throws(WireError) -> Self {
    Self(bitPattern: try reader.fixed32())
  }

  public func _write(to writer: inout WireWriter) { writer.fixed32(bitPattern) }
}

extension Double: WireElement, WireField {
  public static var _wireType: WireType { .fixed64 }
  public static var _singlePlan: FieldPlan { FieldPlan(.double, .fixed64) }
  public static var _optionalPlan: FieldPlan { FieldPlan(.optionalDouble, .fixed64) }

  public static func _read(_ reader: inout WireReader) throws(WireError) -> Self {
    Self(bitPattern: try reader.fixed64())
  }

  public func _write(to writer: inout WireWriter) { writer.fixed64(bitPattern) }
}
