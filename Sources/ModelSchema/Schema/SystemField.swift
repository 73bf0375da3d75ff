// What the server notes of each object: its bytes do not have it, and lists and views read it like a field.

public enum SystemField: String, Hashable, Sendable, CaseIterable {
  case creator = "$creator"
  case created = "$created"
  case updated = "$updated"

  /// The name without the sign.
  public var word: String { String(rawValue.dropFirst()) }

  public var type: FieldType {
    switch self {
    case .creator: FieldType(.userReference)
    case .created, .updated: FieldType(.timestamp)
    }
  }
}

extension FieldPath {
  /// The system field that the path is; nil where it begins with a field of the model. No system field has parts.
  public var system: SystemField? { names.first.flatMap(SystemField.init) }
}
