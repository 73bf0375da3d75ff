// Diagnostics as text for people: place, message, source line with carets, and suggestion.

/// Renders diagnostics in the three forms of `--format`.
public struct DiagnosticRenderer: Sendable {
  private let sources: [String: [UInt8]]
  private let colour: Bool

  /// `sources` are the files whose lines are shown.
  public init(sources: [SourceFile], colour: Bool) {
    self.sources = Dictionary(sources.map { ($0.path, $0.bytes) }) { first, _ in first }
    self.colour = colour
  }

  /// For each diagnostic `path:line:col: error: message [rule-id]`, the source line with carets, suggestion and notes;
  /// then the counts. A diagnostic about a whole file begins `path: error: message [rule-id]`.
  public func text(_ diagnostics: [Diagnostic]) -> String {
    guard !diagnostics.isEmpty else { return "" }
    let named = Set(diagnostics.flatMap { [$0.location.file] + $0.related.map(\.location.file) })
    let files = sources.filter { named.contains($0.key) }.mapValues(SourceLines.init)
    return diagnostics.map { block($0, files) }.joined(separator: "\n") + "\n" + Self.counts(diagnostics) + "\n"
  }

  /// For each finding that was mended `path:line:col: fixed: message [rule-id]`, and what was written.
  public func fixed(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map { diagnostic in
      styled(Self.place(diagnostic.location), .bold) + ": " + styled("fixed:", .green) + " "
        + ShownText.escaped(diagnostic.message) + " [\(diagnostic.rule)]\n"
        + diagnostic.fixes.map { "  " + styled("written:", .green) + " \(ShownText.escaped($0.written))\n" }.joined()
    }.joined()
  }

  private func block(_ diagnostic: Diagnostic, _ files: [String: SourceLines]) -> String {
    var lines = [
      styled(Self.place(diagnostic.location), .bold) + ": "
        + styled(diagnostic.severity.rawValue + ":", Self.style(of: diagnostic.severity)) + " "
        + styled(ShownText.escaped(diagnostic.message), .bold) + " [\(diagnostic.rule)]"
    ]
    lines += excerpt(diagnostic.location, files)
    if let replacement = diagnostic.replacement {
      lines.append("  " + styled("did you mean:", .green) + " \(ShownText.escaped(replacement))")
    }
    if let help = diagnostic.help { lines.append("  " + styled("help:", .green) + " \(ShownText.escaped(help))") }
    for note in diagnostic.related {
      lines.append(
        Self.place(note.location) + ": " + styled("note:", .cyan) + " " + ShownText.escaped(note.message))
      lines += excerpt(note.location, files)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The source line and carets under the range; empty where the file has no such line.
  private func excerpt(_ range: SourceRange, _ files: [String: SourceLines]) -> [String] {
    guard let line = files[range.file]?.text(ofLine: range.start.line) else { return [] }
    let end = range.end.line == range.start.line ? range.end.column : Int.max
    let shown = ShownText.excerpt(line, start: range.start.column, end: end)
    let number = String(range.start.line)
    let margin = String(repeating: " ", count: number.count)
    return [
      "  \(number) | \(shown.line)",
      "  \(margin) | " + shown.padding + styled(String(repeating: "^", count: shown.carets), .green),
    ]
  }

  static func place(_ range: SourceRange) -> String {
    let file = ShownText.escaped(range.file)
    return range.isWhole ? file : "\(file):\(range.start.line):\(range.start.column)"
  }

  private static func counts(_ diagnostics: [Diagnostic]) -> String {
    let parts = Diagnostic.Severity.allCases.map { severity in
      (diagnostics.count { $0.severity == severity }, severity.rawValue)
    }
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: ", ")
  }

  private enum Style: String {
    case bold = "1"
    case red = "1;31"
    case yellow = "1;33"
    case green = "32"
    case cyan = "36"
  }

  private static func style(of severity: Diagnostic.Severity) -> Style {
    switch severity {
    case .error: .red
    case .warning: .yellow
    case .notice: .cyan
    }
  }

  private func styled(_ text: String, _ style: Style) -> String {
    colour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
