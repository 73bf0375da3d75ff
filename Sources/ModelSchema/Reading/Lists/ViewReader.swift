// Reads views: the values that a row shows.

struct ViewReader: CatalogReader {
  let model: CatalogModel
  let catalog: Catalog

  func read(_ pair: YAMLPair) -> ViewDeclaration {
    let entries = kinds.entries(of: pair.value, "A view")
    nameRules.checkUnique(entries.map(\.key), "view field")
    let fields: [ViewField] = entries.compactMap { entry in
      nameRules.check(entry.key, as: .field)
      return source(entry.value).map { ViewField(name: entry.key.text, source: $0) }
    }
    return ViewDeclaration(name: pair.key.text, doc: nil, fields: fields)
  }

  private func source(_ node: YAMLNode) -> ViewSource? {
    guard var scanner = kinds.expression(of: node, "A view field") else { return nil }
    guard let first = scanner.word() else { return syntaxError(node.range) }
    guard scanner.take("(") else {
      guard let others = scanner.pathBehindDots(), scanner.isAtEnd else { return syntaxError(node.range) }
      return resolve([first] + others).map { .path($0.0) }
    }
    if first.text != "count", scanner.take("$") {
      guard scanner.word()?.text == "me", scanner.take(")"), let path = scanner.pathBehindDots(), scanner.isAtEnd
      else { return syntaxError(node.range) }
      return lookup(first, nil, path)
    }
    guard let inner = scanner.path(), scanner.take(")") else { return syntaxError(node.range) }
    if first.text == "count" {
      guard scanner.isAtEnd else { return syntaxError(scanner.rest) }
      return list(inner) ?? count(inner, node)
    }
    guard let path = scanner.pathBehindDots(), scanner.isAtEnd else { return syntaxError(node.range) }
    return lookup(first, inner, path)
  }

  /// Reports a path that leads nowhere or through a list or set, and returns nil.
  private func resolve(_ names: [Spelled]) -> (FieldPath, FieldType?)? {
    guard let found = paths.resolve(names, in: model, .references) else { return nil }
    let leading = (1..<names.count).first { count in
      paths.resolve(Array(names.prefix(count)), in: model, .references)?.1?.isMany == true
    }
    guard let leading else { return found }
    return throughMany(names[leading - 1], names[leading])
  }

  private func throughMany<Result>(_ many: Spelled, _ next: Spelled) -> Result? {
    findings.report(
      .viewPath,
      "A view does not look into each value of `\(many.text)`. Count them: `count(\(many.text))`, or show them.",
      at: next.range)
    return nil
  }
}

// Counts.
extension ViewReader {
  private func count(_ names: [Spelled], _ node: YAMLNode) -> ViewSource? {
    guard let (path, type) = resolve(names) else { return nil }
    if let type, !type.isMany {
      findings.report(.viewPath, "Only lists and sets are counted, not \(type.shown).", at: node.range)
    }
    return .count(path)
  }

  /// Reads `count(photo.inMoment)`; nil where the path names no list of another model.
  private func list(_ names: [Spelled]) -> ViewSource? {
    guard names.count == 2 else { return nil }
    guard let other = catalog.models[names[0].text] else {
      let isUnread = catalog.names.brokenStems.contains(names[0].text) && model.fieldsByName[names[0].text] == nil
      return isUnread ? .countList(model: names[0].text, list: names[1].text) : nil
    }
    let found = other.lists.first { $0.name.text == names[1].text }
    guard let found else {
      if model.fieldsByName[names[0].text] != nil { return nil }
      findings.report(
        .viewPath, "`\(names[0].text)` has no list `\(names[1].text)`.", at: names[1].range,
        nearestTo: names[1].text, among: other.lists.map(\.name.text))
      return .countList(model: names[0].text, list: names[1].text)
    }
    if let cut = found.cuts.first {
      refuse(names[1], "it has `\(cut.text):`", cut)
    } else if let per = found.per, let type = other.fieldsByName[per]?.type, type.base != .reference(model.name.text) {
      refuse(names[1], "its `per:` is not a ref to `\(model.name.text)`", found.name)
    } else if found.per == nil {
      refuse(names[1], "it has no `per:` with a ref to `\(model.name.text)`", found.name)
    }
    return .countList(model: names[0].text, list: names[1].text)
  }

  private func refuse(_ list: Spelled, _ reason: String, _ there: Spelled) {
    findings.report(
      .viewPath, "`\(list.text)` cannot be counted here: \(reason).", at: list.range,
      related: [.init(message: "It is declared here.", location: there.range)])
  }
}

// Look-ups.
extension ViewReader {
  /// Reads `member(sender).name`; `key` is nil for `member($me).name`.
  private func lookup(_ name: Spelled, _ key: [Spelled]?, _ path: [Spelled]) -> ViewSource? {
    let models = Lookup(model: model, catalog: catalog, words: ["count"])
    guard let expected = models.keyType(of: name) else { return nil }
    var given: (path: FieldPath?, type: FieldType?) = (nil, FieldType(.userReference))
    if let key {
      guard let found = resolve(key) else { return nil }
      given = found
    }
    if let expected = expected.type, let type = given.type, type.base != expected.base || type.isMany {
      let first = key?.first ?? name
      findings.report(
        .viewPath, "`\(name.text)` is found by a value of the type \(expected.shown), not \(type.shown).",
        at: SourceRange(file: first.range.file, start: first.range.start, end: (key?.last ?? name).range.end))
      return nil
    }
    var type = FieldType(.reference(name.text))
    for (index, next) in path.enumerated() {
      if type.isMany { return throughMany(path[index - 1], next) }
      switch paths.walk(from: type, [next], .references) {
      case .type(let inner): type = inner
      case .unknowable: return .lookup(model: name.text, key: given.path, path: path.map(\.text))
      case .wrong: return nil
      }
    }
    return .lookup(model: name.text, key: given.path, path: path.map(\.text))
  }

  private func syntaxError(_ range: SourceRange) -> ViewSource? {
    findings.report(
      .viewPath,
      "A view field is a path like `moment.title`, `count(FIELD)`, `count(model.LIST)`, `model(FIELD).path` or "
        + "`model($me).path`.", at: range)
    return nil
  }
}

extension FieldType {
  fileprivate var isMany: Bool { position == .list || position == .set }
}
