// `modelgen doctor`: says how a project stands and what to do about each problem. It changes nothing.
import ArgumentParser
import Commands

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Says how a project stands, and what to do about each problem.",
    discussion: """
      It looks at the tool itself, the schema folder and its settings, the releases, the generated files, the build \
      plugin and the files for editors. Nothing is changed. Each line begins with ok, note or problem.

      EXAMPLES:
        modelgen doctor
        modelgen doctor Sources/App/Schemas
        modelgen doctor --format json

      The exit status is 1 where there is a problem.
      """
  )

  @Argument(
    help: ArgumentHelp(
      "The folder with the schema files. (default: \(SchemaOptions.defaultFolder))", valueName: "folder"))
  var folder: String?

  @Option(help: ArgumentHelp("The output folder, instead of the one that modelgen.yaml names.", valueName: "folder"))
  var output: String?

  @Option(help: "How the lines are shown: text or json.")
  var format = CheckupFormat.text

  func validate() throws {
    if let folder { try checkFolder(folder) }
    if output == "" { throw ValidationError("'--output' needs the name of a folder.") }
  }

  func run() throws {
    let lines = Checkup.lines(ExaminedProject(folder: folder, output: output))
    Terminal.print(format == .json ? CheckupLine.json(lines) : lines.map(\.shown).joined())
    if lines.contains(where: { $0.standing == .problem }) { throw ExitStatus.mistakes }
  }
}

enum CheckupFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}
