// The type of a stored field, parsed from its text.
import ModelSupport

/// The type behind a text such as `string?`, `set(id)` or `list(place)`.
struct ValueType: Equatable {
  /// A word of the schema, for example `id`, or the name of a struct.
  var word: String
  /// Whether it is a list or a set. Then each record is an element.
  var isCollection = false
  var isStruct: Bool
  /// The wire type of a single value; nil for a type that only a newer library knows.
  var wireType: WireType?

  /// `outer` are the structs around the field, by name: a struct inside itself has its fields described only once.
  init(_ field: StoredField, in outer: [String: [StoredField]]) {
    var word = field.type[...]
    for form in ["list(", "set("] where word.hasPrefix(form) && word.hasSuffix(")") {
      word = word.dropFirst(form.count).dropLast()
      isCollection = true
    }
    if word.hasSuffix("?") { word = word.dropLast() }
    self.word = String(word)
    isStruct = field.fields != nil || outer[self.word] != nil
    wireType = isStruct ? .length : Self.wireTypes[self.word]
  }

  /// Whether a record may hold several numbers.
  var mayBePacked: Bool { isCollection && wireType != nil && wireType != .length }

  private static let wireTypes: [String: WireType] = [
    "bool": .varint, "int32": .varint, "int64": .varint, "uint32": .varint, "uint64": .varint, "counter": .varint,
    "timestamp": .varint, "enum": .varint, "float": .fixed32, "double": .fixed64, "string": .length, "data": .length,
    "uuid": .length, "hash": .length, "id": .length,
  ]
}
