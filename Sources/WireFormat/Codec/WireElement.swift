// The protocols through which a property's type tells how its field is read and written.

/// A type that a stored property of a message may have.
public protocol WireField: Encodable {
  static var plan: FieldPlan { get }
  /// For people and inspectors; the codec does not ask.
  static var fieldType: FieldType { get }
}

/// A type of which a field may hold a list.
///
/// Apart from `WireElement` for the sake of `UInt8`: an array of these is one value, `data`, and not a list.
public protocol WireListElement: Hashable, Sendable, Encodable {
  static var listPlan: FieldPlan { get }
  static var listType: FieldType { get }
}

/// One value in a record.
public protocol WireElement: WireListElement {
  static var wireType: WireType { get }
  static var singlePlan: FieldPlan { get }
  static var optionalPlan: FieldPlan { get }
  static var elementType: FieldType { get }

  /// Reads the value behind a record's key.
  static func read(_ reader: inout WireReader) throws(WireError) -> Self
  /// Writes the value behind a record's key.
  func write(to writer: inout WireWriter) throws(WireError)
  /// Whether values hold sets or unknown fields of their own that may want order: messages.
  static func normalise(_ value: inout Self)
}

/// A value that a set may hold: ordered by the bytes of its records.
public protocol WireSetElement: WireElement {
  /// Whether the bytes of one value are before those of the other.
  static func precedes(_ left: Self, _ right: Self) -> Bool
  /// Whether the bytes of two values are the same; for strings this is finer than `==`.
  static func isSame(_ left: Self, _ right: Self) -> Bool
  static var setPlan: FieldPlan { get }
}

extension WireField where Self: WireElement {
  public static var plan: FieldPlan { singlePlan }
}

extension WireElement {
  public static func normalise(_ value: inout Self) {}

  public static var listPlan: FieldPlan {
    wireType == .length
      ? FieldPlan(ListCodec<Self>(), .length)
      : FieldPlan(PackedListCodec<Self>(), .length, alternate: wireType)
  }
}

extension WireSetElement {
  public static func isSame(_ left: Self, _ right: Self) -> Bool { left == right }

  public static var setPlan: FieldPlan {
    FieldPlan(SetCodec<Self>(), wireType, alternate: wireType == .length ? nil : .length)
  }
}

extension Optional: WireField where Wrapped: WireElement {
  public static var plan: FieldPlan { Wrapped.optionalPlan }
}

extension Array: WireField where Element: WireListElement {
  public static var plan: FieldPlan { Element.listPlan }
}

extension SortedSet: WireField {
  public static var plan: FieldPlan { Element.setPlan }
}
