// `modelgen init`: starts a schema folder with a first schema that has explanatory comments.
import ArgumentParser
import ModelEmitters
import ModelSchema

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Starts a schema folder: modelgen.yaml and a first model, with comments.",
    discussion: """
      Never overwrites a file. A folder that has schema files gets modelgen.yaml only, if that is missing.

      EXAMPLES:
        modelgen init
        modelgen init Sources/App/Schemas --name Journal
      """
  )

  @Argument(help: ArgumentHelp("The folder to start.", valueName: "folder"))
  var folder = "Schemas"

  @Option(help: "The schema's name: Journal gives JournalSchema.")
  var name = "App"

  func validate() throws {
    try checkFolder(folder)
    guard name.isSwiftTypeName else {
      throw ValidationError("'\(name)' is not a schema name: a capital letter, then letters and digits, as in Journal.")
    }
  }

  func run() throws {
    var report = Report()
    do throws(FileProblem) {
      report.closing = try start()
    } catch {
      report.add(FileProblems([error]))
    }
    report.show(.text, quiet: false)
    guard report.status == .clean else { throw report.status }
  }

  /// Writes the missing files and returns a text that says what was done.
  private func start() throws(FileProblem) -> String {
    let target = try FolderHandle.open(normalized(folder), creating: true)
    let names = try target.names().filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }
    var lines: [String] = []
    for file in FirstSchema.files(schemaName: name) where names.isEmpty || file.path == FirstSchema.configuration {
      let isNew = try target.create(file.path, contents: Array(file.contents.utf8))
      lines.append("\(isNew ? "wrote" : "exists, left as it is:") \(joined(folder, file.path))")
    }
    let argument = folder == "Schemas" ? "" : " " + quoted(folder)
    // Inside of a target the plugin generates, and what `generate` writes there would be compiled too.
    let isInTarget = folder.split(separator: "/").contains("Sources")
    let next = isInTarget ? "build: the plugin ModelgenBuild generates" : "run `modelgen generate\(argument)`"
    lines.append(
      names.isEmpty
        ? "Next: change \(joined(folder, FirstSchema.model)), then \(next)."
        : "\(folder) has schema files already. Next: run `modelgen lint\(argument)`.")
    return lines.joined(separator: "\n")
  }
}
