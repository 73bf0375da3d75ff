// Reads views: the values that a row shows.

struct ViewReader: CatalogReader {
  let model: CatalogModel
  let catalog: Catalog

  /// What a view field shows, and its type: a list for a table of counts, nil where it is unknown.
  typealias Shown = (source: ViewSource, type: FieldType?)

  /// Reads a view, and what lists see of it.
  func read(_ pair: YAMLPair) -> (ViewDeclaration, FieldTypes) {
    let entries = kinds.entries(of: pair.value, "A view")
    nameRules.checkUnique(entries.map(\.key), "view field")
    let shown: [(name: String, shown: Shown?)] = entries.map { entry in
      nameRules.check(entry.key, as: .field)
      return (entry.key.text, source(entry.value))
    }
    let fields = shown.compactMap { name, shown in
      shown.map { ViewField(name: name, source: $0.source, type: $0.type) }
    }
    let view = ViewDeclaration(name: pair.key.text, doc: nil, fields: fields)
    return (view, FieldTypes(shown.map { ($0.name, $0.shown?.type) }))
  }

  private func source(_ node: YAMLNode) -> Shown? {
    guard var scanner = kinds.expression(of: node, "A view field") else { return nil }
    guard let first = scanner.word() else {
      guard let path = scanner.path(), scanner.isAtEnd else { return syntaxError(node.range) }
      return shown(path)
    }
    guard scanner.take("(") else {
      guard let others = scanner.pathBehindDots(hasSystem: true), scanner.isAtEnd else {
        return syntaxError(node.range)
      }
      return shown([first] + others)
    }
    guard let inner = scanner.path() else { return syntaxError(node.range) }
    if isQuestion(first, inner) { return ask(first, inner, &scanner, node) }
    guard scanner.take(")"), let path = scanner.pathBehindDots(hasSystem: true), scanner.isAtEnd else {
      return syntaxError(node.range)
    }
    // The id itself is there whenever its key is.
    guard let found = lookup(first, inner, path) else { return nil }
    let isSure = path.isEmpty && (inner.map(\.text) == ["$me"] || isAlwaysThere(inner))
    return (found.source, isSure ? found.type : found.type?.behindRef)
  }

  /// Reads a path. What is behind a ref is absent where its object is.
  private func shown(_ names: [Spelled]) -> Shown? {
    guard let (path, type) = resolve(names) else { return nil }
    return (.path(path), isOnSurePath(names) ? type : type?.behindRef)
  }

  /// Whether what holds the last field of a resolved path is always there: the path follows no ref, and nothing optional.
  private func isOnSurePath(_ names: [Spelled]) -> Bool {
    (1..<names.count).allSatisfy { count in
      let type = paths.resolve(Array(names.prefix(count)), in: model, .references)?.1
      if case .reference = type?.base { return false }
      return type?.position != .optional
    }
  }

  private func isAlwaysThere(_ names: [Spelled]) -> Bool {
    isOnSurePath(names) && paths.resolve(names, in: model, .references)?.1?.position != .optional
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

// Counts, and other questions about children.
extension ViewReader {
  private var children: ChildrenReader { ChildrenReader(model: model, catalog: catalog) }

  /// Whether it is `sum(line.ofInvoice …` and no look-up of a model that is called `sum`.
  private func isQuestion(_ function: Spelled, _ inner: [Spelled]) -> Bool {
    guard ChildrenReader.functions.contains(function.text) else { return false }
    return function.text == "count" || catalog.models[function.text] == nil || catalog.models[inner[0].text] != nil
  }

  private func count(_ names: [Spelled], _ node: YAMLNode) -> Shown? {
    guard let (path, type) = resolve(names) else { return nil }
    if let type, !type.isMany {
      findings.report(.viewPath, "Only lists and sets are counted, not \(type.shown).", at: node.range)
    }
    return (.count(path), FieldType(.int64, isOnSurePath(names) ? .single : .optional))
  }

  /// Reads what follows `count(message.inRoom`. `inner` is the path that was read.
  private func ask(
    _ function: Spelled, _ inner: [Spelled], _ scanner: inout ExpressionScanner, _ node: YAMLNode
  ) -> Shown? {
    guard let found = children.list(inner) else {
      guard scanner.take(")"), scanner.isAtEnd else { return syntaxError(scanner.rest) }
      if function.text == "count" { return count(inner, node) }
      findings.report(
        .viewPath, "`\(function.text)(…)` asks about a list of another model, such as `message.inRoom`.", at: node.range
      )
      return nil
    }
    guard case .list(let other, let list) = found else { return nil }
    let question: ChildQuestion?
    var type: FieldType? = FieldType(.int64)
    switch function.text {
    case "count": question = scanner.take(")") ? .count : countOf(other, &scanner, node)
    case "counts":
      question = behind("by", &scanner, node).flatMap { children.grouped($0, of: other) }.map { .groups($0) }
      type = FieldType(.int64, .list)
    case "sum": question = behind(nil, &scanner, node).flatMap { children.added($0, of: other) }.map { .sum($0) }
    default:
      guard let found = newest(list, other, inner, &scanner, node) else { return nil }
      (question, type) = found
    }
    guard let question else { return nil }
    guard scanner.isAtEnd else { return syntaxError(scanner.rest) }
    return (.children(ChildTerm(model: inner[0].text, list: inner[1].text, question: question)), type)
  }

  /// Reads `by emoji)`, without the word where `word` is nil.
  private func behind(_ word: String?, _ scanner: inout ExpressionScanner, _ node: YAMLNode) -> [Spelled]? {
    guard word == nil || scanner.word()?.text == word, let names = scanner.path(), scanner.take(")") else {
      return syntaxError(node.range)
    }
    return names
  }

  /// Reads `where sentAt > marker($me).readUpTo)`.
  private func countOf(
    _ other: CatalogModel, _ scanner: inout ExpressionScanner, _ node: YAMLNode
  ) -> ChildQuestion? {
    guard scanner.word()?.text == "where", let names = scanner.path(), let sign = scanner.comparison() else {
      return syntaxError(node.range)
    }
    guard let comparison = ComparisonOperator(rawValue: sign.text), comparison != .contains else {
      findings.report(.viewPath, "`==`, `!=`, `<`, `<=`, `>` or `>=` stands here.", at: sign.range)
      return nil
    }
    let start = scanner.rest
    if isFixed(scanner) {
      findings.report(
        .viewPath,
        "A field of this object stands here, or of one that it names. What is compared with a fixed value goes into `where:` "
          + "of the list.", at: start)
      return nil
    }
    // Both are read, so that a mistake in one does not hide that in the other.
    let (right, left) = (bound(&scanner, node), children.compared(names, of: other))
    guard let (value, type) = right, let (field, needed) = left else { return nil }
    guard scanner.take(")") else { return syntaxError(scanner.rest) }
    if let type, let needed, type.base != needed.base || type.isMany {
      findings.report(
        .viewPath, "A value of the type \(needed.shown) is needed here, not \(type.shown).", at: start)
      return nil
    }
    return .countOf(field, comparison, value)
  }

  /// Whether a fixed value is next: a literal, `$me`, or a bare word that names nothing here, as of an enum.
  private func isFixed(_ scanner: ExpressionScanner) -> Bool {
    var scanner = scanner
    guard let names = scanner.path() else { return true }
    if ["$me", "$now", "$today"].contains(names[0].text) { return true }
    return names.count == 1 && !scanner.isNext("(") && model.fieldsByName[names[0].text] == nil
      && !names[0].text.hasPrefix("$")
  }

  /// Reads the value that children are compared with: a path of this object, or a look-up.
  private func bound(
    _ scanner: inout ExpressionScanner, _ node: YAMLNode
  ) -> (source: ViewSource, type: FieldType?)? {
    guard let names = scanner.path() else { return syntaxError(scanner.rest) }
    guard scanner.take("(") else { return resolve(names).map { (.path($0.0), $0.1) } }
    guard let key = scanner.path(), scanner.take(")"), let path = scanner.pathBehindDots(hasSystem: true) else {
      return syntaxError(node.range)
    }
    return lookup(names[0], key, path)
  }

  private func newest(
    _ list: CatalogList, _ other: CatalogModel, _ names: [Spelled], _ scanner: inout ExpressionScanner, _ node: YAMLNode
  ) -> (ChildQuestion, FieldType?)? {
    guard scanner.take(")"), let path = scanner.pathBehindDots(hasSystem: true) else { return syntaxError(node.range) }
    guard children.checkNewest(list, of: other, names[1]) else { return nil }
    guard case .some(let type) = walk(path, from: other.name.text) else { return nil }
    return (.newest(path: path.map(\.text)), type?.behindRef)
  }
}

// Look-ups.
extension ViewReader {
  /// Reads `member(sender).name` or `member($me).name`.
  private func lookup(
    _ name: Spelled, _ key: [Spelled], _ path: [Spelled]
  ) -> (source: ViewSource, type: FieldType?)? {
    if ChildrenReader.functions.contains(name.text), catalog.models[name.text] == nil {
      findings.report(
        .viewPath, "A question such as `\(name.text)(…)` stands only at the beginning of a view field.", at: name.range)
      return nil
    }
    let models = Lookup(model: model, catalog: catalog, words: ChildrenReader.functions)
    guard let expected = models.keyType(of: name) else { return nil }
    var given: (path: FieldPath?, type: FieldType?) = (nil, FieldType(.userReference))
    if key.map(\.text) != ["$me"] {
      guard let found = resolve(key) else { return nil }
      given = found
    }
    if let expected = expected.type, let type = given.type, type.base != expected.base || type.isMany {
      let range = SourceRange(
        file: name.range.file, start: key[0].range.start, end: (key.last ?? key[0]).range.end)
      findings.report(
        .viewPath, "`\(name.text)` is found by a value of the type \(expected.shown), not \(type.shown).", at: range)
      return nil
    }
    return walk(path, from: name.text).map {
      (.lookup(model: name.text, key: given.path, path: path.map(\.text)), $0)
    }
  }

  /// The type behind a path from an object of a model: nil inside where it is unknown. Reports a wrong path, and returns
  /// nil.
  private func walk(_ path: [Spelled], from name: String) -> FieldType?? {
    var type = FieldType(.reference(name))
    for (index, next) in path.enumerated() {
      if type.isMany { return throughMany(path[index - 1], next) }
      switch paths.walk(from: type, [next], .references) {
      case .type(let inner): type = inner
      case .unknowable: return .some(nil)
      case .wrong: return nil
      }
    }
    return type
  }

  private func syntaxError<Result>(_ range: SourceRange) -> Result? {
    findings.report(
      .viewPath,
      "A view field is a path like `moment.title`, `count(FIELD)`, `model(FIELD).path`, `model($me).path`, or asks about a list: "
        + "`count(model.LIST)`, `count(model.LIST where FIELD > PATH)`, `counts(model.LIST by FIELD)`, "
        + "`sum(model.LIST FIELD)` or `newest(model.LIST).path`.", at: range)
    return nil
  }
}

extension FieldType {
  fileprivate var isMany: Bool { position == .list || position == .set }

  /// The type of such a value of an object that may not be there.
  fileprivate var behindRef: FieldType { position == .single ? FieldType(base, .optional) : self }
}
