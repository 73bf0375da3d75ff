// Reads the right side of a condition: a literal, `$me`, `member($me)`, `$now` or `$today`.

struct ConditionValueReader: CatalogReader {
  let model: CatalogModel
  let catalog: Catalog

  /// Whether the right side is null, as in `== null`. Reports it, because such a condition is written `is null`.
  func isNull(_ scanner: inout ExpressionScanner, _ type: FieldType, _ sign: Spelled) -> Bool {
    let text = Self.trimmed(scanner.restText)
    guard LiteralReader.isNull(text, names: catalog.names, as: type.base) else { return false }
    let check = SourceRange(file: sign.range.file, start: sign.range.start, end: scanner.rest.end)
    switch (type.position, sign.text) {
    case (.optional, "=="), (.optional, "!="):
      findings.report(
        .conditionSyntax, "Use `is null` or `is not null` to ask whether a value is absent.", at: check,
        replacement: sign.text == "==" ? "is null" : "is not null")
    case (.optional, _):
      findings.report(.conditionType, "`\(sign.text)` does not compare with null.", at: check)
    default:
      findings.report(.conditionType, "A value of the type \(type.shown) is never null.", at: check)
    }
    return true
  }

  func read(_ scanner: inout ExpressionScanner, _ type: BaseType) -> ValueExpression? {
    let text = Spelled(text: Self.trimmed(scanner.restText), range: scanner.rest)
    if let first = text.text.first, first == "\"" || first == "'" {
      let inner = text.text.count > 2 && text.text.last == first ? String(text.text.dropFirst().dropLast()) : nil
      findings.report(
        .conditionSyntax, "A text in a condition is written without quotes.", at: text.range, replacement: inner)
      return nil
    }
    if namesField(text.text, type) {
      findings.report(
        .conditionType,
        "A condition compares with a fixed value, not with `\(text.text)`. Two values are compared in a view, as in "
          + "`count(message.inRoom where $created > marker($me).readUpTo)`.", at: text.range)
      return nil
    }
    guard ValueReader.isExpression(text.text, .plain) else {
      let literals = LiteralReader(
        names: catalog.names, findings: findings, typeRule: .conditionType, rangeRule: .conditionType,
        isVariable: { (type == .timestamp ? ["now", "today"] : ["me"]).contains($0) })
      return literals.read(text, style: .plain, as: type).map { .literal($0) }
    }
    let scope = ValueScope(model: model, parameters: nil)
    let values = ValueReader(scope: scope, catalog: catalog)
    guard let value = values.expression(&scanner) else { return nil }
    guard Self.needsNoObject(value.value) else {
      findings.report(
        .conditionSyntax,
        "A condition looks at one object only: its right side is `$me`, `model($me)`, `$now` or `$today`, without a path.",
        at: text.range)
      return nil
    }
    if let given = value.type, given.base != type || given.position != .single {
      findings.report(
        .conditionType, "A value of the type \(type.shown) is needed here, not \(given.shown).", at: text.range,
        replacement: value.value.isTime
          ? nil
          : Lookup(model: model, catalog: catalog)
            .replacement(for: given, as: FieldType(type), written: text.text))
      return nil
    }
    return value.value
  }

  /// Whether the text is a path of the object: for a text one of at least two parts, since a field may have the name of
  /// what is meant.
  private func namesField(_ text: String, _ type: BaseType) -> Bool {
    var scanner = ExpressionScanner(text, range: model.name.range)
    guard let names = scanner.path(), scanner.isAtEnd, let first = names.first else { return false }
    if SystemField(rawValue: first.text) != nil { return true }
    let isKnown = model.fieldsByName[first.text] != nil || model.shown[first.text] != nil
    if names.count > 1 { return isKnown }
    // A literal may be spelt like a field.
    if case .enumeration = type { return false }
    return isKnown && type != .string && type != .bool
  }

  /// The id of `member($me)` is computed; a path behind it would need the object itself.
  private static func needsNoObject(_ value: ValueExpression) -> Bool {
    if case .lookup(_, .me, path: []) = value { true } else { value == .me || value.isTime }
  }

  private static func trimmed(_ text: String) -> String {
    String(text.reversed().drop { $0 == " " }.reversed())
  }
}
