// The arguments that several commands share.
import ArgumentParser
import ModelSchema

struct SchemaOptions: ParsableArguments {
  static let defaultFolder = "Schemas"

  @Argument(help: ArgumentHelp("The folder with the schema files.", valueName: "folder"))
  var folder = defaultFolder

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
    try checked(texts(&report), &report)
  }

  /// Reads and validates the schema and its lock, and compares nothing.
  func readAlone(_ report: inout Report) throws(FileProblems) -> LockedSchema? {
    try checkedAlone(texts(&report), &report)
  }

  /// Reads the files of the folder, and judges nothing.
  func texts(_ report: inout Report) throws(FileProblems) -> SchemaTexts {
    let folder = SchemaFolder(path: folder)
    let files = try folder.read(progress)
    defer { progress.finish(files: files.count) }
    report.sources = files
    let lock = try folder.lock()
    if let lock { report.sources.append(lock) }
    return SchemaTexts(files: files, lock: lock)
  }

  /// Rewrites the files that have changed, or shows the changes as a diff. Returns the number of these files.
  func rewrite(
    _ old: [SourceFile], as new: [SourceFile], dryRun: Bool, _ report: inout Report
  ) throws(FileProblems) -> Int {
    let changed = zip(old, new).filter { $0 != $1 }.map { (old: $0, new: $1) }
    if dryRun {
      report.results = changed.map { UnifiedDiff.text(from: $0.old, to: $0.new) }.joined()
    } else {
      try SchemaFolder(path: folder).rewrite(changed)
    }
    return changed.count
  }

  /// Validates the schema, and holds it against its releases.
  func checked(_ texts: SchemaTexts, _ report: inout Report) -> LockedSchema? {
    guard var locked = checkedAlone(texts, &report) else { return nil }
    guard let lock = locked.lock else { return locked }
    let (changes, unused) = SchemaChanges.find(in: locked.schema, report.sources, since: lock)
    locked.changes = changes
    let refused = changes.filter(\.isRefused)
    report.add(refused.map(\.diagnostic) + unused)
    return refused.isEmpty ? locked : nil
  }

  private func checkedAlone(_ texts: SchemaTexts, _ report: inout Report) -> LockedSchema? {
    progress.show("Checking", files: texts.files.count)
    defer { progress.finish(files: texts.files.count) }
    let (lock, isReadable) = texts.readLock(&report)
    let result = SchemaReader.read(texts.files, lock: lock)
    report.add(result.diagnostics)
    guard isReadable, let schema = result.schema else { return nil }
    return LockedSchema(schema: schema, lock: lock)
  }
}

/// The files of a schema folder, as they were read from disk.
struct SchemaTexts {
  let files: [SourceFile]
  /// Nil where nothing was released yet.
  let lock: SourceFile?

  /// Reads the lock, which is nil where nothing was released. Reports its mistakes; then it is not readable.
  func readLock(_ report: inout Report) -> (lock: SchemaLock?, isReadable: Bool) {
    guard let source = lock else { return (nil, true) }
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
