// Fields of a message, decoded without the schema.
import ModelSupport

/// A field of a message by its tag.
struct FieldEntry: Equatable {
  var tag: Int
  /// The name in the store's own tables, or `#` and the tag. No name in a schema begins with `#`.
  var name: String
  var value: ReportValue

  init(tag: Int, name: String?, value: ReportValue) {
    (self.tag, self.name, self.value) = (tag, name ?? "#\(tag)", value)
  }
}

extension [FieldEntry] {
  /// An object with a member for each field.
  var object: ReportValue { .object(map { ReportValue.Member(name: $0.name, value: $0.value) }) }
}

/// Ids, times and hashes are text, data is hexadecimal. People see strings in quotes, and only the beginning of long
/// data.
extension ReportValue {
  /// `type` is the word of the field's type, or of its elements.
  init(number: UInt64, of field: StoredField, as type: String) {
    switch type {
    case "bool": self = .bool(number != 0)
    case "int32": self.init(number: Int32(truncatingIfNeeded: number))
    case "uint32": self.init(number: UInt32(truncatingIfNeeded: number))
    case "uint64": self.init(number: number)
    case "counter": self.init(number: Zigzag.decode(number))
    case "timestamp": self.init(Timestamp(millisecondsSince1970: Int64(bitPattern: number)))
    case "float": self = .fraction(Float(bitPattern: UInt32(truncatingIfNeeded: number)))
    case "double": self = .fraction(Double(bitPattern: number))
    case "enum":
      let number = Int32(truncatingIfNeeded: number)
      let name = field.cases?.first { $0.number == number }?.name
      self = name.map { .worded("\($0) (\(number))", .string($0)) } ?? Self(number: number)
    default: self.init(number: Int64(bitPattern: number))
    }
  }

  /// Decodes a value of wire type `length`; nil if the bytes do not fit the type.
  init?(_ bytes: [UInt8], as type: String) {
    let value: Self? =
      switch type {
      case "string": String(validating: bytes, as: UTF8.self).map { .quoted($0) }
      case "data": .worded(Self.beginning(of: bytes), .string(hexadecimal(bytes)))
      case "hash": ContentHash(bytes: bytes).map { Self($0) }
      default: UUIDValue(bytes: bytes).map { Self($0) }
      }
    guard let value else { return nil }
    self = value
  }

  /// A record that no table describes.
  static func undescribed(_ wireType: WireType, _ bytes: [UInt8]) -> Self {
    .worded(
      "\(wireType) \(beginning(of: bytes))",
      ["wireType": .string("\(wireType)"), "hex": .string(hexadecimal(bytes))])
  }

  /// Bytes that do not fit the type in the table.
  static func unreadable(_ bytes: [UInt8]) -> Self {
    .worded("unreadable \(beginning(of: bytes))", ["unreadable": .string(hexadecimal(bytes))])
  }

  static func quoted(_ text: String) -> Self { .worded("\"\(text)\"", .string(text)) }

  /// JSON has no numbers for infinity and NaN, so these become strings.
  static func fraction(_ value: some BinaryFloatingPoint & CustomStringConvertible) -> Self {
    value.isFinite ? .number("\(value)") : .string("\(value)")
  }

  private static func beginning(of bytes: [UInt8]) -> String {
    let shownBytes = 64
    guard bytes.count > shownBytes else { return bytes.isEmpty ? "(no bytes)" : hexadecimal(bytes) }
    return hexadecimal(bytes.prefix(shownBytes)) + "… (\(bytes.count) bytes)"
  }
}

/// The bytes as lower-case hexadecimal digits.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
