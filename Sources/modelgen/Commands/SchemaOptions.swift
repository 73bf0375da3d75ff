// The arguments that several commands share.
import ArgumentParser
import ModelSchema

struct SchemaOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The folder with the schema files.", valueName: "folder"))
  var folder = "Schemas"

  @Option(help: "How mistakes are shown: text, json, or github (annotations of a workflow run).")
  var format = DiagnosticFormat.text

  @Flag(help: "Say nothing when all goes well.")
  var quiet = false

  func validate() throws {
    try checkFolder(folder)
  }

  var progress: Progress { Progress(isWanted: !quiet) }

  /// Reads and validates the schema, and holds it against its releases. Adds all mistakes to the report; nil where one
  /// of them is an error.
  func read(_ report: inout Report) throws(FileProblems) -> LockedSchema? {
    guard var locked = try readAlone(&report) else { return nil }
    guard let lock = locked.lock else { return locked }
    let (changes, unused) = SchemaChanges.find(in: locked.schema, report.sources, since: lock)
    locked.changes = changes
    let refused = changes.filter(\.isRefused)
    report.add(refused.map(\.diagnostic) + unused)
    return refused.isEmpty ? locked : nil
  }

  /// Reads and validates the schema and its lock, and compares nothing.
  func readAlone(_ report: inout Report) throws(FileProblems) -> LockedSchema? {
    let folder = SchemaFolder(path: folder)
    report.sources = try folder.read(progress)
    progress.show("Checking", files: report.sources.count)
    defer { progress.finish(files: report.sources.count) }
    let files = report.sources
    let (lock, isReadable) = try readLock(&report)
    let result = SchemaReader.read(files, lock: lock)
    report.add(result.diagnostics)
    guard isReadable, var schema = result.schema else { return nil }
    schema.version = lock?.version(of: schema) ?? ""
    return LockedSchema(schema: schema, lock: lock)
  }

  /// Reads the lock, which is nil where nothing was released. Reports its mistakes; then it is not readable.
  func readLock(_ report: inout Report) throws(FileProblems) -> (lock: SchemaLock?, isReadable: Bool) {
    guard let source = try SchemaFolder(path: folder).lock() else { return (nil, true) }
    report.sources.append(source)
    let (lock, diagnostics) = SchemaLock.read(source)
    report.add(diagnostics)
    return (lock, lock != nil)
  }
}

/// A valid schema and the lock beside it.
struct LockedSchema {
  let schema: Schema
  /// Nil where nothing was released yet.
  let lock: SchemaLock?
  /// The changes since the releases in the lock, once they were looked for.
  var changes: [SchemaChange] = []

  /// What has changed since the last release, as a sentence; empty where nothing has.
  var sinceLastRelease: String {
    guard let last = lock?.releases.last, !changes.isEmpty else { return "" }
    let list = changes.count == 1 ? "lists it" : "lists them"
    return "\(counted(changes.count, "change")) since the release \(last): `modelgen breaking` \(list)."
  }
}

/// Throws for an empty name, which a script passes when its variable is empty.
func checkFolder(_ folder: String) throws {
  if folder.isEmpty { throw ValidationError("The name of the schema folder is empty.") }
}

/// The output format of diagnostics.
enum DiagnosticFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json, github
}
