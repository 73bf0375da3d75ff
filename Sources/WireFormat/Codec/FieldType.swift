// The type of a field, in the words of the schema language, for tools that have bytes but no schema.

/// The type of a field, as far as the codec knows it.
public indirect enum FieldType: Sendable {
  case bool, int32, int64, uint32, uint64, float, double, counter
  case string, data, uuid, hash, timestamp
  /// A reference. The table does not say to which model.
  case id
  case enumeration(any WireEnum.Type)
  case structure(any WireStruct.Type)
  case optional(FieldType)
  case list(FieldType)
  case set(FieldType)
}

extension FieldType: CustomStringConvertible {
  /// `string`, `string?`, `set(id)`, `list(place)`; every enum is `enum`.
  public var description: String {
    switch self {
    case .bool: "bool"
    case .int32: "int32"
    case .int64: "int64"
    case .uint32: "uint32"
    case .uint64: "uint64"
    case .float: "float"
    case .double: "double"
    case .counter: "counter"
    case .string: "string"
    case .data: "data"
    case .uuid: "uuid"
    case .hash: "hash"
    case .timestamp: "timestamp"
    case .id: "id"
    case .enumeration: "enum"
    case .structure(let type): type.fieldTable.name
    case .optional(let type): "\(type)?"
    case .list(let type): "list(\(type))"
    case .set(let type): "set(\(type))"
    }
  }

  /// The type without `?`, `list` and `set`.
  public var element: FieldType {
    switch self {
    case .optional(let type), .list(let type), .set(let type): type
    default: self
    }
  }
}

extension Bool { public static var _elementType: FieldType { .bool } }
extension Int32 { public static var _elementType: FieldType { .int32 } }
extension Int64 { public static var _elementType: FieldType { .int64 } }
extension UInt32 { public static var _elementType: FieldType { .uint32 } }
extension UInt64 { public static var _elementType: FieldType { .uint64 } }
extension Float { public static var _elementType: FieldType { .float } }
extension Double { public static var _elementType: FieldType { .double } }
extension Timestamp { public static var _elementType: FieldType { .timestamp } }
extension String { public static var _elementType: FieldType { .string } }
extension [UInt8] { public static var _elementType: FieldType { .data } }
extension UUIDValue { public static var _elementType: FieldType { .uuid } }
extension ObjectID { public static var _elementType: FieldType { .id } }
extension ContentHash { public static var _elementType: FieldType { .hash } }
extension WireEnum { public static var _elementType: FieldType { .enumeration(Self.self) } }
extension WireStruct { public static var _elementType: FieldType { .structure(Self.self) } }

extension UInt8 { public static var _listType: FieldType { .data } }
extension WireElement { public static var _listType: FieldType { .list(_elementType) } }

extension WireField where Self: WireElement { public static var _fieldType: FieldType { _elementType } }
extension Optional where Wrapped: WireElement {
  public static var _fieldType: FieldType { .optional(Wrapped._elementType) }
}
extension Array where Element: WireListElement { public static var _fieldType: FieldType { Element._listType } }
extension SortedSet { public static var _fieldType: FieldType { .set(Element._elementType) } }
