// The table of models and types, made before any field is read.

/// The names of models and types, as each file sees them.
struct NameTable {
  /// The kind of a declared type, with the cases of an enum.
  enum TypeKind {
    case structure
    case enumeration(cases: [EnumCase])
  }

  /// The place of each model's name, by stem.
  private(set) var models: [String: Spelled] = [:]
  /// The models that are ephemeral, by stem.
  private(set) var ephemeralModels: Set<String> = []
  /// The stems of files that could not be parsed.
  private(set) var brokenStems: Set<String> = []
  /// Types under `unions:`, which are not part of the language yet.
  private var unreadTypes: Set<TypeName> = []
  private(set) var types: [TypeName: TypeKind] = [:]
  private var caseNames: [TypeName: Set<String>] = [:]
  private(set) var enums: [TypeName: EnumDeclaration] = [:]

  init(_ outlines: [FileOutline], _ lock: SchemaLock?, _ findings: Findings) {
    let rules = NameRules(findings)
    var spelledModels: [FormerName] = []
    var shared: [YAMLPair] = []
    for outline in outlines {
      if outline.isBroken { brokenStems.insert(outline.stem) }
      add(outline, lock, findings)
      let pairs = outline.structs + outline.enums
      guard let model = outline.model else {
        shared += pairs
        continue
      }
      models[outline.stem] = models[outline.stem] ?? model
      if EphemeralReader.isEphemeral(outline) { ephemeralModels.insert(outline.stem) }
      spelledModels.append(
        FormerName(now: model, was: outline.parts["was"].flatMap { FormerName.name(in: $0.value, now: model) }))
      rules.checkUnique(pairs.map(\.key), "type")
      rules.checkFormer(pairs.map(FormerName.init))
    }
    rules.checkUnique(spelledModels.map(\.now), "model")
    rules.checkFormer(spelledModels)
    // Models and shared types become messages at the top level of the `.proto`, under these names.
    rules.checkUnique(spelledModels.map(\.now) + shared.map(\.key), "shared type")
    rules.checkFormer(shared.map(FormerName.init))
    FileNames.checkUnique(outlines, findings)
  }

  private mutating func add(_ outline: FileOutline, _ lock: SchemaLock?, _ findings: Findings) {
    unreadTypes.formUnion(outline.unions.map { TypeName(model: outline.model?.text, name: $0) })
    for pair in outline.structs {
      let name = TypeName(model: outline.model?.text, name: pair.key.text)
      NameRules(findings).check(pair.key, as: .type)
      types[name] = .structure
    }
    for pair in outline.enums {
      let name = TypeName(model: outline.model?.text, name: pair.key.text)
      NameRules(findings).check(pair.key, as: .type)
      let declaration = EnumReader(lock: lock, findings: findings).read(pair, of: outline)
      enums[name] = declaration
      types[name] = .enumeration(cases: declaration.cases)
      caseNames[name] = Set(declaration.cases.map(\.name))
    }
  }

  /// The type that `name` means in the file of `model`: a nested one first, then a shared one.
  func type(_ name: String, from model: String?) -> (TypeName, TypeKind)? {
    for scope in model == nil ? [nil] : [model, nil] {
      let typeName = TypeName(model: scope, name: name)
      if let kind = types[typeName] { return (typeName, kind) }
    }
    return nil
  }

  /// The first model that has a nested type of this name; nil where none has.
  func owner(ofNested name: String) -> String? { types.keys.filter { $0.name == name }.compactMap(\.model).min() }

  /// Whether `name` means a type under `unions:`, which has been reported there.
  func isUnread(_ name: String, from model: String?) -> Bool {
    unreadTypes.contains(TypeName(model: model, name: name)) || unreadTypes.contains(TypeName(model: nil, name: name))
  }

  /// The names of all types that are visible in the file of `model`, sorted.
  func visibleTypes(from model: String?) -> [String] {
    types.keys.filter { $0.model == nil || $0.model == model }.map(\.name).sorted()
  }

  func hasCase(_ text: String, in name: TypeName) -> Bool {
    caseNames[name]?.contains(text) ?? false
  }

  func cases(of name: TypeName) -> [EnumCase] {
    if case .enumeration(let cases) = types[name] { cases } else { [] }
  }
}
