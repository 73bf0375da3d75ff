// The value of a field, as it can be shown; nothing here knows the schema.
import ModelRuntime

/// A field of a message, by tag; the name comes from the store's own tables.
struct FieldEntry: Equatable {
  var tag: Int
  /// Nil for a field that the store's tables do not name.
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
  /// A uuid, an id or a hash: what prints as one word.
  case word(String)
  case time(Timestamp)
  case enumeration(Int32, name: String?)
  case message([FieldEntry])
  case list([FieldValue])
  /// A record that no table explains: its key and its value.
  case record(WireType, [UInt8])
  /// Bytes that are not what the table says.
  case unreadable([UInt8])
}

/// Digits of bytes, lower case.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
