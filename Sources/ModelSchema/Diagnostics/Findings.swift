// Collects diagnostics while a folder is read.

/// Collects diagnostics; one instance per run, never shared between threads.
final class Findings {
  private(set) var diagnostics: [Diagnostic] = []
  private var seen: Set<Finding> = []

  private struct Finding: Hashable {
    var rule: Rule
    var range: SourceRange
  }

  /// After so many findings there are no more suggestions: searching for them costs more than all the rest, and people
  /// begin with the first findings.
  private static let mostSuggestions = 100

  var suggests: Bool { diagnostics.count < Self.mostSuggestions }

  /// Reports a broken rule. The same rule at the same place is reported once.
  ///
  /// `fix` mends it; without one the replacement does, unless the author may mean something else (`isCertain`).
  func report(
    _ rule: Rule, _ message: String, at range: SourceRange, replacement: @autoclosure () -> String? = nil,
    isCertain: Bool = true, fix: [TextEdit] = [], related: [Diagnostic.Note] = []
  ) {
    guard seen.insert(Finding(rule: rule, range: range)).inserted else { return }
    // In a text over several lines every piece has the range of the whole, and a replacement for the piece would not
    // fit.
    let isOnOneLine = range.start.line == range.end.line
    let replacement = suggests && (isOnOneLine || rule == .commaInBraces) ? replacement() : nil
    var edits = isOnOneLine && isCertain ? fix : []
    if let replacement, fix.isEmpty, isOnOneLine, isCertain { edits = [TextEdit(range: range, text: replacement)] }
    diagnostics.append(
      Diagnostic(
        severity: rule.severity, rule: rule.id, message: message, location: range,
        replacement: replacement, related: related, fixes: edits.isEmpty ? [] : [Fix(edits)]))
  }

  /// Reports a name that is unknown, and suggests the nearest of those that the schema declares.
  func report(
    _ rule: Rule, _ message: String, at range: SourceRange, nearestTo word: String,
    among candidates: @autoclosure () -> [String]
  ) {
    let known = suggests ? candidates() : []
    let nearest = Suggestion.nearest(to: word, among: known)
    report(
      rule, message, at: range, replacement: nearest,
      isCertain: Suggestion.isCertain(nearest, for: word, among: known))
  }

  var hasErrors: Bool {
    diagnostics.contains { $0.severity == .error }
  }

  /// Sorted by file, place, rule and message.
  func sorted() -> [Diagnostic] {
    diagnostics.sorted { left, right in
      if left.location.file != right.location.file { return left.location.file < right.location.file }
      if left.location.start != right.location.start { return left.location.start < right.location.start }
      return (left.rule, left.message) < (right.rule, right.message)
    }
  }
}
