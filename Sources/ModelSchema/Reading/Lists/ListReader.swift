// Reads lists: their objects, order and sections.

struct ListReader: CatalogReader {
  /// The values of `limit:`.
  static let limits = 1...100_000

  let model: CatalogModel
  let catalog: Catalog

  func read(_ pair: YAMLPair) -> ListDeclaration {
    let parts = kinds.pairs(of: pair.value, known: .list, in: "A list")
    let conditions = WhereReader(model: model, catalog: catalog)
    let divided = parts["section"].map { SectionReader(model: model, catalog: catalog).read($0.value) }
    let section = divided??.rule
    // Without `order:` a list has the order of its section, and then that of ids.
    let ofSection = section.map { [OrderTerm(field: $0.field, descending: false)] }
    let order = parts["order"].map { kinds.oneOrMore(of: $0.value, "`order:`").map(readOrder) } ?? ofSection ?? []
    if let section, let first = order.first, let first, first.field != section.field {
      findings.report(
        .sectionOrder,
        "The list must be ordered first by the field of its section, `\(section.field.names.joined(separator: "."))`; "
          + "otherwise a section would be split.", at: parts["section"]?.value.range ?? pair.key.range,
        related: [.init(message: "The order is here.", location: parts["order"]?.value.shownRange ?? pair.key.range)])
    }
    if let section, case .gap = section, order.count > 1 {
      findings.report(
        .sectionOrder, "A list that is divided by gaps is ordered by one field.",
        at: parts["order"]?.value.range ?? pair.key.range)
    }
    return ListDeclaration(
      name: pair.key.text, doc: kinds.doc(parts), per: parts["per"].flatMap { readKey($0)?.names.first },
      conditions: parts["where"].map { conditions.read($0.value) } ?? [], section: section,
      order: order.compactMap { $0 }, distinct: parts["distinct"].flatMap { readKey($0) },
      keepsEmptySections: parts["keepEmpty"].map { readKeepEmpty($0, divided) } ?? false,
      limit: parts["limit"].flatMap { readLimit($0) })
  }

  /// Reads `keepEmpty:`. `section` is nil without `section:`, and `.some(nil)` where that was wrong and has been
  /// reported.
  private func readKeepEmpty(_ pair: YAMLPair, _ section: SectionReader.Section??) -> Bool {
    guard kinds.flag(pair.value, "`keepEmpty:`") == true else { return false }
    switch section {
    case .some(.some((.value, let type))):
      guard let type else { return false }
      if case .enumeration = type.base { return true }
      findings.report(
        .keepEmpty, "Only the cases of an enum are known beforehand, not all values of the type \(type.shown).",
        at: pair.key.range)
    case .some(nil): break
    case .some, nil:
      findings.report(
        .keepEmpty, "`keepEmpty:` needs sections that are known beforehand: `section: value(f)` of an enum.",
        at: pair.key.range)
    }
    return false
  }

  private func readLimit(_ pair: YAMLPair) -> Int? {
    guard let text = kinds.plain(pair.value, "`limit:`") else { return nil }
    if let limit = WholeNumber.read(text.text, as: Int.self), Self.limits.contains(limit) { return limit }
    findings.report(.listLimit, "`limit:` is a whole number from 1 to 100,000.", at: text.range)
    return nil
  }

  /// Reads `takenAt descending`.
  private func readOrder(_ node: YAMLNode) -> OrderTerm? {
    guard var scanner = kinds.expression(of: node, "`order:`") else { return nil }
    guard let names = scanner.path() else {
      findings.report(.orderField, "An order is `FIELD` or `FIELD descending`.", at: node.range)
      return nil
    }
    if paths.isQuestion(names, scanner) { return nil }
    let direction = scanner.isAtEnd ? nil : scanner.word()
    guard scanner.isAtEnd, direction == nil || direction?.text == "descending" else {
      reportDirection(direction, at: direction?.range ?? scanner.rest)
      return nil
    }
    guard let (path, type) = paths.resolve(names, in: model, .own) else { return nil }
    if let type, !type.hasOrder {
      findings.report(.orderField, "Values of the type \(type.shown) have no order.", at: node.range)
    }
    return OrderTerm(field: path, descending: direction != nil)
  }

  /// Reports a wrong direction. `ascending` is never corrected to `descending`, which would reverse the order.
  private func reportDirection(_ word: Spelled?, at range: SourceRange) {
    let words = ["asc", "ascending", "desc", "descending"]
    let nearest = word.flatMap { words.contains($0.text) ? $0.text : Suggestion.nearest(to: $0.text, among: words) }
    if nearest?.hasPrefix("asc") == true {
      findings.report(.orderField, "An order is ascending unless it says `descending`: leave the word out.", at: range)
    } else {
      findings.report(
        .orderField, "Only `descending` may follow the field.", at: range,
        replacement: nearest == nil ? nil : "descending")
    }
  }

  /// Reads `per:` or `distinct:`.
  private func readKey(_ pair: YAMLPair) -> FieldPath? {
    if pair.key.text == "per", !isParameter(pair.value) {
      findings.report(.distinctField, "`per:` is a field of the model itself, or `$creator`.", at: pair.value.range)
      return nil
    }
    guard let (path, type) = paths.ownPath(pair.value, in: model, .own, "`\(pair.key.text):`") else { return nil }
    if let type, !type.canBeCompared {
      findings.report(
        .distinctField, "Values of the type \(type.shown) cannot be compared.", at: pair.value.range)
    }
    return path
  }
}

extension ListReader {
  /// Whether it may be a field of the model itself, or `$creator`. A misspelt one may.
  private func isParameter(_ node: YAMLNode) -> Bool {
    guard var scanner = ExpressionScanner(node), let names = scanner.path() else { return true }
    let isTime = names[0].text == SystemField.created.rawValue || names[0].text == SystemField.updated.rawValue
    let isView = model.fieldsByName[names[0].text] == nil && model.shown[names[0].text] != nil
    return names.count == 1 && !isTime && !isView
  }
}

extension SectionRule {
  public var field: FieldPath {
    switch self {
    case .day(let field), .week(let field), .month(let field), .year(let field), .gap(let field, _),
      .value(let field), .initial(let field):
      field
    }
  }
}

extension FieldType {
  /// Whether such a field holds a single value of a type that people expect to be ordered.
  var hasOrder: Bool {
    guard position == .single || position == .optional else { return false }
    return switch base {
    case .bool, .int32, .int64, .uint32, .uint64, .float, .double, .string, .timestamp, .counter, .enumeration: true
    case .data, .uuid, .file, .userReference, .reference, .structure: false
    }
  }

  /// Whether such a field holds a single value that can be tested for equality.
  var canBeCompared: Bool {
    guard position == .single || position == .optional else { return false }
    return switch base {
    case .file, .structure, .counter: false
    default: true
    }
  }
}
