// A value as text, made by reflection and so without the codec. The Python side prints the same bytes in this form.
import ModelSupport

enum ProtobufText {
  static func text(of value: Any) -> String {
    var parts: [String] = []
    for child in Mirror(reflecting: value).children {
      guard let label = child.label, label != "id", label != "unknownFields" else { continue }
      if let shown = field(child.value) {
        parts.append("\(label.hasPrefix("_") ? String(label.dropFirst()) : label)=\(shown)")
      }
    }
    return "{\(parts.sorted().joined(separator: ";"))}"
  }

  /// Nil for a value that is absent from a blob: no value, or an empty list.
  private static func field(_ value: Any) -> String? {
    // Looks at the type instead of the value, because any empty array could be cast to bytes.
    if type(of: value) == [UInt8].self, let bytes = value as? [UInt8] { return hexadecimal(bytes) }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional { return mirror.children.first.flatMap { scalar($0.value) } }
    if mirror.displayStyle == .collection { return list(mirror) }
    if String(describing: type(of: value)).hasPrefix("SortedSet<") {
      return mirror.children.first.flatMap { list(Mirror(reflecting: $0.value)) }
    }
    return scalar(value)
  }

  private static func list(_ mirror: Mirror) -> String? {
    mirror.children.isEmpty ? nil : "[\(mirror.children.map { scalar($0.value) }.joined(separator: ","))]"
  }

  private static func scalar(_ value: Any) -> String {
    switch value {
    case let value as Bool: return value ? "1" : "0"
    case let value as any FixedWidthInteger: return "\(value)"
    case let value as Double: return hexadecimal(bytes(value.bitPattern))
    case let value as Float: return hexadecimal(bytes(value.bitPattern))
    case let value as String: return hexadecimal(Array(value.utf8))
    case let value as [UInt8]: return hexadecimal(value)
    case let value as Timestamp: return "\(value.millisecondsSince1970)"
    case let value as UUIDValue: return hexadecimal(bytes(value.high) + bytes(value.low))
    case let value as ContentHash:
      let words = value.words
      return hexadecimal([words.0, words.1, words.2, words.3].flatMap(bytes))
    case let value as any ModelEnum: return "\(value.rawValue)"
    case let value as any ModelStruct: return text(of: value)
    default:
      // An `ObjectID` of any model.
      return Mirror(reflecting: value).children.first.map { scalar($0.value) } ?? "?"
    }
  }

  private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
