// From the texts of a schema folder to a validated `Schema`, or to all mistakes in all files.

/// A schema file as it was read from disk.
public struct SourceFile: Hashable, Sendable {
  /// The path as diagnostics shall show it.
  public var path: String
  public var bytes: [UInt8]

  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}

/// What reading a folder gives.
public struct ReadingResult: Sendable {
  /// Absent where there is at least one error.
  public var schema: Schema?
  /// In the order of files and lines.
  public var diagnostics: [Diagnostic]

  public init(schema: Schema?, diagnostics: [Diagnostic]) {
    self.schema = schema
    self.diagnostics = diagnostics
  }
}

/// Reads a folder of schema files.
public enum SchemaReader {
  /// The validated schema of `files` (`modelgen.yaml` among them), and every mistake in any of them.
  public static func read(_ files: [SourceFile]) -> ReadingResult {
    ReadingResult(schema: nil, diagnostics: [])
  }
}
