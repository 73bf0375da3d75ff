// Where an entry goes in a mapping or a list of a file, so that it looks like those beside it: in braces between commas,
// else on a line of its own with their indentation.

struct YAMLLayout {
  private let file: String
  private let lines: SourceLines

  init(_ source: SourceFile) {
    file = source.path
    lines = SourceLines(source.bytes)
  }

  /// Adds `text`, such as `was: due`, behind an entry of a mapping.
  func adding(_ text: String, behind pair: YAMLPair, of mapping: YAMLNode) -> TextEdit {
    guard !isInBraces(mapping) else {
      return .insertion(", " + text, at: max(end(of: pair.value), pair.key.range.end), of: file)
    }
    let indent = pair.key.range.start.column - 1
    return line(text, indent, behind: lastLine(of: pair, indent))
  }

  /// Takes an entry out of a mapping, with the comments that are indented below it.
  func removing(_ pair: YAMLPair, of mapping: YAMLNode) -> TextEdit {
    guard isInBraces(mapping), let pairs = mapping.pairs else {
      let first = pair.key.range.start
      let last = lastLine(of: pair, first.column - 1)
      let start = SourcePosition(line: first.line, column: 1)
      if last < lines.count { return removal(from: start, to: SourcePosition(line: last + 1, column: 1)) }
      // Without a line end at the end of the file, the one before goes.
      return removal(from: first.line > 1 ? lines.end(ofLine: first.line - 1) : start, to: lines.end(ofLine: last))
    }
    let index = pairs.firstIndex { $0.key.range == pair.key.range } ?? 0
    // With the comma in front of it, or behind the first.
    if index > 0 { return removal(from: end(of: pairs[index - 1].value), to: end(of: pair.value)) }
    let next = pairs.dropFirst().first?.key.range.start
    return removal(from: pair.key.range.start, to: next ?? end(of: pair.value))
  }

  private func removal(from start: SourcePosition, to end: SourcePosition) -> TextEdit {
    TextEdit(range: SourceRange(file: file, start: start, end: end), text: "")
  }

  /// Adds an element to a list with at least one.
  func adding(_ text: String, to list: YAMLNode) -> TextEdit? {
    guard let last = list.elements?.last else { return nil }
    if isInBraces(list) { return .insertion(", " + text, at: end(of: last), of: file) }
    return line("- " + text, list.range.start.column - 1, behind: end(of: last).line)
  }

  /// Writes the value of a key as a mapping, with one more entry: `string = 4` becomes `{ type: string = 4, was: due }`.
  func wrapping(_ value: YAMLNode, as key: String, adding text: String) -> [TextEdit] {
    [
      .insertion("{ \(key): ", at: value.range.start, of: file),
      .insertion(", \(text) }", at: end(of: value), of: file),
    ]
  }

  /// The place behind the last character of a value. YAML's own ends of blocks lie behind comments and empty lines.
  func end(of node: YAMLNode) -> SourcePosition {
    switch node.content {
    case .mapping(let pairs):
      guard !isInBraces(node), let last = pairs.last else { return node.range.end }
      return max(end(of: last.value), last.key.range.end)
    case .sequence(let elements):
      guard !isInBraces(node), let last = elements.last else { return node.range.end }
      return end(of: last)
    case .scalar(_, .block):
      return lines.end(ofLine: lastLineOfBlock(node.range))
    case .scalar, .invalid:
      return node.range.end
    }
  }

  private func isInBraces(_ node: YAMLNode) -> Bool {
    let first = lines.text(ofLine: node.range.start.line)?.unicodeScalars.dropFirst(node.range.start.column - 1).first
    return first == "{" || first == "["
  }

  /// The last line with text in it: a block ends where the next key begins.
  private func lastLineOfBlock(_ range: SourceRange) -> Int {
    let last = range.end.column == 1 ? range.end.line - 1 : range.end.line
    let used = (range.start.line...max(last, range.start.line)).last { line in
      lines.text(ofLine: line)?.contains { !$0.isWhitespace } ?? true
    }
    return used ?? range.start.line
  }

  /// The last line of an entry, with the comments that are indented as its value is.
  private func lastLine(of pair: YAMLPair, _ indent: Int) -> Int {
    var line = max(end(of: pair.value), pair.key.range.end).line
    while let next = lines.text(ofLine: line + 1), next.prefix(while: { $0 == " " }).count > indent,
      next.drop(while: { $0 == " " }).first == "#"
    { line += 1 }
    return line
  }

  private func line(_ text: String, _ indent: Int, behind line: Int) -> TextEdit {
    let text = String(repeating: " ", count: indent) + text
    guard line < lines.count else { return .insertion(lines.lineEnd + text, at: lines.end(ofLine: line), of: file) }
    return .insertion(text + lines.lineEnd, at: SourcePosition(line: line + 1, column: 1), of: file)
  }
}
