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

  /// Reports a field that is not there.
  func field(_ name: Spelled, in model: CatalogModel) -> DeclaredField? {
    if let field = model.fieldsByName[name.text] { return field }
    let suggestion = Suggestion.nearest(to: name.text, among: model.fields.map(\.name.text))
    findings.report(
      .unknownField, "`\(model.name.text)` has no field `\(name.text)`.", at: name.range, replacement: suggestion)
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
    let fields: [(name: String, type: FieldType?)]
    switch type.base {
    case .file: fields = Self.fileFields
    case .structure(let structure):
      fields = (catalog.structs[structure] ?? []).map { ($0.name.text, $0.type) }
    case .reference(let target) where reach == .references:
      guard let model = catalog.models[target] else { return .unknowable }
      fields = model.fields.map { ($0.name.text, $0.type) }
    case .reference:
      findings.report(
        .unknownField, "A path here stays inside the object; it does not follow a ref.", at: name.range)
      return .wrong
    default:
      findings.report(.unknownField, "A value of the type \(type.shown) has no fields.", at: name.range)
      return .wrong
    }
    guard let field = fields.first(where: { $0.name == name.text }) else {
      findings.report(
        .unknownField, "\(type.base.shown) has no field `\(name.text)`.", at: name.range,
        replacement: Suggestion.nearest(to: name.text, among: fields.map(\.name)))
      return .wrong
    }
    guard let inner = field.type else { return .unknowable }
    return .type(FieldType(inner.base, Self.position(type.position, inner.position)))
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

  private static let fileFields: [(name: String, type: FieldType?)] = [
    ("hash", FieldType(.data)), ("size", FieldType(.int64)), ("mime", FieldType(.string)), ("name", FieldType(.string)),
  ]
}
