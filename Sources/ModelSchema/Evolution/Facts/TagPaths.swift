// Writes types, paths and literals by names that never change: tags, wire names, numbers of cases.

/// The names of one schema, to be written as facts.
struct TagPaths {
  private var models: [String: ModelDeclaration] = [:]
  private var structs: [TypeName: (key: String, fields: [FieldDeclaration])] = [:]
  private var enums: [TypeName: (key: String, cases: [EnumCase])] = [:]

  init(_ schema: Schema) {
    for file in schema.files {
      if let model = file.model { models[model.name] = model }
      let prefix = file.model.map { $0.wireName + "." } ?? ""
      for type in file.structs {
        structs[TypeName(model: file.model?.name, name: type.name)] = (prefix + type.lockName, type.fields)
      }
      for type in file.enums {
        enums[TypeName(model: file.model?.name, name: type.name)] = (prefix + type.lockName, type.cases)
      }
    }
  }

  /// The wire name of a model.
  func wireName(_ model: String) -> String { models[model]?.wireName ?? model }

  /// `list(ref(photo))`, `struct(photo.place)?`
  func text(_ type: FieldType) -> String {
    let base =
      switch type.base {
      case .userReference: "ref(user)"
      case .reference(let model): "ref(\(wireName(model)))"
      case .structure(let name): "struct(\(structs[name]?.key ?? name.name))"
      case .enumeration(let name): "enum(\(enums[name]?.key ?? name.name))"
      default: "\(type.base)"
      }
    return switch type.position {
    case .single: base
    case .optional: base + "?"
    case .list: "list(\(base))"
    case .set: "set(\(base))"
    }
  }

  /// A path of the fields of a model, as tags: `3.1`.
  func own(_ path: FieldPath, in model: ModelDeclaration) -> String { walk(path.names, from: model.fields).text }

  /// The type at the end of a path of the fields of a model.
  func type(of path: FieldPath, in model: ModelDeclaration) -> FieldType? { walk(path.names, from: model.fields).type }

  /// The path of a value of this type, with a point before each tag; empty for no path.
  func text(_ path: [String], from type: FieldType?) -> String {
    guard !path.isEmpty else { return "" }
    return "." + walk(path, from: type.map(fields) ?? []).text
  }

  /// The fields that a path goes on with behind a value of a type.
  func fields(of type: FieldType) -> [FieldDeclaration] {
    switch type.base {
    case .reference(let model): models[model]?.fields ?? []
    case .structure(let name): structs[name]?.fields ?? []
    case .file: Self.file
    default: []
    }
  }

  func fields(ofModel model: String) -> [FieldDeclaration] { models[model]?.fields ?? [] }

  /// A literal; the case of an enum as its number.
  func text(_ literal: Literal, as type: FieldType?) -> String {
    switch literal {
    case .bool(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .unsigned(let value): return "\(value)"
    case .double(let value): return "\(value)"
    case .string(let value): return JSONText.quoted(value)
    case .enumCase(let name):
      guard case .enumeration(let enumeration) = type?.base,
        let known = enums[enumeration]?.cases.first(where: { $0.name == name })
      else { return name }
      return "\(known.number)"
    }
  }

  private func walk(_ names: [String], from fields: [FieldDeclaration]) -> (text: String, type: FieldType?) {
    var fields = fields
    var tags: [String] = []
    var type: FieldType?
    for name in names {
      if let system = SystemField(rawValue: name) {
        tags.append(name)
        type = system.type
        continue
      }
      // A valid schema has every field that it names.
      guard let field = fields.first(where: { $0.name == name }) else { return (names.joined(separator: "."), nil) }
      tags.append("\(field.tag)")
      type = field.type
      fields = self.fields(of: field.type)
    }
    return (tags.joined(separator: "."), type)
  }

  /// The parts of a file, by the tags of its message (docs/formats/blob-format.md).
  private static let file = [
    FieldDeclaration(name: "hash", type: FieldType(.data), tag: 1),
    FieldDeclaration(name: "size", type: FieldType(.int64), tag: 2),
    FieldDeclaration(name: "mime", type: FieldType(.string), tag: 3),
    FieldDeclaration(name: "name", type: FieldType(.string), tag: 4),
  ]
}
