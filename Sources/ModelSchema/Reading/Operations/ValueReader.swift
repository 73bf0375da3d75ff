// Reads values in operations and conditions: `$parameter`, `$me`, `$self.field`, `$now`, `member($me)`.

/// The meaning of `$name` at a place.
struct ValueScope {
  var model: CatalogModel
  /// By name; a type is nil where it is unknown. Nil in a condition, where only `$me`, `$now` and `$today` are valid.
  var parameters: [String: FieldType?]?
}

/// A value and its type, which is nil where it is unknown.
struct TypedValue {
  var value: ValueExpression
  var type: FieldType?
}

struct ValueReader: CatalogReader {
  let scope: ValueScope
  let catalog: Catalog

  private static let variablesOfConditions = ["me", "now", "today"]

  /// Whether `$word` is valid here.
  func isVariable(_ word: String) -> Bool {
    guard let parameters = scope.parameters else { return Self.variablesOfConditions.contains(word) }
    return ["me", "self", "now"].contains(word) || parameters[word] != nil
  }

  /// Whether the text is an expression rather than a literal.
  static func isExpression(_ text: String, _ style: YAMLScalarStyle) -> Bool {
    guard style == .plain else { return false }
    if text.utf8.first == UInt8(ascii: "$") { return true }
    guard let open = text.firstIndex(of: "(") else { return false }
    guard text.hasSuffix(")") || text.contains(").") || text.contains("($") else { return false }
    return !text[..<open].isEmpty && text[..<open].utf8.allSatisfy(NameRules.isNameByte)
  }

  /// Reads an expression up to the end of the text. Reports a mistake and returns nil.
  func expression(_ scanner: inout ExpressionScanner) -> TypedValue? {
    guard let value = part(&scanner) else { return nil }
    guard scanner.isAtEnd else {
      findings.report(.valueSyntax, "Nothing may follow the value.", at: scanner.rest)
      return nil
    }
    return value
  }

  /// Reads one value and the path behind it. Reports a mistake and returns nil.
  func part(_ scanner: inout ExpressionScanner) -> TypedValue? {
    scanner.skipSpaces()
    let start = scanner.position
    if scanner.take("$") { return variable(&scanner, from: start) }
    guard let model = scanner.word() else { return syntaxError(at: scanner.rest) }
    guard scanner.take("(") else {
      return syntaxError(at: model.range, replacement: isVariable(model.text) ? "$" + model.text : nil)
    }
    return lookup(model, &scanner)
  }

  private func variable(_ scanner: inout ExpressionScanner, from start: Int) -> TypedValue? {
    guard let name = scanner.word(), let path = scanner.pathBehindDots() else {
      return syntaxError(at: scanner.range(from: start))
    }
    let names = path.map(\.text)
    switch name.text {
    case "me":
      return typed(.me, FieldType(.userReference), path)
    case "now":
      return typed(.now, FieldType(.timestamp), path)
    case "today" where scope.parameters == nil:
      return typed(.today, FieldType(.timestamp), path)
    case "self" where scope.parameters != nil:
      return typed(.object(path: names), FieldType(.reference(scope.model.name.text)), path)
    default:
      guard let type = scope.parameters?[name.text] else {
        reportUnknown(name)
        return nil
      }
      let value = ValueExpression.parameter(name.text, path: names)
      guard let type else { return TypedValue(value: value, type: nil) }
      return typed(value, type, path)
    }
  }

  private func reportUnknown(_ name: Spelled) {
    guard let parameters = scope.parameters else {
      findings.report(
        .unknownParameter, "A condition can only use `$me`, `$now` and `$today`.", at: name.range,
        replacement: Suggestion.nearest(to: name.text, among: Self.variablesOfConditions))
      return
    }
    findings.report(
      .unknownParameter, "There is no parameter `\(name.text)`; `parameters:` of the operation declares them.",
      at: name.range,
      nearestTo: name.text, among: parameters.keys.sorted() + ["me", "self", "now"])
  }

  /// Reads the rest of `member($me).path`, behind the `(`.
  private func lookup(_ name: Spelled, _ scanner: inout ExpressionScanner) -> TypedValue? {
    scanner.skipSpaces()
    let start = scanner.position
    guard let key = part(&scanner) else { return nil }
    let keyRange = scanner.range(from: start)
    guard scanner.take(")") else {
      findings.report(.valueSyntax, "A `)` is missing here.", at: scanner.rest)
      return nil
    }
    guard let path = scanner.pathBehindDots() else { return syntaxError(at: scanner.rest) }
    let value = ValueExpression.lookup(model: name.text, key.value, path: path.map(\.text))
    let lookup = Lookup(model: scope.model, catalog: catalog)
    guard let expected = lookup.keyType(of: name) else { return nil }
    if let expected = expected.type, let given = key.type, given.base != expected.base || given.position != .single {
      findings.report(
        .valueType, "`\(name.text)` is found by a value of the type \(expected.shown), not \(given.shown).",
        at: keyRange)
      return nil
    }
    return typed(value, FieldType(.reference(name.text)), path)
  }

  private func typed(_ value: ValueExpression, _ type: FieldType, _ path: [Spelled]) -> TypedValue? {
    switch paths.walk(from: type, path, .references) {
    case .type(let type): TypedValue(value: value, type: type)
    case .unknowable: TypedValue(value: value, type: nil)
    case .wrong: nil
    }
  }

  private func syntaxError(at range: SourceRange, replacement: String? = nil) -> TypedValue? {
    findings.report(
      .valueSyntax, "A value is a literal, `$parameter`, `$me`, `$self`, `$now` or `model(value)`, with a path.",
      at: range, replacement: replacement)
    return nil
  }
}
