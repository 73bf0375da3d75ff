// The rules for schemas as data. Messages are made where a rule is checked, because they name what is in the schema.

/// A row of the rule table.
public struct Rule: Hashable, Sendable {
  public var id: String
  public var severity: Diagnostic.Severity
  /// One sentence on what the rule asks for.
  public var purpose: String

  /// Every rule, in the order of the documentation.
  public static let all: [Rule] = RuleTable.rows.map { row in
    Rule(id: row.id.rawValue, severity: row.severity, purpose: row.purpose)
  }
}
