// Mends values in braces that YAML splits at commas. In `{ section: gap(takenAt, 6h) }` it reads the value
// `gap(takenAt` and a key `6h)` without a value; in `{ doc: Sun, sea }` a key `sea`. The pieces are joined and reported
// once.

struct CommaInBraces {
  private let findings: Findings
  private var result: [YAMLPair] = []
  /// Keys without a value: pieces of the value of the last pair in `result`.
  private var torn: [Spelled] = []

  /// The pairs of a mapping in braces, without the keys that are pieces of values. Reports each mended value.
  static func mended(_ pairs: [YAMLPair], _ findings: Findings) -> [YAMLPair] {
    guard pairs.contains(where: { $0.value.isEmptyScalar }) else { return pairs }
    var mending = CommaInBraces(findings)
    for pair in pairs { mending.add(pair) }
    mending.report()
    return mending.result
  }

  private init(_ findings: Findings) {
    self.findings = findings
  }

  private mutating func add(_ pair: YAMLPair) {
    if pair.value.isEmptyScalar, isPieceOfValue(pair.key) {
      torn.append(pair.key)
    } else {
      report()
      result.append(pair)
    }
  }

  private func isPieceOfValue(_ key: Spelled) -> Bool {
    guard let last = result.last, case .scalar(let text, .plain) = last.value.content, !text.isEmpty else {
      return false
    }
    let openings = torn.reduce(Self.openings(text)) { $0 + Self.openings($1.text) }
    return openings > 0 || isProse(last, text, key)
  }

  /// Whether the key continues a text such as `doc: Sun, the sea`, which has spaces. A field may be called `doc` too;
  /// then its value has a ` = `.
  private func isProse(_ pair: YAMLPair, _ text: String, _ key: Spelled) -> Bool {
    Self.proseKeys.contains(pair.key.text) && !text.contains(" = ") && (text.contains(" ") || key.text.contains(" "))
      && !Self.keysBesideProse.contains(key.text)
  }

  private mutating func report() {
    guard let last = torn.last, let index = result.indices.last else { return }
    guard case .scalar(let first, _) = result[index].value.content else { return }
    let isText = Self.isText(first, key: result[index].key.text)
    let separator = isText ? ", " : first.contains("map(") ? " to " : " "
    var whole = ([first] + torn.map(\.text)).joined(separator: separator)
    if !isText { whole += String(repeating: ")", count: max(Self.openings(whole), 0)) }
    let range = SourceRange(
      file: last.range.file, start: result[index].value.range.start, end: last.range.end)
    findings.report(
      .commaInBraces,
      isText
        ? "YAML splits `{ }` at the comma in this text: put it into quotes."
        : "YAML splits `{ }` at the comma in this expression: write it without one.", at: range,
      replacement: isText ? YAMLNode.quoted(whole) : whole,
      fix: isText ? Self.quotes(around: range, whole) : [])
    result[index].value.content = .invalid
    torn = []
  }

  /// Puts a text between quotes that are not in it. None where both kinds are: then it is replaced.
  private static func quotes(around range: SourceRange, _ text: String) -> [TextEdit] {
    let mark = text.contains { $0 == "\"" || $0 == "\\" } ? "'" : "\""
    guard !text.contains(mark) else { return [] }
    return [range.start, range.end].map { .insertion(mark, at: $0, of: range.file) }
  }

  private static let proseKeys: Set<String> = ["doc", "deprecated"]
  private static let keysBesideProse: Set<String> = ["type", "tag", "number", "default", "deprecated", "was", "doc"]

  /// Whether the value is a text. In an expression the `(` follows a word directly.
  private static func isText(_ value: String, key: String) -> Bool {
    if value.hasPrefix("map(") { return false }
    if proseKeys.contains(key) || key == "default" { return true }
    guard let open = value.firstIndex(of: "("), open > value.startIndex else { return true }
    let before = value[value.index(before: open)]
    return !(before.isASCII && (before.isLetter || before.isNumber))
  }

  private static func openings(_ text: String) -> Int {
    text.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "(") ? 1 : $1 == UInt8(ascii: ")") ? -1 : 0) }
  }
}

extension YAMLNode {
  /// `text` in double quotes, as YAML writes it.
  static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
