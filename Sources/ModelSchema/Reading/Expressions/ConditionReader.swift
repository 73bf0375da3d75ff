// Reads one term of `where:`: its field and its operator.

struct ConditionReader: CatalogReader {
  let model: CatalogModel
  let catalog: Catalog

  func read(_ node: YAMLNode) -> Condition? {
    guard var scanner = kinds.expression(of: node, "A condition") else { return nil }
    var beginning = scanner
    guard let names = scanner.path(), let first = names.first, !first.isVariable else {
      return syntaxError("The field comes first.", at: beginning.run()?.range ?? node.range, Self.grammar)
    }
    if paths.isQuestion(names, scanner) { return nil }
    guard let sign = scanner.comparison() else {
      let path = SourceRange(
        file: first.range.file, start: first.range.start, end: (names.last ?? first).range.end)
      return syntaxError(
        "An operator must follow `\(names.map(\.text).joined(separator: "."))`.", at: path, Self.grammar)
    }
    if let word = Self.conjunction(scanner) { return conjunctionError(word) }
    if sign.text == "is" { return nullCheck(&scanner, names, sign) }
    guard let comparison = ComparisonOperator(rawValue: sign.text) else {
      if first.text == "not", model.fieldsByName["not"] == nil {
        return syntaxError("A condition cannot begin with `not`; `!=` is the opposite of `==`.", at: first.range)
      }
      return syntaxError(
        "`\(sign.text)` is not an operator.", at: sign.range, Self.grammar, replacement: Self.intended(sign.text))
    }
    guard !scanner.isAtEnd else { return syntaxError("A value must follow `\(sign.text)`.", at: sign.range) }
    guard let (path, type) = paths.resolve(names, in: model, .own), let type else { return nil }
    let values = ConditionValueReader(model: model, catalog: catalog)
    guard !values.isNull(&scanner, type, sign) else { return nil }
    guard let operand = operand(comparison, type, sign) else { return nil }
    guard let value = values.read(&scanner, operand), !isTimeTest(comparison, value, sign) else { return nil }
    return .compare(path, comparison, value)
  }

  /// Whether `$now` or `$today` is tested by another operator than an order. Reports it: `at == $now` would hold for
  /// one millisecond only.
  private func isTimeTest(_ comparison: ComparisonOperator, _ value: ValueExpression, _ sign: Spelled) -> Bool {
    guard value.isTime, !comparison.isOrder else { return false }
    findings.report(
      .conditionType, "Only `<`, `<=`, `>` and `>=` compare with `$now` and `$today`, not `\(sign.text)`.",
      at: sign.range)
    return true
  }

  private func nullCheck(_ scanner: inout ExpressionScanner, _ names: [Spelled], _ sign: Spelled) -> Condition? {
    var word = scanner.word()
    let isNegated = word?.text == "not"
    if isNegated { word = scanner.word() }
    guard let word else { return syntaxError("`null` or `not null` must follow `is`.", at: sign.range) }
    guard word.text == "null" else {
      return syntaxError(
        "`null` or `not null` must follow `is`.", at: word.range,
        replacement: Suggestion.nearest(to: word.text, among: ["null", "not"]))
    }
    guard scanner.isAtEnd else { return syntaxError("Nothing may follow `null`.", at: scanner.rest) }
    let check = SourceRange(file: sign.range.file, start: sign.range.start, end: word.range.end)
    guard let (path, type) = paths.resolve(names, in: model, .own) else { return nil }
    if let type, type.position != .optional {
      findings.report(.conditionType, "A value of the type \(type.shown) is never null.", at: check)
    }
    return isNegated ? .isNotNull(path) : .isNull(path)
  }

  /// The type of the right side. Reports an operator that does not fit the left side, and returns nil.
  private func operand(_ comparison: ComparisonOperator, _ type: FieldType, _ sign: Spelled) -> BaseType? {
    let fits: Bool
    switch comparison {
    case .equal, .notEqual: fits = type.canBeCompared || (type.base == .counter && type.position == .single)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: fits = type.hasOrder && type.base != .bool
    case .contains:
      fits = type.position == .set || type.position == .list || type.base == .string
    }
    if fits { return type.base }
    findings.report(
      .conditionType, "`\(sign.text)` cannot be used with a value of the type \(type.shown).", at: sign.range)
    return nil
  }

  /// The `and` or `or` before what looks like a second term. Inside a text it is an ordinary word.
  private static func conjunction(_ scanner: ExpressionScanner) -> Spelled? {
    var ahead = scanner
    while let word = ahead.run() {
      guard ["and", "or", "&&", "||"].contains(word.text.lowercased()) else { continue }
      var term = ahead
      guard term.path() != nil, let sign = term.comparison() else { continue }
      if sign.text == "is", let next = term.word(), next.text == "null" || next.text == "not" { return word }
      if ComparisonOperator(rawValue: sign.text) != nil || mistaken[sign.text] != nil { return word }
    }
    return nil
  }

  private func conjunctionError(_ word: Spelled) -> Condition? {
    let isAnd = ["and", "&&"].contains(word.text.lowercased())
    return syntaxError(
      isAnd
        ? "A condition is one term; `where:` takes a list of them, which must all hold: `[a == 1, b == 2]`."
        : "There is no `\(word.text)` in conditions; write `any: [a == 1, b == 2]`, of which at least one term must hold.",
      at: word.range)
  }

  /// Operators as other languages write them.
  private static let mistaken = [
    "=": "==", "===": "==", "!==": "!=", "<>": "!=", "=<": "<=", "=>": ">=", "equals": "==", "has": "contains",
    "includes": "contains",
  ]

  private static func intended(_ sign: String) -> String? {
    mistaken[sign] ?? Suggestion.nearest(to: sign, among: ComparisonOperator.allCases.map(\.rawValue) + ["is"])
  }

  private static let grammar =
    " A condition is `FIELD OPERATOR VALUE` (== != < <= > >= contains), `FIELD is null` or `FIELD is not null`."

  private func syntaxError(
    _ problem: String, at range: SourceRange, _ grammar: String = "", replacement: String? = nil
  ) -> Condition? {
    findings.report(.conditionSyntax, problem + grammar, at: range, replacement: replacement)
    return nil
  }
}

extension Spelled {
  /// Whether it is a variable such as `$me`, and not what the server notes of an object.
  fileprivate var isVariable: Bool { text.hasPrefix("$") && SystemField(rawValue: text) == nil }
}
