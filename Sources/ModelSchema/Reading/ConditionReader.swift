// `where:`, one term of it.

struct ConditionReader {
  let model: CatalogModel
  let catalog: Catalog
  let findings: Findings

  func read(_ node: YAMLNode) -> Condition? {
    guard var scanner = KindReader(findings: findings).expression(of: node, "A condition") else { return nil }
    guard let names = scanner.path(), let sign = scanner.comparison() else { return syntaxError(node.range) }
    let resolver = PathResolver(catalog: catalog, findings: findings)
    if sign.text == "is" { return nullCheck(&scanner, names, resolver, node) }
    guard let comparison = ComparisonOperator(rawValue: sign.text) else {
      let known = ComparisonOperator.allCases.map(\.rawValue) + ["is"]
      return syntaxError(sign.range, replacement: Suggestion.nearest(to: sign.text, among: known))
    }
    guard !scanner.isAtEnd else { return syntaxError(node.range) }
    guard let (path, type) = resolver.resolve(names, in: model, .own) else { return nil }
    guard let type else { return nil }
    guard let operand = operand(comparison, type, sign) else { return nil }
    return value(&scanner, operand).map { .compare(path, comparison, $0) }
  }

  private func nullCheck(
    _ scanner: inout ExpressionScanner, _ names: [Spelled], _ resolver: PathResolver, _ node: YAMLNode
  ) -> Condition? {
    var word = scanner.word()
    let isNegated = word?.text == "not"
    if isNegated { word = scanner.word() }
    guard word?.text == "null", scanner.isAtEnd else { return syntaxError(node.range) }
    guard let (path, type) = resolver.resolve(names, in: model, .own) else { return nil }
    if let type, type.position != .optional {
      findings.report(.conditionType, "A value of the type \(type.shown) is never null.", at: node.range)
    }
    return isNegated ? .isNotNull(path) : .isNull(path)
  }

  /// The type that the right side has; nil and reported where the operator does not fit the left side.
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

  private func value(_ scanner: inout ExpressionScanner, _ type: BaseType) -> ValueExpression? {
    let text = Spelled(text: Self.trimmed(scanner.restText), range: scanner.rest)
    guard ValueReader.isExpression(text.text, .plain) else {
      let literals = LiteralReader(
        names: catalog.names, findings: findings, typeRule: .conditionType, rangeRule: .conditionType)
      return literals.read(text, style: .plain, as: type).map { .literal($0) }
    }
    let scope = ValueScope(model: model, parameters: nil)
    let values = ValueReader(scope: scope, catalog: catalog, findings: findings)
    guard let value = values.expression(&scanner) else { return nil }
    if let given = value.type, given.base != type || given.position != .single {
      findings.report(
        .conditionType, "A value of the type \(type.shown) is needed here, not \(given.shown).", at: text.range)
      return nil
    }
    return value.value
  }

  private func syntaxError(_ range: SourceRange, replacement: String? = nil) -> Condition? {
    findings.report(
      .conditionSyntax,
      "A condition is `FIELD OPERATOR VALUE` (== != < <= > >= contains), `FIELD is null` or `FIELD is not null`.",
      at: range, replacement: replacement)
    return nil
  }

  private static func trimmed(_ text: String) -> String {
    String(text.reversed().drop { $0 == " " }.reversed())
  }
}
