// Notices about rights that are likely not what was meant. They are no mistakes.

struct AccessHints: CatalogReader {
  let catalog: Catalog

  func report(_ models: [ModelDeclaration]) {
    reportShown(models.filter(\.isEphemeral))
    var open: [(name: Spelled, isFixed: Bool)] = []
    for model in models where !model.isEphemeral {
      guard let declared = catalog.models[model.name] else { continue }
      for field in model.openUserFields {
        if let name = declared.fieldsByName[field]?.name { open.append((name, declared.isFixed(field))) }
      }
      for right in model.access?.fields ?? [] { reportDefault(right, model, declared) }
    }
    guard let (first, isFixed) = open.first else { return }
    let name = first.text
    let other = isFixed ? "" : "; a rule of its own, such as `fields: { \(name): writer }`, says that others are meant"
    findings.report(
      .openUser,
      "Every writer can put another user into `\(name)`. `access: { create: user(\(name)) }` takes only the sender"
        + other + ".",
      at: first.range, related: Self.notes(open.dropFirst().map(\.name)))
  }

  /// Tells of users in ephemeral models, where they mostly are to say who shows the value.
  private func reportShown(_ models: [ModelDeclaration]) {
    let named = models.flatMap { model in
      model.userFields.compactMap { catalog.models[model.name]?.fieldsByName[$0.name]?.name }.map { (model.name, $0) }
    }
    guard let (model, first) = named.first else { return }
    findings.report(
      .openUser,
      "Others see who shows a `\(model)` beside it, as the server knows it. Nobody checks whom `\(first.text)` names.",
      at: first.range, related: Self.notes(named.dropFirst().map(\.1)))
  }

  private static func notes(_ fields: [Spelled]) -> [Diagnostic.Note] {
    fields.map { .init(message: "The same goes for `\($0.text)`.", location: $0.range) }
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
    return userFields.map(\.name).filter { $0 != queueField && !ruled.contains($0) }
  }

  /// Fields with one user that are in use.
  fileprivate var userFields: [FieldDeclaration] {
    fields.filter { field in
      field.type.base == .userReference && [.single, .optional].contains(field.type.position) && field.deprecated == nil
    }
  }
}
