// A mistake in a schema as a value: its message, its place, and a text that would correct it.

/// One finding about a file.
public struct Diagnostic: Hashable, Sendable {
  public var severity: Severity
  /// The ID of a rule, for example `duplicate-tag`.
  public var rule: String
  public var message: String
  public var location: SourceRange
  /// A text that would be right at `location`, shown as "did you mean".
  public var replacement: String?
  /// Other places that explain the finding.
  public var related: [Note]
  /// The way out, where it is more than a text at `location`.
  public var help: String?
  /// The ways to mend it that `modelgen fix` knows.
  public var fixes: [Fix]

  public init(
    severity: Severity, rule: String, message: String, location: SourceRange, replacement: String? = nil,
    related: [Note] = [], help: String? = nil, fixes: [Fix] = []
  ) {
    self.severity = severity
    self.rule = rule
    self.message = message
    self.location = location
    self.replacement = replacement
    self.related = related
    self.help = help
    self.fixes = fixes
  }

  public enum Severity: String, Hashable, Sendable, CaseIterable {
    case error, warning
    /// What is worth knowing and needs nothing.
    case notice
  }

  public struct Note: Hashable, Sendable {
    public var message: String
    public var location: SourceRange

    public init(message: String, location: SourceRange) {
      self.message = message
      self.location = location
    }
  }
}

/// A part of one schema file.
public struct SourceRange: Hashable, Sendable {
  /// The path as the caller gave it to the reader.
  public var file: String
  public var start: SourcePosition
  /// Behind the last character.
  public var end: SourcePosition

  public init(file: String, start: SourcePosition, end: SourcePosition) {
    self.file = file
    self.start = start
    self.end = end
  }

  /// A whole file or folder: for findings without a line, such as a file that cannot be read.
  public static func whole(_ file: String) -> SourceRange {
    let nowhere = SourcePosition(line: 0, column: 0)
    return SourceRange(file: file, start: nowhere, end: nowhere)
  }

  public var isWhole: Bool { start.line == 0 }
}

/// A place in a file. Lines and columns count from 1; columns count Unicode scalars.
public struct SourcePosition: Hashable, Sendable, Comparable {
  public var line: Int
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  public static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
