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

/// The result of reading a folder.
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
  ///
  /// Pure, and total: any bytes give a result, in time linear in their number. The order of `files` is irrelevant.
  public static func read(_ files: [SourceFile]) -> ReadingResult {
    let findings = Findings()
    let ordered = files.sorted { $0.path < $1.path }
    let configuration = ConfigurationReader.read(ordered, findings)
    let outlines = ordered.filter { !ConfigurationReader.isConfiguration($0) }.map { source in
      OutlineReader(findings: findings).read(source)
    }
    let names = NameTable(outlines, findings)
    let declared = outlines.map { DeclarationReader(names: names, file: $0, findings: findings).read() }
    let catalog = Catalog(declared, names: names, findings)
    StructRecursion.check(declared, findings)
    SwiftNames.check(declared, schemaName: configuration.name, findings)
    let files = declared.map { FileAssembly(file: $0, catalog: catalog, findings: findings).assemble() }
    guard !findings.hasErrors else { return ReadingResult(schema: nil, diagnostics: findings.sorted()) }
    let schema = Schema(
      name: configuration.name, access: configuration.access, output: configuration.output,
      fixtures: configuration.fixtures, files: files.sorted { $0.stem < $1.stem })
    return ReadingResult(schema: schema, diagnostics: findings.sorted())
  }
}
