// Reads a value that is assigned to a field: a literal of the field's type, or an expression of a fitting type.

struct AssignmentReader: CatalogReader {
  let values: ValueReader
  let catalog: Catalog

  /// Reports a change that the field's type does not allow and a value that does not fit, and returns nil.
  func read(
    _ entry: YAMLPair, _ field: DeclaredField, _ type: FieldType, _ change: FieldChange, nullHint: String
  ) -> FieldAssignment? {
    if let problem = change.problem(with: type) {
      findings.report(
        .effectTarget, "`\(entry.key.text)` has the type \(type.shown): \(problem).", at: entry.key.range)
      return nil
    }
    if change.bound != nil, let reason = Self.unknownToServers(field) {
      findings.report(
        .effectTarget, "`\(entry.key.text)` \(reason), so it is neither raised nor lowered.", at: entry.key.range,
        related: [.init(message: "`\(field.name.text)` is declared here.", location: field.name.range)])
      return nil
    }
    return value(entry, field, type, isElement: change.isOfElements, nullHint).map {
      FieldAssignment(field: entry.key.text, value: $0, bound: change.bound)
    }
  }

  /// Reads `raise(VALUE)` or `lower(VALUE)`, which stand in an `upsert:` only, or a plain value.
  func readBounded(
    _ entry: YAMLPair, _ field: DeclaredField, _ type: FieldType, nullHint: String
  ) -> FieldAssignment? {
    guard var scanner = ExpressionScanner(entry.value), let word = scanner.word(),
      let bound = FieldBound(rawValue: word.text), scanner.take("("), let text = entry.value.text, text.hasSuffix(")")
    else { return read(entry, field, type, .set, nullHint: nullHint) }
    let start = scanner.position
    let inner = String(decoding: Array(text.utf8)[start..<(text.utf8.count - 1)], as: UTF8.self)
    let node = YAMLNode(content: .scalar(inner, .plain), range: entry.value.range.part(start..<(text.utf8.count - 1)))
    return read(YAMLPair(key: entry.key, value: node), field, type, .bound(bound), nullHint: nullHint)
  }

  /// What keeps a server from comparing the values of a field as apps do; nil if nothing does.
  private static func unknownToServers(_ field: DeclaredField) -> String? {
    if field.defaultValue != nil { return "has a default, which a server does not know" }
    return field.from.isEmpty ? nil : "is converted"
  }

  private func value(
    _ entry: YAMLPair, _ field: DeclaredField, _ type: FieldType, isElement: Bool, _ nullHint: String
  ) -> ValueExpression? {
    guard let text = kinds.scalar(of: entry.value, "A value") else { return nil }
    guard ValueReader.isExpression(text.spelled.text, text.style) else {
      guard isElement || type.position == .single || type.position == .optional else {
        findings.report(
          .valueType, "A whole list or set comes from a parameter or field, not from a literal.", at: entry.value.range)
        return nil
      }
      guard !isParameterWithoutSign(text.spelled, text.style, type) else { return nil }
      let literals = LiteralReader(
        names: catalog.names, findings: findings, typeRule: .valueType, rangeRule: .valueType, nullHint: nullHint,
        isVariable: values.isVariable)
      let literal = literals.read(text.spelled, style: text.style, as: type.base == .counter ? .int64 : type.base)
      return literal.map { .literal($0) }
    }
    guard !isTextInParentheses(text.spelled, type) else { return nil }
    guard var scanner = ExpressionScanner(entry.value), let value = values.expression(&scanner) else { return nil }
    if let given = value.type, !Self.accepts(type, given, isElement: isElement, hasDefault: field.defaultValue != nil) {
      let expected = isElement ? FieldType(type.base) : type
      let what = type.base == .counter ? FieldType(.int64) : expected
      findings.report(
        .valueType, "A value of the type \(what.shown) is needed here, not \(given.shown).", at: entry.value.range,
        replacement: Lookup(model: values.scope.model, catalog: catalog)
          .replacement(for: given, as: what, written: text.spelled.text),
        related: [.init(message: "`\(field.name.text)` is declared here.", location: field.name.range)])
      return nil
    }
    return value.value
  }

  /// Whether a parameter is written without `$`. Reports it: `set: { caption: caption }` would write the word into
  /// every object.
  private func isParameterWithoutSign(_ text: Spelled, _ style: YAMLScalarStyle, _ type: FieldType) -> Bool {
    guard style == .plain, type.base == .string, values.scope.parameters?[text.text] != nil else { return false }
    findings.report(
      .valueSyntax,
      "`\(text.text)` is a text here, but a parameter has this name: write `$\(text.text)`, or put the text in quotes.",
      at: text.range, replacement: "$\(text.text)", isCertain: false)
    return true
  }

  /// Whether it is a text such as `hello(world)`. Reports it, unless the word before `(` is like the name of a model.
  private func isTextInParentheses(_ text: Spelled, _ type: FieldType) -> Bool {
    guard type.base == .string, !text.text.hasPrefix("$"), catalog.names.brokenStems.isEmpty else { return false }
    let name = String(text.text.prefix { $0 != "(" })
    let models = catalog.models.keys.sorted()
    guard !models.contains(name), Suggestion.nearest(to: name, among: models) == nil else { return false }
    findings.report(
      .valueSyntax, "There is no model `\(name)`; put a text with `( )` in quotes.", at: text.range,
      replacement: YAMLNode.quoted(text.text))
    return true
  }

  /// Whether a field takes a value of the given type. An absent value clears, so an optional field or one with a
  /// default takes an optional.
  private static func accepts(_ target: FieldType, _ given: FieldType, isElement: Bool, hasDefault: Bool) -> Bool {
    if target.base == .counter { return (given.base == .int64 || given.base == .int32) && given.position == .single }
    guard target.base == given.base else { return false }
    if isElement { return given.position != .optional }
    switch target.position {
    case .single: return given.position == .single || (given.position == .optional && hasDefault)
    case .optional: return given.position == .single || given.position == .optional
    case .list, .set: return given.position == target.position
    }
  }
}
