// Reads `identity:` and `newestBy:`.

struct IdentityReader: CatalogReader {
  let catalog: Catalog

  /// The paths of `identity:` as they are written. Checks and reports nothing.
  static func namesIn(_ file: FileOutline) -> [[String]] {
    (file.parts["identity"]?.value.elements ?? []).compactMap(\.text).filter { !$0.isEmpty }.map { text in
      text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
  }

  func identity(of file: DeclaredFile, _ model: CatalogModel) -> [FieldPath] {
    guard let pair = file.outline.parts["identity"] else { return [] }
    let before = findings.diagnostics.count
    let identity = fields(pair, model)
    if model.queue == .own { noticeOrder(of: identity, model, pair) }
    if model.queue == .own, findings.diagnostics.count == before, !identity.contains(where: { namesUsers($0, model) }) {
      findings.report(
        .identityField,
        "The identity of a queue names its users, who may found and join it: add a field of the model that is a "
          + "`set(ref(user))` or a `ref(user)`.", at: pair.key.range)
    }
    return identity
  }

  /// Tells that two fields with a user each have an order: Anna and Ben, and Ben and Anna, are two queues.
  private func noticeOrder(of identity: [FieldPath], _ model: CatalogModel, _ pair: YAMLPair) {
    let single = identity.filter { path in
      path.names.count == 1 && model.fieldsByName[path.names[0]]?.type == FieldType(.userReference, .single)
    }.map { $0.names[0] }
    guard single.count > 1 else { return }
    findings.report(
      .identityOrder,
      "Who is `\(single[0])` and who is `\(single[1])` decides about the id: exchanged they are another queue. People who are "
        + "equal stand in one `set(ref(user))`.", at: pair.key.range)
  }

  private func fields(_ pair: YAMLPair, _ model: CatalogModel) -> [FieldPath] {
    var seen: Set<FieldPath> = []
    return kinds.elements(of: pair.value, "`identity:`").compactMap { node in
      guard let (path, type) = paths.ownPath(node, in: model, .bytes, "An identity field") else { return nil }
      guard seen.insert(path).inserted else {
        findings.report(.identityField, "The field is repeated here.", at: node.range)
        return nil
      }
      if let name = part(of: path, model, in: \.deprecated) {
        findings.report(
          .identityField, "`\(name)` of the struct is deprecated: ids are made of it, so it is still in use.",
          at: node.range)
      }
      if let name = part(of: path, model, in: \.converted) {
        findings.report(
          .identityField, "`\(name)` of the struct is converted: an older app could change it, and ids never change.",
          at: node.range)
      }
      guard let type, !canBeIdentity(type, at: path, of: model) else { return path }
      findings.report(
        .identityField,
        "A value of the type \(type.shown) cannot be part of an identity\(hint(for: type, in: model)).", at: node.range)
      return path
    }
  }

  private func canBeIdentity(_ type: FieldType, at path: FieldPath, of model: CatalogModel) -> Bool {
    if model.queue == .own, type == FieldType(.userReference, .set) { return path.names.count == 1 }
    return type.position == .single && type.base.canBeIdentity
  }

  private func hint(for type: FieldType, in model: CatalogModel) -> String {
    switch (type.base, type.position) {
    case (.file, _): "; its `.hash` can be one"
    case (.userReference, .list), (.userReference, .set):
      model.queue == .own
        ? "; a field of the model that is a `set(ref(user))` can be one"
        : "; only the identity of a queue (`queue: self`) can be a set of users"
    case (_, .optional): "; without the `?` it can be one"
    default: ""
    }
  }

  /// Whether a server finds users there: in a field of the object itself. True for an unknown type too, which needs no
  /// second report.
  private func namesUsers(_ path: FieldPath, _ model: CatalogModel) -> Bool {
    guard path.names.count == 1 else { return false }
    return (model.fieldsByName[path.names[0]]?.type?.base ?? .userReference) == .userReference
  }

  /// The first field of a kind inside a struct on the path. Generated code could not read a deprecated one without a
  /// warning.
  private func part(of path: FieldPath, _ model: CatalogModel, in kind: KeyPath<FieldTypes, Set<String>>) -> String? {
    var type = path.names.first.flatMap { model.fieldsByName[$0]?.type }
    for name in path.names.dropFirst() {
      guard case .structure(let structure) = type?.base, let fields = catalog.structs[structure] else { return nil }
      if fields[keyPath: kind].contains(name) { return name }
      type = fields.types[name] ?? nil
    }
    return nil
  }

  func newestBy(_ file: DeclaredFile, _ model: CatalogModel) -> String? {
    guard let node = file.outline.parts["newestBy"]?.value else { return nil }
    guard let (path, type) = paths.ownPath(node, in: model, .bytes, "`newestBy:`") else { return nil }
    guard let type else { return nil }
    let isNumber = [.timestamp, .int32, .int64, .uint32].contains(type.base)
    guard path.names.count == 1, isNumber, type.position == .single || type.position == .optional else {
      findings.report(
        .newestByField, "`newestBy:` is a field of the type timestamp, int32, int64 or uint32, not \(type.shown).",
        at: node.range)
      return nil
    }
    return path.names.first
  }
}

extension BaseType {
  /// Whether each value of the type is encoded by one sequence of bytes only.
  fileprivate var canBeIdentity: Bool {
    switch self {
    case .float, .double, .file, .counter, .structure: false
    default: true
    }
  }
}
