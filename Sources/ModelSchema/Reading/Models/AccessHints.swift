// Notices about rights that are likely not what was meant. They are no mistakes.

struct AccessHints: CatalogReader {
  let catalog: Catalog

  func report(_ models: [ModelDeclaration]) {
    var open: [Spelled] = []
    for model in models {
      guard let declared = catalog.models[model.name] else { continue }
      open += model.openUserFields.compactMap { declared.fieldsByName[$0]?.name }
      for right in model.access?.fields ?? [] { reportDefault(right, model, declared) }
    }
    guard let first = open.first else { return }
    findings.report(
      .openUser,
      "Every writer can put another user into `\(first.text)`. `access: { create: user(\(first.text)) }` takes only the "
        + "sender; a rule of its own, such as `fields: { \(first.text): writer }`, says that others are meant.",
      at: first.range,
      related: open.dropFirst().map { .init(message: "The same goes for `\($0.text)`.", location: $0.range) })
  }

  /// Tells of a default that those who may not set the field give to their objects.
  private func reportDefault(_ right: FieldRight, _ model: ModelDeclaration, _ declared: CatalogModel) {
    guard let value = model.field(named: right.field)?.defaultValue, !value.isZero,
      let name = declared.fieldsByName[right.field]?.name,
      let creator = model.access?.create.first(where: { !$0.isCovered(by: right.holders) })
    else { return }
    findings.report(
      .accessDefault,
      "A \(creator.shown) may not set `\(right.field)`, but creates objects in which it is its default, which is not "
        + "the zero of its type.", at: name.range)
  }
}

extension ModelDeclaration {
  /// Fields with one user, into which every writer can put anybody.
  fileprivate var openUserFields: [String] {
    let isOpen = (access?.create ?? [.writer]).contains { $0 == .writer || $0 == .reader }
    guard isOpen, case .field(let queueField) = queue else { return [] }
    let ruled = Set(access?.fields.map(\.field) ?? [])
    return fields.filter { field in
      field.type.base == .userReference && [.single, .optional].contains(field.type.position)
        && field.name != queueField && field.deprecated == nil && !ruled.contains(field.name)
    }.map(\.name)
  }
}
