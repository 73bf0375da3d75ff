// The protocol of types whose stored properties the engine reads and writes.

/// A type with a field table.
///
/// A type of its own with fewer fields than the message it is read from is a projection: what its table does not name
/// is skipped, and reading it allots nothing as long as its properties do not. See `FieldProjection`.
public protocol FieldTabled: Sendable {
  /// Made once, in a `static let`.
  static var fieldTable: FieldTable { get }
}

/// A message: keeps what it does not know.
public protocol WireMessage: FieldTabled, Hashable {
  /// Fields that a newer schema declares; kept and written again.
  var unknownFields: UnknownFields { get set }
}

/// A message inside a message.
public protocol WireStruct: WireMessage, WireElement, WireField {
  /// The value that decoding starts from: declared defaults and zeros.
  static var zero: Self { get }
}

/// An open list of numbers; 0 means absent.
public protocol WireEnum: WireSetElement, WireField {
  /// Total: a number without a name is kept as it is.
  init(rawValue: Int32)
  var rawValue: Int32 { get }
}

/// A few fields of a message, read without the others: what lists sort, group and filter by.
public protocol FieldProjection: FieldTabled {
  /// The value that reading starts from: declared defaults and zeros.
  init()
}
