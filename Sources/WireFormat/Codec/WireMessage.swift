// The protocol of types whose stored properties the engine reads and writes.

/// A type with a field table.
///
/// A type with fewer fields than the message that it is read from is a projection. Fields that its table does not name
/// are skipped, and reading it allocates nothing unless its properties do. See `FieldProjection`.
public protocol FieldTabled: Sendable {
  /// Made once, in a `static let`, because a table is never freed.
  static var fieldTable: FieldTable { get }
}

/// A message, which keeps the fields that it does not know.
public protocol WireMessage: FieldTabled, Hashable {
  /// Fields that only a newer schema declares. They are kept, and written again.
  var unknownFields: UnknownFields { get set }
}

/// A message inside a message.
public protocol WireStruct: WireMessage, WireElement, WireField {
  /// The value that decoding starts from: declared defaults and zeros.
  static var zero: Self { get }
}

/// An enum that may have numbers without a name. The number 0 means absent.
public protocol WireEnum: WireSetElement, WireField {
  /// Never fails: a number without a name is kept as it is.
  init(rawValue: Int32)
  var rawValue: Int32 { get }
}

/// A few fields of a message, read without the others. Lists use it for the fields by which they sort, group and
/// filter.
public protocol FieldProjection: FieldTabled {
  /// The value that reading starts from: declared defaults and zeros.
  init()
}
