// Reads `section:`, the rule that divides a list into sections.

struct SectionReader: CatalogReader {
  let model: CatalogModel
  let catalog: Catalog

  private static let grammar =
    "A section is `day(f)`, `week(f)`, `month(f)`, `year(f)`, `gap(f 6h)`, `value(f)` or `initial(f)`."
  static let functions = ["day", "week", "month", "year", "gap", "value", "initial"]

  /// A section rule with the type of its field, which is nil where it is unknown.
  typealias Section = (rule: SectionRule, type: FieldType?)

  func read(_ node: YAMLNode) -> Section? {
    guard var scanner = kinds.expression(of: node, "`section:`") else { return nil }
    guard let function = scanner.word() else { return syntaxError(Self.grammar, at: node.range) }
    guard Self.functions.contains(function.text) else {
      return syntaxError(
        "`\(function.text)` is not a kind of section. \(Self.grammar)", at: function.range,
        replacement: Suggestion.nearest(to: function.text, among: Self.functions))
    }
    guard scanner.take("(") else {
      return syntaxError("`\(function.text)` needs its field in `( )`.", at: function.range)
    }
    guard let names = scanner.path() else { return syntaxError("A field is missing here.", at: scanner.rest) }
    if paths.isQuestion(names, scanner) { return nil }
    var gap: Int64 = 0
    if function.text == "gap" {
      guard let duration = duration(&scanner) else { return nil }
      gap = duration
    }
    guard scanner.take(")") else {
      let problem = scanner.isAtEnd ? "A `)` is missing here." : "Only `)` is allowed here."
      return syntaxError(problem, at: scanner.rest)
    }
    guard scanner.isAtEnd else { return syntaxError("Nothing may follow the section.", at: scanner.rest) }
    guard let (path, type) = paths.resolve(names, in: model, .own) else { return nil }
    if let type, !Self.divides(type, function.text) {
      findings.report(
        .sectionField, "`\(function.text)` cannot make sections of values of the type \(type.shown).", at: node.range)
      return nil
    }
    let rule: SectionRule =
      switch function.text {
      case "day": .day(path)
      case "week": .week(path)
      case "month": .month(path)
      case "year": .year(path)
      case "gap": .gap(path, milliseconds: gap)
      case "initial": .initial(path)
      default: .value(path)
      }
    return (rule, type)
  }

  /// Whether the function can divide values of this type.
  private static func divides(_ type: FieldType, _ function: String) -> Bool {
    switch function {
    case "value": type.canBeCompared && type.hasOrder
    case "initial": type.isSingle(.string)
    default: type.isSingle(.timestamp)
    }
  }

  /// Reads the `6h` of `gap(takenAt 6h)`. Reports a missing or wrong duration and returns nil.
  private func duration(_ scanner: inout ExpressionScanner) -> Int64? {
    let hint = "A duration must follow the field: a number and `s`, `m`, `h` or `d`, at most 10,000 days."
    guard let word = scanner.number() else {
      findings.report(.sectionSyntax, hint, at: scanner.rest)
      return nil
    }
    guard let milliseconds = Self.milliseconds(word.text) else {
      findings.report(.sectionSyntax, hint, at: word.range)
      return nil
    }
    return milliseconds
  }

  private func syntaxError(_ problem: String, at range: SourceRange, replacement: String? = nil) -> Section? {
    findings.report(
      .sectionSyntax, problem, at: range, replacement: replacement)
    return nil
  }

  /// The milliseconds of `90s`, `30m`, `6h` or `2d`: at least one second, at most 10,000 days; else nil.
  static func milliseconds(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard let last = text.last, let unit = units[last] else { return nil }
    guard let count = WholeNumber.read(String(text.dropLast()), as: Int64.self), count > 0 else { return nil }
    let (product, overflow) = count.multipliedReportingOverflow(by: unit)
    return overflow || product > 864_000_000_000 ? nil : product
  }
}

extension FieldType {
  fileprivate func isSingle(_ base: BaseType) -> Bool {
    self.base == base && (position == .single || position == .optional)
  }
}
