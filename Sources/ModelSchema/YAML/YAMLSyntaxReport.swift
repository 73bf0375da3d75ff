// Explains the parser's errors in words that say how to correct the file.

/// Turns a syntax error into one diagnostic.
struct YAMLSyntaxReport {
  let source: SourceFile
  let findings: Findings

  /// Reports the mistake that probably led to the error, or else the error itself.
  func report(_ error: YAMLSyntaxError) {
    let range = SourceRange.character(error.position, of: source.path)
    let lines = SourceLines(source.bytes)
    if startsWithTab(error.position, lines) {
      findings.report(.tab, "YAML is indented with spaces; this line has a tab.", at: range)
    } else if let mistake = LikelyMistake.behind(error, in: lines) {
      findings.report(
        .yamlSyntax, mistake.words, at: .character(mistake.place, of: source.path), fix: fix(of: mistake, behind: error)
      )
    } else {
      findings.report(.yamlSyntax, Self.plainWords(error), at: range, related: related(error))
    }
  }

  /// Nothing where the error stays: `//` in a text only looks like a mistake.
  private func fix(of mistake: LikelyMistake, behind error: YAMLSyntaxError) -> [TextEdit] {
    guard let (range, text) = mistake.correction else { return [] }
    let line = SourceRange.character(SourcePosition(line: mistake.place.line, column: 1), of: source.path)
    let edit = TextEdit(range: line.part(range), text: text)
    guard let mended = source.applying([edit]) else { return [] }
    return YAMLTreeBuilder.syntaxError(in: mended)?.position == error.position ? [] : [edit]
  }

  private func related(_ error: YAMLSyntaxError) -> [Diagnostic.Note] {
    guard let place = error.contextPosition, place != error.position else { return [] }
    return [.init(message: "It began here.", location: .character(place, of: source.path))]
  }

  private func startsWithTab(_ position: SourcePosition, _ lines: SourceLines) -> Bool {
    guard let line = lines.text(ofLine: position.line) else { return false }
    return line.unicodeScalars.prefix(max(position.column, 1)).drop { $0 == " " }.first == "\t"
  }

  /// Each row: a part of libyaml's message, and its meaning for the author of a schema.
  private static let wording: [(part: String, words: String)] = [
    ("mapping values are not allowed", "A `:` does not belong here: is the line above unfinished, or indented less?"),
    ("could not find expected ':'", "A `:` is missing after this key."),
    ("did not find expected key", "The indentation fits no key above, or a quote or bracket is left open."),
    ("did not find expected ',' or '}'", "A `,` or `}` is missing here."),
    ("did not find expected ',' or ']'", "A `,` or `]` is missing here."),
    ("did not find expected '-' indicator", "A `-` is missing here, or the line is indented wrongly."),
    ("unexpected end of stream", "A quoted text is not closed before the file ends."),
    ("unexpected document indicator", "A quoted text is not closed before `---` or `...`."),
    ("block sequence entries are not allowed", "A `-` does not belong here."),
    ("block mapping entries", "A key does not belong here: begin a new line."),
    ("unknown escape character", "An unknown `\\` escape; use single quotes for text with backslashes."),
    ("character that cannot start any token", "This character cannot begin a value; put the value in quotes."),
    ("invalid Unicode character", "An escape names a character that does not exist."),
    ("undefined tag handle", "Tags (`!name`) are not part of the schema language."),
    ("did not find expected <document start>", "Something is left over here that belongs to no key."),
    ("exceeded max", "The file nests too deeply."),
  ]

  static func plainWords(_ error: YAMLSyntaxError) -> String {
    if let row = wording.first(where: { error.problem.contains($0.part) }) { return row.words }
    let context = error.context.map { ", \($0)" } ?? ""
    return "This is not YAML: \(error.problem)\(context)."
  }
}
