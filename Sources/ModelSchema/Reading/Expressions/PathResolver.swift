// Paths: `file.hash`, `moment.title`, `photos.file`.

struct PathResolver {
  let catalog: Catalog
  let findings: Findings

  /// How far a path may go.
  enum Reach {
    /// Fields of the object, of its structs and files.
    case own
    /// Also the fields of what its refs name.
    case references
  }

  /// A path of own fields, with its type where that is known; nil where it is not a path or leads nowhere.
  func ownPath(_ node: YAMLNode, in model: CatalogModel, _ what: String) -> (FieldPath, FieldType?)? {
    guard var scanner = KindReader(findings: findings).expression(of: node, what) else { return nil }
    guard let names = scanner.path(), scanner.isAtEnd else {
      findings.report(.unknownField, "\(what) is the name of a field, or a path like `file.hash`.", at: node.range)
      return nil
    }
    return resolve(names, in: model, .own)
  }

  /// Nil where the path leads nowhere, which has been reported; the type is nil where it cannot be known.
  func resolve(_ names: [Spelled], in model: CatalogModel, _ reach: Reach) -> (FieldPath, FieldType?)? {
    guard let first = names.first, let field = field(first, in: model) else { return nil }
    let path = FieldPath(names.map(\.text))
    guard let type = field.type else { return (path, nil) }
    switch walk(from: type, Array(names.dropFirst()), reach) {
    case .type(let type): return (path, type)
    case .unknowable: return (path, nil)
    case .wrong: return nil
    }
  }

  /// The type at the end of a path of own fields, without a word about what is wrong with it.
  func knownType(of path: [String], in model: CatalogModel) -> FieldType? {
    guard let first = path.first, var type = model.fieldsByName[first]?.type else { return nil }
    for name in path.dropFirst() {
      guard case .some(.some(let inner)) = fields(of: type.base, .own)?.types[name] else { return nil }
      type = FieldType(inner.base, Self.position(type.position, inner.position))
    }
    return type
  }

  /// Reports a field that is not there.
  func field(_ name: Spelled, in model: CatalogModel) -> DeclaredField? {
    if let field = model.fieldsByName[name.text] { return field }
    findings.report(
      .unknownField, "`\(model.name.text)` has no field `\(name.text)`.", at: name.range,
      replacement: Suggestion.nearest(to: name.text, among: model.fields.map(\.name.text)))
    return nil
  }

  enum Step {
    case type(FieldType)
    case unknowable
    case wrong
  }

  func walk(from start: FieldType, _ names: [Spelled], _ reach: Reach) -> Step {
    var type = start
    for name in names {
      switch step(from: type, name, reach) {
      case .type(let next): type = next
      case let end: return end
      }
    }
    return .type(type)
  }

  private func step(from type: FieldType, _ name: Spelled, _ reach: Reach) -> Step {
    if case .reference(let target) = type.base, reach == .references, catalog.models[target] == nil {
      return .unknowable
    }
    guard let fields = fields(of: type.base, reach) else {
      let isReference = if case .reference = type.base { true } else { false }
      findings.report(
        .unknownField,
        isReference
          ? "A path here stays inside the object; it does not follow a ref."
          : "A value of the type \(type.shown) has no fields.", at: name.range)
      return .wrong
    }
    guard let inner = fields.types[name.text] else {
      findings.report(
        .unknownField, "\(type.base.shown) has no field `\(name.text)`.", at: name.range,
        replacement: Suggestion.nearest(to: name.text, among: fields.names))
      return .wrong
    }
    guard let inner else { return .unknowable }
    return .type(FieldType(inner.base, Self.position(type.position, inner.position)))
  }

  private func fields(of base: BaseType, _ reach: Reach) -> FieldTypes? {
    switch base {
    case .file: Self.fileFields
    case .structure(let structure): catalog.structs[structure]
    case .reference(let target) where reach == .references: catalog.models[target]?.types
    default: nil
    }
  }

  /// Many of many are many; what is inside something absent is absent.
  private static func position(_ outer: FieldPosition, _ inner: FieldPosition) -> FieldPosition {
    switch (outer, inner) {
    case (.list, _), (.set, _): .list
    case (.single, _): inner
    case (.optional, .single): .optional
    case (.optional, _): inner
    }
  }

  private static let fileFields = FieldTypes([
    ("hash", FieldType(.data)), ("size", FieldType(.int64)), ("mime", FieldType(.string)), ("name", FieldType(.string)),
  ])
}
