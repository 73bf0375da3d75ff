// `section:`, how a list is cut.

struct SectionReader {
  let model: CatalogModel
  let resolver: PathResolver

  func read(_ node: YAMLNode) -> SectionRule? {
    let findings = resolver.findings
    guard var scanner = KindReader(findings: findings).expression(of: node, "`section:`") else { return nil }
    guard let function = scanner.word(), ["day", "month", "year", "gap", "value"].contains(function.text),
      scanner.take("("), let names = scanner.path()
    else { return syntaxError(node) }
    var gap: Int64 = 0
    if function.text == "gap" {
      guard let duration = scanner.number().flatMap({ Self.milliseconds($0.text) }) else { return syntaxError(node) }
      gap = duration
    }
    guard scanner.take(")"), scanner.isAtEnd else { return syntaxError(node) }
    guard let (path, type) = resolver.resolve(names, in: model, .own) else { return nil }
    let isPossible = type.map { function.text == "value" ? $0.canBeCompared && $0.hasOrder : $0.isPointInTime }
    if isPossible == false, let type {
      findings.report(
        .sectionField, "`\(function.text)` makes no sections of values of the type \(type.shown).", at: node.range)
    }
    switch function.text {
    case "day": return .day(path)
    case "month": return .month(path)
    case "year": return .year(path)
    case "gap": return .gap(path, milliseconds: gap)
    default: return .value(path)
    }
  }

  private func syntaxError(_ node: YAMLNode) -> SectionRule? {
    resolver.findings.report(
      .sectionSyntax, "A section is `day(f)`, `month(f)`, `year(f)`, `gap(f 6h)` or `value(f)`.", at: node.range)
    return nil
  }

  /// `90s`, `30m`, `6h`, `2d`: at least one second, at most 10,000 days.
  static func milliseconds(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard let last = text.last, let unit = units[last], let count = Int64(text.dropLast()), count > 0 else {
      return nil
    }
    let (product, overflow) = count.multipliedReportingOverflow(by: unit)
    return overflow || product > 864_000_000_000 ? nil : product
  }
}

extension FieldType {
  fileprivate var isPointInTime: Bool {
    base == .timestamp && (position == .single || position == .optional)
  }
}
