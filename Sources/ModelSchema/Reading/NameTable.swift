// Which models and types there are, before any field is read.

/// Names and what they stand for, as seen from each file.
struct NameTable {
  /// The kind of a declared type, with the cases of an enum.
  enum TypeKind {
    case structure
    case enumeration(cases: [EnumCase])
  }

  /// Where each model is named, by stem.
  private(set) var models: [String: Spelled] = [:]
  /// Files that could not be parsed, by stem.
  private(set) var brokenStems: Set<String> = []
  /// Types that are declared but not yet part of the language.
  private var unreadTypes: Set<TypeName> = []
  private(set) var types: [TypeName: TypeKind] = [:]
  private(set) var enums: [TypeName: EnumDeclaration] = [:]

  init(_ outlines: [FileOutline], _ findings: Findings) {
    var spelledModels: [Spelled] = []
    var shared: [Spelled] = []
    for outline in outlines {
      if outline.isBroken { brokenStems.insert(outline.stem) }
      if let model = outline.model {
        models[outline.stem] = models[outline.stem] ?? model
        spelledModels.append(model)
      }
      var local = outline.model == nil ? shared : []
      add(outline, &local, findings)
      if outline.model == nil { shared = local } else { NameRules(findings).checkUnique(local, "type") }
    }
    NameRules(findings).checkUnique(spelledModels, "model")
    NameRules(findings).checkUnique(shared, "shared type")
  }

  private mutating func add(_ outline: FileOutline, _ spelled: inout [Spelled], _ findings: Findings) {
    unreadTypes.formUnion(outline.unions.map { TypeName(model: outline.model?.text, name: $0) })
    for pair in outline.structs {
      let name = TypeName(model: outline.model?.text, name: pair.key.text)
      NameRules(findings).check(pair.key, as: .type)
      types[name] = .structure
      spelled.append(pair.key)
    }
    for pair in outline.enums {
      let name = TypeName(model: outline.model?.text, name: pair.key.text)
      NameRules(findings).check(pair.key, as: .type)
      let declaration = EnumReader(findings: findings).read(pair)
      enums[name] = declaration
      types[name] = .enumeration(cases: declaration.cases)
      spelled.append(pair.key)
    }
  }

  /// The type that `name` means inside the file of `model`: a nested one first, then a shared one.
  func type(_ name: String, from model: String?) -> (TypeName, TypeKind)? {
    for scope in model == nil ? [nil] : [model, nil] {
      let typeName = TypeName(model: scope, name: name)
      if let kind = types[typeName] { return (typeName, kind) }
    }
    return nil
  }

  /// Whether `name` means a type that cannot be read, which has been reported where it is declared.
  func isUnread(_ name: String, from model: String?) -> Bool {
    unreadTypes.contains(TypeName(model: model, name: name)) || unreadTypes.contains(TypeName(model: nil, name: name))
  }

  /// The names of all types that can be seen from the file of `model`.
  func visibleTypes(from model: String?) -> [String] {
    types.keys.filter { $0.model == nil || $0.model == model }.map(\.name).sorted()
  }

  func cases(of name: TypeName) -> [EnumCase] {
    if case .enumeration(let cases) = types[name] { cases } else { [] }
  }
}
