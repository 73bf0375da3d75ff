// The changes of a schema since its releases, with their places in the files and the waivers that permit them.

/// A change since a release.
public struct SchemaChange: Hashable, Sendable {
  public var rule: ChangeRule
  /// The thing that has changed, as the lock calls it: `model photo field 3`.
  public var subject: String
  public var message: String
  /// The thing in the schema files; what it was in, where it is gone.
  public var location: SourceRange
  /// How to reach the same safely; empty for a safe change.
  public var remedy: String
  /// The reason of the waiver that permits it.
  public var waived: String?
  /// The ways to do it safely that `modelgen fix` knows.
  public var fixes: [Fix] = []

  /// Whether `generate` refuses it.
  public var isRefused: Bool { rule.severity == .breaking && waived == nil }
}

extension SchemaChange {
  /// An error for a breaking change, a warning for a risky or permitted one, a notice for a safe one.
  public var diagnostic: Diagnostic {
    let severity: Diagnostic.Severity =
      switch rule.severity {
      case .breaking: waived == nil ? .error : .warning
      case .risky: waived == nil ? .warning : .notice
      case .safe: .notice
      }
    let permission = waived.map { " Permitted: \($0)" } ?? ""
    return Diagnostic(
      severity: severity, rule: rule.id, message: message + permission, location: location, help: help,
      fixes: isRefused ? fixes : [])
  }

  private var help: String? {
    guard !remedy.isEmpty, waived == nil else { return nil }
    guard isRefused else { return remedy }
    return remedy
      + " To do it anyway: `waivers: [{ rule: \(rule.id), at: \(subject), reason: WHY }]` in modelgen.yaml."
  }
}

/// Holds a schema against its releases.
public enum SchemaChanges {
  /// All changes of a valid schema since the releases in `lock`, sorted by place, and the waivers that permit nothing.
  /// `files` are those that the schema was read from. Pure.
  public static func find(
    in schema: Schema, _ files: [SourceFile], since lock: SchemaLock
  ) -> (changes: [SchemaChange], unused: [Diagnostic]) {
    let facts = SchemaFacts(schema)
    guard !lock.isUpToDate(facts, schema) || !schema.waivers.isEmpty else { return ([], []) }
    let tree = FactNode(now: facts, lock)
    var finder = ChangeFinder(tree, AuthorAnswers(schema))
    if lock.schema != schema.name {
      finder.report(
        .schemaRenamed, "schema", part: "schema", "The schema is called `\(schema.name)` now, and was `\(lock.schema)`."
      )
    }
    finder.check()
    var places = ChangePlaces(schema: schema, files: files, tree: tree)
    let waivers = Dictionary(schema.waivers.map { ([$0.rule, $0.at], $0.reason) }) { first, _ in first }
    let changes = finder.found.map { found in
      SchemaChange(
        rule: found.rule, subject: found.subject, message: found.message, location: places.place(of: found),
        remedy: found.remedy,
        waived: waivers[[found.rule.id, found.subject]], fixes: ChangeFixes(found, tree).find(&places))
    }
    .sorted { ($0.location.file, $0.location.start, $0.rule.id) < ($1.location.file, $1.location.start, $1.rule.id) }
    let used = Set(finder.found.map { [$0.rule.id, $0.subject] })
    let unused = schema.waivers.filter { !used.contains([$0.rule, $0.at]) }
    return (changes, unused.map { diagnostic(unused: $0, at: places.configuration("waivers")) })
  }

  private static func diagnostic(unused waiver: Waiver, at place: SourceRange) -> Diagnostic {
    Diagnostic(
      severity: .warning, rule: Rule.unusedWaiver.id,
      message: "The waiver of `\(waiver.rule)` at `\(waiver.at)` permits nothing: remove it.", location: place)
  }
}

extension SchemaLock {
  /// Reads the text of a lock. Nil after a mistake in it.
  public static func read(_ source: SourceFile) -> (lock: SchemaLock?, diagnostics: [Diagnostic]) {
    let findings = Findings()
    let lock = LockReader(source: source, findings: findings).read()
    return (lock, findings.sorted())
  }

  /// The version of a schema that stands on these releases: the newest one, with `+` if it does not say exactly this.
  func version(of schema: Schema) -> String {
    guard let newest = releases.last else { return "" }
    return "\(newest)" + (isUpToDate(SchemaFacts(schema), schema) ? "" : "+")
  }

  /// Whether the newest release says exactly this.
  fileprivate func isUpToDate(_ facts: SchemaFacts, _ schema: Schema) -> Bool {
    guard self.schema == schema.name, !releases.isEmpty else { return false }
    var count = 0
    for key in self.facts.keys {
      guard let value = newest(key) else { continue }
      guard facts.values[key] == value else { return false }
      count += 1
    }
    return count == facts.values.count
  }
}
