// Turns the texts of a schema folder into a validated `Schema`, or into a list of all mistakes in all files.

/// The bytes of a schema file, as they were read from disk.
public struct SourceFile: Hashable, Sendable {
  /// The path for diagnostics.
  public var path: String
  public var bytes: [UInt8]

  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}

/// The result of reading a folder.
public struct ReadingResult: Sendable {
  /// Nil where there is at least one error.
  public var schema: Schema?
  /// Sorted by file and place.
  public var diagnostics: [Diagnostic]

  public init(schema: Schema?, diagnostics: [Diagnostic]) {
    self.schema = schema
    self.diagnostics = diagnostics
  }
}

/// Reads a folder of schema files.
public enum SchemaReader {
  /// The validated schema of `files`, which include `modelgen.yaml`, and every mistake in them.
  ///
  /// A pure function that accepts any bytes. Its time grows linearly with their number. The order of `files` does not
  /// matter. `lock` tells the version of the schema, and in messages which of two fields has a tag for longer.
  public static func read(_ files: [SourceFile], lock: SchemaLock? = nil) -> ReadingResult {
    let findings = Findings()
    let ordered = files.sorted { $0.path < $1.path }
    let configuration = ConfigurationReader.read(ordered, findings)
    let outlines = ordered.filter { !ConfigurationReader.isConfiguration($0) }.map { source in
      OutlineReader(findings: findings).read(source)
    }
    let names = NameTable(outlines, lock, findings)
    checkReserved(configuration.reservedModels, names, findings)
    let declared = outlines.map { DeclarationReader(names: names, file: $0, lock: lock, findings: findings).read() }
    let catalog = Catalog(declared, names: names, findings)
    StructRecursion.check(declared, findings)
    SwiftNames.check(declared, schemaName: configuration.name, findings)
    let files = declared.map { FileAssembly(file: $0, catalog: catalog).assemble() }
    guard !findings.hasErrors else { return ReadingResult(schema: nil, diagnostics: findings.sorted()) }
    AccessHints(catalog: catalog).report(files.compactMap(\.model))
    var schema = Schema(
      name: configuration.name, access: configuration.access, output: configuration.output,
      fixtures: configuration.fixtures, files: files.sorted { $0.stem < $1.stem },
      reservedModels: configuration.reservedModels.map(\.text), waivers: configuration.waivers)
    schema.version = lock?.version(of: schema) ?? ""
    return ReadingResult(schema: schema, diagnostics: findings.sorted())
  }

  /// The `output:` of the `modelgen.yaml` among `files`; nil where that has a mistake.
  public static func output(of files: [SourceFile]) -> String? {
    let findings = Findings()
    let configuration = ConfigurationReader.read(files, findings)
    return findings.hasErrors ? nil : configuration.output
  }

  /// Reports each model that has the name of a removed one.
  private static func checkReserved(_ reserved: [Spelled], _ names: NameTable, _ findings: Findings) {
    for name in reserved {
      guard let model = names.models[name.text] else { continue }
      findings.report(
        .nameReused, "`\(name.text)` is reserved in `modelgen.yaml`: a model of this name existed before.",
        at: model.range, related: [.init(message: "It is reserved here.", location: name.range)])
    }
  }
}
