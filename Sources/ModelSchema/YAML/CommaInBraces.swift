// `{ section: gap(takenAt, 6h) }` is, to YAML, the value `gap(takenAt` and a key `6h)` without a value.

enum CommaInBraces {
  /// Whether `value` and the `key` behind it are two halves of one expression, which is then reported.
  static func report(_ value: YAMLNode, _ key: Spelled, _ findings: Findings) -> Bool {
    guard case .scalar(let text, .plain) = value.content, openings(text) > 0, key.text.contains(")") else {
      return false
    }
    let separator = text.contains("map(") ? " to " : " "
    let range = SourceRange(file: key.range.file, start: value.range.start, end: key.range.end)
    findings.report(
      .commaInBraces, "YAML splits `{ }` at the comma in this expression: write it without one.", at: range,
      replacement: text + separator + key.text)
    return true
  }

  private static func openings(_ text: String) -> Int {
    text.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "(") ? 1 : $1 == UInt8(ascii: ")") ? -1 : 0) }
  }
}
