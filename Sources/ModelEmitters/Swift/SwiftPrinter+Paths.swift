// Looks up the fields on a path, and the fields that an id is derived from.
import ModelSchema

extension SwiftPrinter {
  /// The type of the field `name` in a model, struct or file, and whether the field is deprecated.
  func field(_ name: String, of base: BaseType) -> (type: FieldType, isDeprecated: Bool) {
    let declared: FieldDeclaration?
    if let system = SystemField(rawValue: name) { return (system.type, false) }
    switch base {
    case .reference(let model):
      declared = schema.model(named: model)?.field(named: name)
    case .structure(let type):
      declared = structFields[type]?.first { $0.name == name }
    case .file where name == "size": return (FieldType(.int64), false)
    case .file where name == "hash": return (FieldType(.data), false)
    default: return (FieldType(.string), false)
    }
    return (declared?.type ?? FieldType(.string), declared?.deprecated != nil)
  }

  /// The property of `SystemFields`, as `createdBy` for `$creator`.
  func property(_ field: SystemField) -> String {
    switch field {
    case .creator: "createdBy"
    case .created: "createdAt"
    case .updated: "updatedAt"
    }
  }

  /// The label of an identity field in `id(in:…)`: `fileHash` for `file.hash`.
  func identityLabel(_ path: FieldPath) -> String {
    path.names[0] + path.names.dropFirst().map(\.capitalised).joined()
  }

  /// The type of an identity field, and whether it is the hash of a file: the only field of bytes that a file has.
  func identityType(_ path: FieldPath, of model: ModelDeclaration) -> (type: FieldType, isHash: Bool) {
    path.names.reduce((FieldType(.reference(model.name)), false)) { outer, name in
      let type = field(name, of: outer.0.base).type
      return (type, outer.0.base == .file && type.base == .data)
    }
  }
}

extension SwiftPrinter {
  /// Whether the type is a file or a struct that contains one. Structs may contain lists of themselves.
  func namesFiles(_ base: BaseType) -> Bool {
    var seen: Set<BaseType> = []
    return namesFiles(base, &seen)
  }

  private func namesFiles(_ base: BaseType, _ seen: inout Set<BaseType>) -> Bool {
    if base == .file { return true }
    guard case .structure(let type) = base, seen.insert(base).inserted else { return false }
    for field in structFields[type] ?? [] where namesFiles(field.type.base, &seen) { return true }
    return false
  }
}
