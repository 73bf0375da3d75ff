// Builds a tree of nodes from events. Reports the parts of YAML that the schema language excludes (anchors, aliases,
// tags, merge keys, duplicate keys, several documents), so that later passes see plain trees only.

/// Builds the tree of one file.
struct YAMLTreeBuilder: ~Copyable {
  private var events: YAMLEventReader
  private let file: String
  private let findings: Findings
  private var nodeCount = 0

  /// The root of the file; nil where the file could not be read, which has been reported.
  static func read(_ source: SourceFile, into findings: Findings) -> YAMLNode? {
    guard SourceCheck.check(source, findings) else { return nil }
    do throws(Stop) {
      return try root(of: source, findings)
    } catch {
      if case .syntax(let error) = error { YAMLSyntaxReport(source: source, findings: findings).report(error) }
      return nil
    }
  }

  /// The syntax error at which reading stops; nil where there is none.
  static func syntaxError(in source: SourceFile) -> YAMLSyntaxError? {
    do throws(Stop) {
      _ = try root(of: source, Findings())
    } catch {
      if case .syntax(let error) = error { return error }
    }
    return nil
  }

  private static func root(of source: SourceFile, _ findings: Findings) throws(Stop) -> YAMLNode {
    try source.text.withUnsafeBufferPointer { bytes throws(Stop) in
      var builder = YAMLTreeBuilder(events: YAMLEventReader(bytes), file: source.path, findings: findings)
      return try builder.document()
    }
  }

  private init(events: consuming YAMLEventReader, file: String, findings: Findings) {
    self.events = events
    self.file = file
    self.findings = findings
  }

  private enum Stop: Error {
    case reported
    case syntax(YAMLSyntaxError)
  }

  private mutating func next() throws(Stop) -> YAMLEvent {
    do { return try events.next() } catch { throw .syntax(error) }
  }

  private mutating func document() throws(Stop) -> YAMLNode {
    let first = try next()
    guard case .documentStart(let hasDirectives) = first.kind else {
      throw stop(.emptyFile, "The file is empty: a schema file declares a model or types.", first)
    }
    if hasDirectives {
      findings.report(.yamlDirective, "`%` directives are not part of the schema language.", at: range(first))
    }
    let root = try node(try next(), depth: 1)
    _ = try next()
    let second = try next()
    if case .documentStart = second.kind {
      throw stop(
        .severalDocuments,
        "A schema file is one document, with one model: move what follows `---` into a file of its own.", second)
    }
    return root
  }

  private mutating func node(_ event: YAMLEvent, depth: Int) throws(Stop) -> YAMLNode {
    nodeCount += 1
    if nodeCount > YAMLLimits.nodes {
      throw stop(.tooManyNodes, "The file has more than \(YAMLLimits.nodes) values.", event)
    }
    if depth > YAMLLimits.depth {
      throw stop(.tooDeep, "The file nests deeper than \(YAMLLimits.depth) levels.", event)
    }
    reportProperties(event)
    switch event.kind {
    case .scalar(let text, let style):
      return YAMLNode(content: .scalar(text, style), range: range(event))
    case .sequenceStart:
      return try sequence(from: event, depth: depth)
    case .mappingStart(let isInBraces):
      return try mapping(from: event, isInBraces, depth: depth)
    case .oversizedScalar:
      findings.report(
        .scalarTooLong, "A text is longer than \(YAMLLimits.scalarBytes) bytes.", at: firstCharacter(event))
    default:
      findings.report(.yamlAlias, "Aliases (`*name`) are not part of the schema language.", at: range(event))
    }
    return YAMLNode(content: .invalid, range: range(event))
  }

  private mutating func sequence(from start: YAMLEvent, depth: Int) throws(Stop) -> YAMLNode {
    var elements: [YAMLNode] = []
    while true {
      let event = try next()
      if case .sequenceEnd = event.kind {
        return YAMLNode(content: .sequence(elements), range: range(start.start, event.end))
      }
      elements.append(try node(event, depth: depth + 1))
    }
  }

  private mutating func mapping(from start: YAMLEvent, _ isInBraces: Bool, depth: Int) throws(Stop) -> YAMLNode {
    var pairs: [YAMLPair] = []
    while true {
      let event = try next()
      if case .mappingEnd = event.kind {
        if isInBraces { pairs = CommaInBraces.mended(pairs, findings) }
        return YAMLNode(content: .mapping(withoutDuplicates(pairs)), range: range(start.start, event.end))
      }
      let key = try node(event, depth: depth + 1)
      let value = try node(try next(), depth: depth + 1)
      if let spelled = usableKey(key) { pairs.append(YAMLPair(key: spelled, value: value)) }
    }
  }

  private func usableKey(_ key: YAMLNode) -> Spelled? {
    switch key.content {
    case .scalar("<<", .plain):
      findings.report(.yamlMergeKey, "Merge keys (`<<`) are not part of the schema language.", at: key.range)
    case .scalar(let text, _):
      return Spelled(text: text, range: key.range)
    case .invalid: break
    case .sequence, .mapping:
      findings.report(.wrongKind, "A key is a single word, not \(key.kindName).", at: key.range)
    }
    return nil
  }

  /// The first pair of each key. The others are reported.
  private func withoutDuplicates(_ pairs: [YAMLPair]) -> [YAMLPair] {
    var first: [String: Spelled] = [:]
    var repeated: [Spelled] = []
    let unique = pairs.filter { pair in
      if first[pair.key.text] != nil {
        repeated.append(pair.key)
        return false
      }
      first[pair.key.text] = pair.key
      return true
    }
    // Most other keys of a second model are repeated too.
    if let model = repeated.first(where: { $0.text == "model" }) { repeated = [model] }
    for key in repeated {
      let words =
        key.text == "model"
        ? "A file has one model: move this one into a file of its own, named after it."
        : "The key `\(key.text)` is repeated here."
      findings.report(
        .duplicateKey, words, at: key.range,
        related: first[key.text].map { [.init(message: "The first one is here.", location: $0.range)] } ?? [])
    }
    return unique
  }

  private func reportProperties(_ event: YAMLEvent) {
    if event.hasAnchor {
      findings.report(
        .yamlAnchor, "Anchors (`&name`) are not part of the schema language.", at: firstCharacter(event))
    }
    if event.hasTag {
      findings.report(.yamlTag, "Tags (`!name`) are not part of the schema language.", at: firstCharacter(event))
    }
  }

  private func stop(_ rule: Rule, _ message: String, _ event: YAMLEvent) -> Stop {
    findings.report(rule, message, at: firstCharacter(event))
    return .reported
  }

  private func range(_ event: YAMLEvent) -> SourceRange {
    range(event.start, event.end)
  }

  private func firstCharacter(_ event: YAMLEvent) -> SourceRange {
    let end = SourcePosition(line: event.start.line, column: event.start.column + 1)
    return range(event.start, end)
  }

  private func range(_ start: SourcePosition, _ end: SourcePosition) -> SourceRange {
    SourceRange(file: file, start: start, end: end)
  }
}
