// Views: what a row shows.

struct ViewReader {
  let model: CatalogModel
  let catalog: Catalog
  let findings: Findings

  func read(_ pair: YAMLPair) -> ViewDeclaration {
    let entries = KindReader(findings: findings).entries(of: pair.value, "A view")
    NameRules(findings).checkUnique(entries.map(\.key), "view field")
    let fields: [ViewField] = entries.compactMap { entry in
      NameRules(findings).check(entry.key, as: .field)
      return source(entry.value).map { ViewField(name: entry.key.text, source: $0) }
    }
    return ViewDeclaration(name: pair.key.text, doc: nil, fields: fields)
  }

  private func source(_ node: YAMLNode) -> ViewSource? {
    guard var scanner = KindReader(findings: findings).expression(of: node, "A view field") else { return nil }
    guard let first = scanner.word() else { return syntaxError(node.range) }
    guard scanner.take("(") else {
      guard let others = scanner.pathBehindDots(), scanner.isAtEnd else { return syntaxError(node.range) }
      return resolver.resolve([first] + others, in: model, .references).map { .path($0.0) }
    }
    guard let inner = scanner.path(), scanner.take(")") else { return syntaxError(node.range) }
    if first.text == "count" {
      guard scanner.isAtEnd else { return syntaxError(scanner.rest) }
      return count(inner, node)
    }
    guard let path = scanner.pathBehindDots(), scanner.isAtEnd else { return syntaxError(node.range) }
    return lookup(first, inner, path)
  }

  private var resolver: PathResolver { PathResolver(catalog: catalog, findings: findings) }

  private func count(_ names: [Spelled], _ node: YAMLNode) -> ViewSource? {
    guard let (path, type) = resolver.resolve(names, in: model, .references) else { return nil }
    if let type, !type.isMany {
      findings.report(.viewPath, "Only lists and sets are counted, not \(type.shown).", at: node.range)
    }
    return .count(path)
  }

  /// `member(sender).name`
  private func lookup(_ name: Spelled, _ key: [Spelled], _ path: [Spelled]) -> ViewSource? {
    guard let expected = Lookup(model: model, catalog: catalog, findings: findings).keyType(of: name),
      let (keyPath, type) = resolver.resolve(key, in: model, .references)
    else { return nil }
    if let expected = expected.type, let type, let first = key.first, let last = key.last,
      type.base != expected.base || type.isMany
    {
      findings.report(
        .viewPath, "`\(name.text)` is found by a value of the type \(expected.shown), not \(type.shown).",
        at: SourceRange(file: first.range.file, start: first.range.start, end: last.range.end))
      return nil
    }
    if case .wrong = resolver.walk(from: FieldType(.reference(name.text)), path, .references) { return nil }
    return .lookup(model: name.text, key: keyPath, path: path.map(\.text))
  }

  private func syntaxError(_ range: SourceRange) -> ViewSource? {
    findings.report(
      .viewPath, "A view field is a path like `moment.title`, `count(FIELD)` or `model(FIELD).path`.", at: range)
    return nil
  }
}

extension FieldType {
  fileprivate var isMany: Bool { position == .list || position == .set }
}
