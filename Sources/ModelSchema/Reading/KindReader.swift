// Reads mappings with a known set of keys, and values of an expected kind.

/// Checks the kinds of YAML values for all readers. Every function reports a value of the wrong kind.
struct KindReader: PartReader {
  let findings: Findings

  /// The pairs of a mapping by key. Reports keys that are not in `known`, and reads a misspelt key as the one it
  /// resembles.
  func pairs(of node: YAMLNode, known: KeyTable, in what: String) -> [String: YAMLPair] {
    let known = known.names
    var result: [String: YAMLPair] = [:]
    var unknown: [YAMLPair] = []
    for pair in mapping(node, what) {
      if known.contains(pair.key.text) { result[pair.key.text] = pair } else { unknown.append(pair) }
    }
    for pair in unknown {
      if pair.key.text.hasPrefix("//") {
        findings.report(
          .unknownKey, "A comment begins with `#`.", at: pair.key.range,
          fix: [TextEdit(range: pair.key.range.part(0..<2), text: "#")])
        continue
      }
      let meant = Suggestion.key(for: pair.key.text, among: known)
      findings.report(
        .unknownKey, "\(what) has no key `\(pair.key.text)`; it has \(Self.listing(known)).", at: pair.key.range,
        replacement: meant)
      guard let meant, result[meant] == nil else { continue }
      result[meant] = YAMLPair(key: Spelled(text: meant, range: pair.key.range), value: pair.value)
    }
    return result
  }

  /// The pairs of a mapping with free keys, in order. Reports an empty mapping.
  func entries(of node: YAMLNode, _ what: String) -> [YAMLPair] {
    if node.pairs?.isEmpty == true { reportEmpty(node, what) }
    return mapping(node, what)
  }

  /// The pairs of any mapping, in order; empty for another kind, which is reported.
  func mapping(_ node: YAMLNode, _ what: String) -> [YAMLPair] {
    switch node.content {
    case .mapping(let pairs): return pairs
    case .invalid: return []
    default:
      reportNoMapping(node, what)
      return []
    }
  }

  private func reportNoMapping(_ node: YAMLNode, _ what: String) {
    if case .scalar(let text, .plain) = node.content, let missing = LikelyMistake.missingSpace(in: text) {
      // Characters of a text over several lines are at other places.
      let correction = node.range == node.shownRange ? missing.correction : nil
      return findings.report(
        .wrongKind, missing.words, at: node.range.part(missing.index..<missing.index + 1),
        fix: correction.map { [TextEdit(range: node.range.part($0.range), text: $0.text)] } ?? [])
    }
    findings.report(.wrongKind, "\(what) is a mapping of keys to values, not \(node.kindName).", at: node.shownRange)
  }

  /// The text of a scalar in any style. Reports an empty text or another kind, and returns nil.
  func text(of node: YAMLNode, _ what: String) -> Spelled? {
    switch node.content {
    case .scalar(let text, _) where !text.isEmpty:
      return Spelled(text: text, range: node.range)
    case .invalid: return nil
    case .scalar("", .plain):
      findings.report(
        .wrongKind, "\(what) has no value: nothing follows it, or only a comment (`#`).", at: node.shownRange)
      return nil
    default:
      findings.report(.wrongKind, "\(what) is a single value, not \(node.kindName).", at: node.shownRange)
      return nil
    }
  }

  /// The text of a scalar and its style. A text may be empty in quotes only.
  func scalar(of node: YAMLNode, _ what: String) -> (spelled: Spelled, style: YAMLScalarStyle)? {
    if case .scalar(let text, let style) = node.content, !node.isEmptyScalar {
      return (Spelled(text: text, range: node.shownRange), style)
    }
    _ = text(of: node, what)
    return nil
  }

  /// A scanner for an expression. Reports quoted text and returns nil.
  func expression(of node: YAMLNode, _ what: String) -> ExpressionScanner? {
    plain(node, what).map { ExpressionScanner($0.text, range: $0.range) }
  }

  /// The text of a scalar without quotes; others are reported.
  func plain(_ node: YAMLNode, _ what: String) -> Spelled? {
    guard let text = text(of: node, what), case .scalar(_, let style) = node.content else { return nil }
    if style == .plain { return text }
    let canBePlain = node.range == node.shownRange && !text.text.contains { ",[]{}#:\"'\n".contains($0) }
    findings.report(
      .quotedExpression, "\(what) is not a text: write it without quotes.", at: node.shownRange,
      replacement: canBePlain ? text.text : nil)
    return nil
  }

  /// A single value, or the elements of a list. Reports an empty list.
  func oneOrMore(of node: YAMLNode, _ what: String) -> [YAMLNode] {
    switch node.content {
    case .sequence: return elements(of: node, what)
    case .invalid: return []
    case .scalar where !node.isEmptyScalar: return [node]
    default:
      findings.report(
        .wrongKind, "\(what) is a single value or a list of them, not \(node.kindName).", at: node.shownRange)
      return []
    }
  }

  /// The elements of a list. Reports an empty list.
  func elements(of node: YAMLNode, _ what: String) -> [YAMLNode] {
    switch node.content {
    case .sequence(let elements):
      if elements.isEmpty { reportEmpty(node, what) }
      return elements
    case .invalid: return []
    default:
      var list: String?
      if case .scalar(let text, .plain) = node.content, NameRules.isName(text) { list = "[\(text)]" }
      findings.report(
        .wrongKind, "\(what) is a list in `[ ]`, not \(node.kindName).", at: node.shownRange, replacement: list)
      return []
    }
  }

  func flag(_ node: YAMLNode, _ what: String) -> Bool? {
    switch node.content {
    case .scalar("true", .plain): return true
    case .scalar("false", .plain): return false
    case .invalid: return nil
    default:
      findings.report(.wrongKind, "\(what) is `true` or `false`.", at: node.shownRange)
      return nil
    }
  }

  private func reportEmpty(_ node: YAMLNode, _ what: String) {
    findings.report(.emptyDeclaration, "\(what) has at least one entry.", at: node.shownRange)
  }

  static func listing(_ words: [String]) -> String {
    words.map { "`\($0)`" }.joined(separator: ", ")
  }
}

extension YAMLNode {
  /// The range to show. A value over several lines is shown by its first character.
  var shownRange: SourceRange {
    if range.start.line == range.end.line, range.start < range.end { return range }
    let end = SourcePosition(line: range.start.line, column: range.start.column + 1)
    return SourceRange(file: range.file, start: range.start, end: end)
  }
}
