// `modelgen generate`: schema files in, generated files out, or the news that they are out of date.
import ArgumentParser
import ModelEmitters
import ModelSchema

struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Writes the generated files of a schema folder.",
    discussion: """
      Files that would not change are left untouched. A file that is not needed any more is removed if modelgen wrote \
      it; no other file is ever overwritten or removed.

      EXAMPLES:
        modelgen generate
        modelgen generate Sources/App/Schemas --output Sources/App/Generated
        modelgen generate --check --format github
      """
  )

  @OptionGroup var schema: SchemaOptions

  @Flag(help: "Write nothing; exit with 1 and name the files that are missing or out of date.")
  var check = false

  @Option(help: "The output folder, instead of the one that modelgen.yaml names.")
  var output: String?

  @Option(help: ArgumentHelp("Only this kind of output: \(OutputKind.names).", valueName: "name"))
  var only: OutputKind?

  @Flag(help: "Write all files into the output folder itself; for build systems that name each output.")
  var flat = false

  @Flag(help: "Say nothing when all goes well.")
  var quiet = false

  func run() throws {
    let schema = try schema.read()
    let folder = try OutputFolder.open(
      output: output, schema: schema, schemaFolder: self.schema.folder, creating: !check)
    let files = OutputFile.all(of: schema, only: only?.name, flat: flat)
    let previous = try folder.manifest()
    let plan = OutputPlan(
      files: files, previous: previous, kinds: only.map { [$0.name] },
      existing: try folder.existing(of: files, previous))
    try plan.throwProblems(in: folder.path)
    if check { return try report(plan, folder) }
    try folder.apply(plan)
    if !quiet { Terminal.print(plan.summary(folder: folder.path)) }
  }

  /// The outcome of `--check`.
  private func report(_ plan: OutputPlan, _ folder: OutputFolder) throws {
    let differences = plan.differences
    guard !differences.isEmpty else {
      if !quiet { Terminal.print("\(counted(plan.unchanged, "generated file")) up to date in \(folder.path).") }
      return
    }
    for difference in differences {
      let path = joined(folder.path, difference.path)
      let message = "\(difference.reason): run `modelgen generate \(schema.folder)`"
      Terminal.error(schema.format == .github ? "::error file=\(path)::\(message)" : "\(path): error: \(message)")
    }
    throw ExitStatus.mistakes
  }
}

/// One of `Emitter.all`, by its name.
struct OutputKind: ExpressibleByArgument {
  static var names: String { Emitter.all.map(\.name).joined(separator: ", ") }

  var name: String

  init?(argument: String) {
    guard Emitter.all.contains(where: { $0.name == argument }) else { return nil }
    name = argument
  }

  static var allValueStrings: [String] { Emitter.all.map(\.name) }
}
