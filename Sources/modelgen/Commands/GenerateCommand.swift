// `modelgen generate`: writes the generated files of a schema folder, or checks whether they are up to date.
import ArgumentParser
import ModelEmitters
import ModelSchema

struct GenerateCommand: WatchableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Writes the generated files of a schema folder.",
    discussion: """
      Files that would not change are left untouched. A file that is no longer needed is removed if modelgen wrote \
      it; no other file is ever overwritten or removed.

      EXAMPLES:
        modelgen generate
        modelgen generate Sources/App/Schemas --output Sources/App/Generated
        modelgen generate --check --format github
        modelgen generate --watch      again after each change, until Ctrl-C
      """
  )

  @OptionGroup var schema: SchemaOptions

  @Flag(help: "Write nothing; exit with 1 and name the files that are missing or out of date.")
  var check = false

  @Flag(help: "Go on, and run again whenever a schema file, modelgen.yaml or the lock changes.")
  var watch = false

  @Option(help: ArgumentHelp("The output folder, instead of the one that modelgen.yaml names.", valueName: "folder"))
  var output: String?

  @Option(help: ArgumentHelp("Only this kind of output: \(OutputKind.names).", valueName: "kind"))
  var only: OutputKind?

  @Flag(help: "Write all files into the output folder itself; for build systems that name each output.")
  var flat = false

  func validate() throws {
    try checkWatch()
    if watch, check {
      throw ValidationError("'--check' is for a single look and '--watch' never ends: leave one of them out.")
    }
    guard let output else { return }
    guard !output.isEmpty else { throw ValidationError("'--output' needs the name of a folder.") }
    guard !lies(FolderHandle.absolute(output), in: FolderHandle.absolute(schema.folder)) else {
      throw ValidationError(
        "The output folder '\(output)' lies in the schema folder '\(schema.folder)': choose one beside it.")
    }
  }

  func run(_ report: inout Report) throws(FileProblems) {
    let texts = try schema.texts(&report)
    let inputs = inputs(texts)
    if let inputs, let closing = closing(ofLastRunWith: inputs, texts) {
      report.closing = closing
      return
    }
    guard let locked = schema.checked(texts, &report) else { return }
    let schema = locked.schema
    let folder = try OutputFolder.open(
      output: output, configured: schema.output, schemaFolder: self.schema.folder, creating: !check)
    let progress = self.schema.progress
    defer { progress.finish(files: schema.files.count) }
    progress.show("Generating", files: schema.files.count)
    let files = OutputFile.all(of: schema, only: only?.name, flat: flat)
    if schema.version.isEmpty, let release = folder.release(in: files) { return report.add([lockMissing(release)]) }
    let previous = try manifest(of: folder, &report)
    let plan = try folder.plan(files, of: schema.name, previous, kinds: only.map { [$0.name] })
    // Without a manifest nothing tells which generated files are not needed any more.
    let strays = previous == nil ? try folder.strays(besides: files) : []
    report.add(strays.map { stray($0, in: folder) })
    if check { return say(plan, folder, &report) }
    try folder.apply(plan, progress)
    let since = locked.changes.isEmpty ? "" : "\n" + locked.sinceLastRelease
    report.closing = plan.summary(folder: folder.path) + since
    // A warning is shown in each run, a notice after a change.
    guard let inputs, report.isCalm else { return }
    let closing = OutputPlan.summary(folder: folder.path, unchanged: files.count) + since
    folder.remember(RunRecord(inputs, plan.manifest, files, closing: closing))
  }

  private func lockMissing(_ release: String) -> Diagnostic {
    FileProblem(
      rule: .lockMissing, path: joined(schema.folder, SchemaLock.fileName),
      reason: "is gone, and the generated code stands on \(release): nothing is held against the releases any more",
      remedy: "take it from git again. Where nothing was released after all, delete the generated registry"
    ).diagnostic
  }

  private func stray(_ path: String, in folder: OutputFolder) -> Diagnostic {
    var diagnostic = FileProblem(
      rule: .outOfDate, path: path, reason: "is generated, and no manifest names it",
      remedy: "delete it unless another schema needs it"
    ).moved(into: folder.path).diagnostic
    if !check { diagnostic.severity = .warning }
    return diagnostic
  }

  /// The manifest of the last run; nil where there is none. After a merge conflict it has the lines of both sides, and
  /// the report gets a warning.
  private func manifest(of folder: OutputFolder, _ report: inout Report) throws(FileProblems) -> Manifest? {
    guard let source = try folder.manifest() else { return nil }
    report.sources.append(source)
    let manifest = try Manifest(text: String(decoding: source.bytes, as: UTF8.self), path: source.path)
    if manifest.hasConflict { report.add([Manifest.conflict(in: source.path)]) }
    return manifest
  }

  /// Reports the outcome of `--check`.
  private func say(_ plan: OutputPlan, _ folder: OutputFolder, _ report: inout Report) {
    report.add(
      plan.differences.map { difference in
        FileProblem(
          rule: .outOfDate, path: difference.path, reason: difference.reason, remedy: "run `\(repeated)`"
        ).moved(into: folder.path).diagnostic
      })
    report.closing = "\(counted(plan.unchanged, "generated file")) up to date in \(folder.path)."
  }

  /// The command that would write the files, for the remedy in messages.
  var repeated: String {
    var words = ["modelgen generate"]
    if schema.folder != "Schemas" { words.append(quoted(schema.folder)) }
    if let output { words.append("--output \(quoted(output))") }
    if let only { words.append("--only \(only.name)") }
    if flat { words.append("--flat") }
    return words.joined(separator: " ")
  }
}

/// The name of an emitter in `Emitter.all`.
struct OutputKind: ExpressibleByArgument {
  static var names: String { Emitter.all.map(\.name).joined(separator: ", ") }

  var name: String

  init?(argument: String) {
    guard Emitter.all.contains(where: { $0.name == argument }) else { return nil }
    name = argument
  }

  static var allValueStrings: [String] { Emitter.all.map(\.name) }
}
