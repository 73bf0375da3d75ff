// Resolves paths such as `file.hash`, `moment.title` and `photos.file` to types.

struct PathResolver: CatalogReader {
  let catalog: Catalog

  /// How far a path may go.
  enum Reach {
    /// Fields of the object itself, of its structs and of its files: what is in its bytes.
    case bytes
    /// Also what the server notes of it: `$creator`, `$created` and `$updated`.
    case own
    /// Also fields of the objects that its refs name.
    case references
  }

  /// Reads a path of the object's own fields. Reports a mistake and returns nil; the type is nil where it is unknown.
  func ownPath(
    _ node: YAMLNode, in model: CatalogModel, _ reach: Reach, _ what: String
  ) -> (FieldPath, FieldType?)? {
    guard var scanner = kinds.expression(of: node, what) else { return nil }
    let names = scanner.path()
    if reach == .own, let names, isQuestion(names, scanner) { return nil }
    guard let names, scanner.isAtEnd else {
      findings.report(.unknownField, "\(what) is the name of a field, or a path like `file.hash`.", at: node.range)
      return nil
    }
    return resolve(names, in: model, reach)
  }

  /// Reports a path that leads nowhere and returns nil; the type is nil where it is unknown.
  func resolve(_ names: [Spelled], in model: CatalogModel, _ reach: Reach) -> (FieldPath, FieldType?)? {
    guard let first = names.first else { return nil }
    let path = FieldPath(names.map(\.text))
    if reach == .own, model.fieldsByName[first.text] == nil, let view = model.shown[first.text] {
      return shown(names, by: view).map { (path, $0) }
    }
    let found = first.text.hasPrefix("$") ? systemField(first, reach) : field(first, in: model)?.type
    guard let found else { return nil }
    guard let type = found else { return (path, nil) }
    switch walk(from: type, Array(names.dropFirst()), reach) {
    case .type(let type): return (path, type)
    case .unknowable: return (path, nil)
    case .wrong: return nil
    }
  }

  /// The type of what a view shows, as in `row.unread`. Reports a wrong path and returns nil; nil inside where the type is
  /// unknown.
  private func shown(_ names: [Spelled], by view: FieldTypes) -> FieldType?? {
    guard names.count == 2 else {
      findings.report(
        .unknownField, "One field of a view stands here: `\(names[0].text).FIELD`.", at: (names.last ?? names[0]).range)
      return nil
    }
    guard let type = view.types[names[1].text] else {
      findings.report(
        .unknownField, "The view `\(names[0].text)` has no field `\(names[1].text)`.", at: names[1].range,
        nearestTo: names[1].text, among: view.names)
      return nil
    }
    if let type, type.position == .list || type.position == .set {
      findings.report(
        .unknownField, "`\(names[1].text)` has many values. A list needs one, such as a count.", at: names[1].range)
      return nil
    }
    return .some(type)
  }

  /// Reports a question such as `newest(message.inRoom).sentAt`, or a look-up, where a list needs a path. Returns whether it
  /// is one.
  func isQuestion(_ names: [Spelled], _ scanner: ExpressionScanner) -> Bool {
    guard names.count == 1, scanner.isNext("("),
      ChildrenReader.functions.contains(names[0].text) || catalog.models[names[0].text] != nil
    else { return false }
    findings.report(
      .viewPath,
      "A list asks nothing itself. Give this a name in a view, such as `views: { row: { last: \(names[0].text)(…) } }`, and "
        + "write `row.last` here.", at: names[0].range)
    return true
  }

  /// The type at the end of a path of own fields; nil where it is unknown. Reports nothing.
  func knownType(of path: [String], in model: CatalogModel) -> FieldType? {
    guard let first = path.first, var type = model.fieldsByName[first]?.type else { return nil }
    for name in path.dropFirst() {
      guard case .some(.some(let inner)) = fields(of: type.base, .own)?.types[name] else { return nil }
      type = FieldType(inner.base, Self.position(type.position, inner.position))
    }
    return type
  }

  /// The field of a model; reports one that does not exist and returns nil.
  func field(_ name: Spelled, in model: CatalogModel) -> DeclaredField? {
    if let field = model.fieldsByName[name.text] { return field }
    if model.viewNames.contains(name.text) {
      reportView(name, of: model.name.text)
      return nil
    }
    findings.report(
      .unknownField, "`\(model.name.text)` has no field `\(name.text)`.", at: name.range,
      nearestTo: name.text, among: model.fields.map(\.name.text) + model.shown.keys.sorted())
    return nil
  }

  private func reportView(_ name: Spelled, of model: String) {
    findings.report(
      .unknownField,
      "`\(name.text)` is a view. Only lists of `\(model)` read it; write the path that it shows.", at: name.range)
  }

  /// The type of a system field; reports one that there is not, or not here, and returns nil.
  private func systemField(_ name: Spelled, _ reach: Reach) -> FieldType?? {
    guard let field = SystemField(rawValue: name.text) else {
      findings.report(
        .unknownField,
        "There is no `\(name.text)` here. A path begins with a field, `$creator`, `$created` or `$updated`.",
        at: name.range, nearestTo: name.text, among: SystemField.allCases.map(\.rawValue))
      return nil
    }
    if reach != .bytes { return field.type }
    findings.report(
      .unknownField,
      "`\(name.text)` is what the server notes, and not in the bytes of the object: only lists and views read it.",
      at: name.range)
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
    if case .reference(let target) = type.base, reach == .references {
      if let field = SystemField(rawValue: name.text) {
        return .type(FieldType(field.type.base, Self.position(type.position, field.type.position)))
      }
      if catalog.models[target] == nil { return .unknowable }
    }
    guard let fields = fields(of: type.base, reach) else {
      let words =
        switch type.base {
        case .reference where reach == .own:
          "A path here stays inside the object. What is behind a ref goes into a view: a list can read its fields."
        case .reference: "A path here stays inside the object; it does not follow a ref."
        case .userReference:
          "A user is an id and has no fields: put the names of people into a model of yours with `identity: [user]`, "
            + "which a view reads as `member(PATH).name`; or make the field a `ref(member)`."
        default: "A value of the type \(type.shown) has no fields."
        }
      findings.report(.unknownField, words, at: name.range)
      return .wrong
    }
    guard let inner = fields.types[name.text] else {
      if case .reference(let target) = type.base, catalog.models[target]?.viewNames.contains(name.text) == true {
        reportView(name, of: target)
      } else {
        findings.report(
          .unknownField, "\(type.base.shown) has no field `\(name.text)`.", at: name.range,
          nearestTo: name.text, among: fields.names)
      }
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

  /// The position of a field inside another: below a list or set there are many, below an optional a single value is
  /// optional.
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
