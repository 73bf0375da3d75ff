// The value of a field, decoded without the schema.
import ModelSupport

/// A field of a message by its tag. The name comes from the store's own tables.
struct FieldEntry: Equatable {
  var tag: Int
  /// Nil for a field that has no name in the store's tables.
  var name: String?
  var value: FieldValue
}

indirect enum FieldValue: Equatable {
  case bool(Bool)
  case integer(Int64)
  case natural(UInt64)
  case fraction(Double)
  case float(Float)
  case text(String)
  case data([UInt8])
  /// A uuid, an id or a hash, as it is printed.
  case word(String)
  case time(Timestamp)
  case enumeration(Int32, name: String?)
  case message([FieldEntry])
  case list([FieldValue])
  /// A record that no table describes: its wire type and its bytes.
  case record(WireType, [UInt8])
  /// Bytes that do not fit the type in the table.
  case unreadable([UInt8])
}

/// The bytes as lower-case hexadecimal digits.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
