// The protocols through which a property's type says how its field is read and written.

/// A type that a stored property of a message may have.
public protocol WireField: Encodable {
  static var _plan: FieldPlan { get }
  /// For people and inspection tools. The codec does not use it.
  static var _fieldType: FieldType { get }
}

/// A type that a list field may contain.
///
/// Separate from `WireElement` because of `UInt8`: an array of bytes is one value, `data`, and not a list.
public protocol WireListElement: Hashable, Sendable, Encodable {
  static var _listPlan: FieldPlan { get }
  static var _listType: FieldType { get }
}

/// One value in a record.
public protocol WireElement: WireListElement {
  static var _wireType: WireType { get }
  static var _singlePlan: FieldPlan { get }
  static var _optionalPlan: FieldPlan { get }
  static var _elementType: FieldType { get }

  /// Reads the value behind a record's key.
  static func _read(_ reader: inout WireReader) throws(WireError) -> Self
  /// Writes the value behind a record's key.
  func _write(to writer: inout WireWriter) throws(WireError)
  /// Sorts sets and unknown fields inside a value, which only messages have. Does nothing for other types.
  static func _normalise(_ value: inout Self)
}

/// A value that a set may hold. Sets are sorted by the bytes of their records.
public protocol WireSetElement: WireElement {
  /// Whether the bytes of the left value sort before those of the right one.
  static func _precedes(_ left: Self, _ right: Self) -> Bool
  /// Whether the bytes of two values are the same; for strings this is finer than `==`.
  static func _isSame(_ left: Self, _ right: Self) -> Bool
  static var _setPlan: FieldPlan { get }
}

extension WireField where Self: WireElement {
  public static var _plan: FieldPlan { _singlePlan }
}

extension WireElement {
  public static func _normalise(_ value: inout Self) {}

  public static var _listPlan: FieldPlan {
    _wireType == .length
      ? FieldPlan(ListCodec<Self>(), .length)
      : FieldPlan(PackedListCodec<Self>(), .length, alternate: _wireType)
  }
}

extension WireSetElement {
  public static func _isSame(_ left: Self, _ right: Self) -> Bool { left == right }

  public static var _setPlan: FieldPlan {
    FieldPlan(SetCodec<Self>(), _wireType, alternate: _wireType == .length ? nil : .length)
  }
}

extension Optional: WireField where Wrapped: WireElement {
  public static var _plan: FieldPlan { Wrapped._optionalPlan }
}

extension Array: WireField where Element: WireListElement {
  public static var _plan: FieldPlan { Element._listPlan }
}

extension SortedSet: WireField {
  public static var _plan: FieldPlan { Element._setPlan }
}
