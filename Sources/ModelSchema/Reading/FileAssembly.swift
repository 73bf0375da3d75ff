// The third pass over a file: reads the parts that refer to fields, and puts the `SchemaFile` together.

struct FileAssembly: CatalogReader {
  let file: DeclaredFile
  let catalog: Catalog

  /// Reads the remaining parts and reports their mistakes. The result is complete only where no error was reported.
  func assemble() -> SchemaFile {
    SchemaFile(
      stem: file.outline.stem, model: model(),
      structs: file.structs.map { declared in
        StructDeclaration(
          name: declared.name.text, swiftName: declared.swiftName, doc: declared.doc,
          fields: declared.fields.compactMap(\.declaration), reserved: declared.reserved, was: declared.was)
      },
      enums: file.enums)
  }

  private func model() -> ModelDeclaration? {
    guard let name = file.outline.model, let model = catalog.models[name.text] else { return nil }
    let parts = file.outline.parts
    var result = ModelDeclaration(
      name: name.text, wireName: kinds.was(parts, now: name) ?? name.text, swiftName: file.swiftName.text,
      doc: kinds.doc(parts), queue: model.queue ?? .device, identity: [], newestBy: nil,
      fields: file.fields.compactMap(\.declaration), reserved: file.reserved, operations: [], lists: [], views: [])
    if let pair = parts["ephemeral"] {
      result.ephemeralSeconds = EphemeralReader(file: file, model: model, catalog: catalog).read(pair)
    } else {
      readStoredParts(of: model, into: &result)
    }
    return result
  }

  /// Reads what only a stored model has.
  private func readStoredParts(of model: CatalogModel, into result: inout ModelDeclaration) {
    let identity = IdentityReader(catalog: catalog)
    result.access = access(model)
    ConversionReader(names: catalog.names, findings: findings).check(model, result.access)
    let (views, shown) = views(model)
    result.views = views
    var lists = model
    lists.shown = shown
    result.identity = identity.identity(of: file, model)
    result.newestBy = identity.newestBy(file, model)
    result.operations = operations(model)
    result.lists = self.lists(lists)
  }

  private func access(_ model: CatalogModel) -> AccessDeclaration? {
    guard let pair = file.outline.parts["access"] else { return nil }
    return AccessReader(model: model, catalog: catalog).read(pair)
  }

  private func operations(_ model: CatalogModel) -> [OperationDeclaration] {
    let entries = entries("operations")
    nameRules.checkUnique(entries.map(\.key), "operation")
    nameRules.checkFormer(entries.map(FormerName.init))
    return entries.map { pair in
      nameRules.check(pair.key, as: .operation)
      return OperationReader(model: model, catalog: catalog).read(pair)
    }
  }

  private func lists(_ model: CatalogModel) -> [ListDeclaration] {
    let entries = entries("lists")
    nameRules.checkUnique(entries.map(\.key), "list")
    return entries.compactMap { pair in
      nameRules.check(pair.key, as: .list)
      return ListReader(model: model, catalog: catalog).read(pair)
    }
  }

  /// The views, and what lists see of them.
  private func views(_ model: CatalogModel) -> ([ViewDeclaration], shown: [String: FieldTypes]) {
    let entries = entries("views")
    nameRules.checkUnique(entries.map(\.key), "view")
    var shown: [String: FieldTypes] = [:]
    let views = entries.map { pair in
      nameRules.check(pair.key, as: .view)
      let (view, types) = ViewReader(model: model, catalog: catalog).read(pair)
      shown[view.name] = types
      return view
    }
    return (views, shown)
  }

  private func entries(_ part: String) -> [YAMLPair] {
    guard let pair = file.outline.parts[part] else { return [] }
    return kinds.entries(of: pair.value, "`\(part):`")
  }
}
