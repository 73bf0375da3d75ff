// The checkup of a project: a table of checks, each of which says in a few lines what it has found.
import ModelSchema

enum Checkup {
  /// Reads what is there, changes nothing.
  static func lines(_ project: ExaminedProject) -> [CheckupLine] { checks.flatMap { $0(project) } }

  private static let checks: [@Sendable (ExaminedProject) -> [CheckupLine]] = [
    ToolCheck.lines, FolderCheck.lines, SettingsCheck.lines, SchemaCheck.lines, LockCheck.lines, OutputCheck.lines,
    PluginCheck.lines, EditorCheck.lines,
  ]
}

/// A schema folder as the checks see it. It is read once, as far as it can be.
struct ExaminedProject {
  /// As the user typed it, or the default.
  let folder: String
  let isTyped: Bool
  /// The folder of `--output`.
  let output: String?
  /// Empty where the folder or one of its files cannot be read.
  private(set) var sources: [SourceFile] = []
  /// What keeps files from being read.
  private(set) var problems: [FileProblem] = []
  /// Nil where nothing was read.
  private(set) var reading: ReadingResult?
  /// Nil where nothing was released, and where the lock cannot be read.
  private(set) var lock: SchemaLock?
  /// What is wrong with the lock, as sentences.
  private(set) var lockProblems: [String] = []
  /// The changes since the releases.
  private(set) var changes: [SchemaChange] = []

  init(folder: String?, output: String?) {
    self.folder = folder ?? SchemaOptions.defaultFolder
    self.output = output
    isTyped = folder != nil
    do throws(FileProblems) {
      sources = try SchemaFolder(path: self.folder).read(Progress(isWanted: false))
      try readLock()
    } catch {
      problems = error.problems
    }
    guard !sources.isEmpty else { return }
    let reading = SchemaReader.read(sources, lock: lock)
    self.reading = reading
    if let lock, let schema = reading.schema {
      changes = SchemaChanges.find(in: schema, sources, since: lock).changes
    }
  }

  private mutating func readLock() throws(FileProblems) {
    guard let source = try SchemaFolder(path: folder).lock() else { return }
    let (lock, diagnostics) = SchemaLock.read(source)
    self.lock = lock
    lockProblems = diagnostics.map(\.message)
  }

  /// The schema; nil where it has an error.
  var schema: Schema? { reading?.schema }

  /// Whether `generate` would refuse the schema.
  var isRefused: Bool { schema == nil || !lockProblems.isEmpty || changes.contains(where: \.isRefused) }

  /// A command for the user to copy, with the folder if it is not the default.
  func command(_ words: String) -> String {
    "`modelgen \(words)" + (folder == SchemaOptions.defaultFolder ? "" : " " + quoted(folder)) + "`"
  }
}
