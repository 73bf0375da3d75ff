// The type of a stored field, parsed from its text.
import ModelSupport

/// The type behind a text such as `string?`, `set(id)` or `list(place)`.
struct ValueType: Equatable {
  var element: Element
  /// Whether it is a list or a set. Then each record is an element, and numbers may be packed.
  var isCollection: Bool

  enum Element: Equatable {
    case bool, int32, int64, uint32, uint64, float, double, counter
    case string, data, uuid, hash, timestamp, id
    case enumeration([StoredField.Case])
    case structure([StoredField])
    /// A type that only a newer library knows.
    case unknown
  }

  /// `outer` are the structs around the field, by name: a struct inside itself has its fields described only once.
  init(_ field: StoredField, in outer: [String: [StoredField]]) {
    var word = field.type[...]
    isCollection = false
    for form in ["list(", "set("] where word.hasPrefix(form) && word.hasSuffix(")") {
      word = word.dropFirst(form.count).dropLast()
      isCollection = true
    }
    if word.hasSuffix("?") { word = word.dropLast() }
    element = Self.plain[String(word)] ?? .unknown
    if word == "enum" { element = .enumeration(field.cases ?? []) }
    if let fields = field.fields ?? outer[String(word)] { element = .structure(fields) }
  }

  /// The name of the struct, without `list( )`, `set( )` and `?`.
  static func structName(of field: StoredField) -> String {
    field.type.split(whereSeparator: { "()?".contains($0) }).last.map(String.init) ?? ""
  }

  private static let plain: [String: Element] = [
    "bool": .bool, "int32": .int32, "int64": .int64, "uint32": .uint32, "uint64": .uint64, "float": .float,
    "double": .double, "counter": .counter, "string": .string, "data": .data, "uuid": .uuid, "hash": .hash,
    "timestamp": .timestamp, "id": .id,
  ]

  /// The wire type of a single value; nil where it is unknown.
  var wireType: WireType? {
    switch element {
    case .bool, .int32, .int64, .uint32, .uint64, .counter, .timestamp, .enumeration: .varint
    case .float: .fixed32
    case .double: .fixed64
    case .string, .data, .uuid, .hash, .id, .structure: .length
    case .unknown: nil
    }
  }
}
