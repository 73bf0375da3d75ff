// Mistakes that a schema can have, as data: one row a rule. Messages are made where a rule is checked, because they
// name what is there.

/// A row of the rule table.
public struct Rule: Hashable, Sendable {
  public var id: String
  public var severity: Diagnostic.Severity
  /// One line: what the rule asks for.
  public var purpose: String

  /// Every rule, in the order of the documentation.
  public static let all: [Rule] = RuleTable.rows.map { row in
    Rule(id: row.id.rawValue, severity: row.severity, purpose: row.purpose)
  }
}
