// All that is found in a schema folder, and whether a fix has made it worse.

extension SchemaFixer {
  struct Reading {
    /// The findings in the files, then those against the releases.
    let diagnostics: [Diagnostic]
    /// Whether the schema could be held against its releases. Before that its changes are hidden by mistakes.
    let wasCompared: Bool
    private let files: [SourceFile]

    init(_ files: [SourceFile], _ lock: SchemaLock?) {
      self.files = files
      let result = SchemaReader.read(files, lock: lock)
      guard let schema = result.schema, let lock else {
        diagnostics = result.diagnostics
        wasCompared = false
        return
      }
      let (changes, unused) = SchemaChanges.find(in: schema, files, since: lock)
      diagnostics = result.diagnostics + changes.filter(\.isRefused).map(\.diagnostic) + unused
      wasCompared = true
    }

    /// The rules that `steps` have broken, or have not mended. By number, because places and messages change. The fix of
    /// a syntax error breaks nothing: what shows only now was wrong before.
    func broken(since before: Reading, by steps: [Step]) -> [String] {
      if steps.contains(where: \.uncovers) { return [] }
      var allowed = before.diagnostics.counts
      for step in steps { allowed[Key(step.finding), default: 0] -= 1 }
      let touched = Touched(steps)
      let counted = diagnostics.filter { finding in
        if touched.wasLeftOut(finding) { return false }
        // What has changed since the releases was hidden until now, and is the work of others.
        return before.wasCompared || ChangeRule.byID[finding.rule] == nil || touched.isGuessed(finding, files)
      }
      return counted.counts.filter { $0.value > allowed[$0.key, default: 0] }.map(\.key.rule)
    }

    /// The words that were corrected into something else than what was released, and the rules that say so. Nothing
    /// was inserted since: they are in the lines that they were in.
    func wrong(_ guesses: [Step]) -> [(step: Step, rule: String)] {
      guard wasCompared, !guesses.isEmpty else { return [] }
      let changes = diagnostics.filter { ChangeRule.byID[$0.rule] != nil }
      return guesses.flatMap { step in
        let touched = Touched([step])
        return changes.filter { touched.isGuessed($0, files) }.map { (step, $0.rule) }
      }
    }
  }

  fileprivate struct Key: Hashable {
    var file: String
    var rule: String

    init(_ finding: Diagnostic) {
      file = finding.location.file
      rule = finding.rule
    }
  }

  /// The lines that fixes have changed.
  private struct Touched {
    /// Those with a guess in them, such as a word that was misspelt.
    private var guessed: [String: Set<Int>] = [:]
    /// Those with something that was not read, because of its kind or its quotes: what is wrong in it shows only now.
    private var leftOut: [String: Set<Int>] = [:]

    private static let removals = Set([ChangeRule.fieldRemoved, .caseRemoved, .modelRemoved].map(\.id))
    private static let hiding = Set([Rule.wrongKind, .quotedExpression].map(\.id))

    init(_ steps: [Step]) {
      for step in steps {
        let file = step.fix.file
        if step.finding.replacement != nil { guessed[file, default: []].formUnion(step.fix.lines) }
        if Self.hiding.contains(step.finding.rule) { leftOut[file, default: []].formUnion(step.fix.lines) }
      }
    }

    func wasLeftOut(_ finding: Diagnostic) -> Bool {
      leftOut[finding.location.file]?.contains(finding.location.start.line) ?? false
    }

    /// Whether a change is one of an entry with a guess in it: then the author has meant something else. What is gone is
    /// shown where it was, and no guess about a word takes anything away.
    func isGuessed(_ finding: Diagnostic, _ files: [SourceFile]) -> Bool {
      guard !Self.removals.contains(finding.rule), let lines = guessed[finding.location.file],
        let file = files.first(where: { $0.path == finding.location.file }),
        let root = YAMLTreeBuilder.read(file, into: Findings()),
        let pair = root.pair(at: finding.location)
      else { return false }
      let first = finding.location.start.line
      return (first...max(first, YAMLLayout(file).end(of: pair.value).line)).contains(where: lines.contains)
    }
  }
}

extension [Diagnostic] {
  fileprivate var counts: [SchemaFixer.Key: Int] {
    reduce(into: [:]) { $0[SchemaFixer.Key($1), default: 0] += $1.severity == .error ? 1 : 0 }
  }
}

extension YAMLNode {
  /// The entry whose key is at this place.
  fileprivate func pair(at place: SourceRange) -> YAMLPair? {
    switch content {
    case .mapping(let pairs):
      for pair in pairs {
        if pair.key.range == place { return pair }
        if let inner = pair.value.pair(at: place) { return inner }
      }
    case .sequence(let nodes):
      for node in nodes {
        if let inner = node.pair(at: place) { return inner }
      }
    case .scalar, .invalid: break
    }
    return nil
  }
}
