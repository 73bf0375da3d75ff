// Finds changes of a schema with which the bytes of a store would be misread (docc, "Evolution").

/// A change of a field that loses or misreads what was stored. Renamed, new and removed fields do not.
enum SchemaChange: Hashable, CustomStringConvertible {
  case type(tag: Int, before: StoredField, now: StoredField)
  case tag(name: String, before: Int, now: Int)

  /// The first such change in a model or struct, in the order of the tags; nil if there is none.
  static func first(from before: [StoredField], to fields: [StoredField]) -> Self? {
    let (tags, names) = (Set(before.map(\.tag)), Set(before.map(\.name)))
    for old in before.sorted(by: { $0.tag < $1.tag }) {
      let field = fields.first { $0.tag == old.tag }
      // A new name under the old tag is a rename; a name that the store knows from another tag is none. If the tag is
      // gone, so is the field, unless its name has a tag that is new.
      if field?.name != old.name, field.map({ names.contains($0.name) }) ?? true,
        let moved = fields.first(where: { $0.name == old.name && (field != nil || !tags.contains($0.tag)) })
      {
        return .tag(name: old.name, before: old.tag, now: moved.tag)
      }
      guard let field else { continue }
      if field.shape != old.shape { return .type(tag: old.tag, before: old, now: field) }
      if let inner = first(from: old.fields ?? [], to: field.fields ?? []) { return inner }
    }
    return nil
  }

  var description: String {
    switch self {
    case .type(let tag, let before, let now):
      let name = before.name == now.name ? "`\(now.name)`" : "`\(now.name)`, formerly `\(before.name)`,"
      return "\(name) has the tag \(tag), which was of the type \(before.type) in this store and is \(now.type) now. "
        + "Stored values would be misread: keep the old field, and give the new one a tag and a name of its own. "
        + Self.whileDeveloping
    case .tag(let name, let before, let now):
      return "`\(name)` has the tag \(now) now, and had the tag \(before) in this store. "
        + "Stored values would not be found: give it the old tag back. " + Self.whileDeveloping
    }
  }

  private static let whileDeveloping = "While you develop, you can delete the store's folder instead."
}

extension StoredField {
  /// The type without what may change: an optional field counts like one that is not, and a struct has any name, because
  /// its fields are compared one by one.
  fileprivate var shape: String {
    let type = type.hasSuffix("?") ? String(type.dropLast()) : type
    guard let open = type.firstIndex(of: "(") else { return Self.word(type) }
    return type[...open] + Self.word(type[type.index(after: open)...].dropLast()) + ")"
  }

  private static func word(_ type: some StringProtocol) -> String {
    builtIn.contains(String(type)) ? String(type) : "struct"
  }

  /// The words of `FieldType`.
  private static let builtIn: Set<String> = [
    "bool", "int32", "int64", "uint32", "uint64", "float", "double", "counter", "string", "data", "uuid", "hash",
    "timestamp", "id", "enum",
  ]
}
