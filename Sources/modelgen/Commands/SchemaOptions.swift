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

  /// Reads and validates the schema. Adds all mistakes to the report; nil where one of them is an error.
  func read(_ report: inout Report) throws(FileProblems) -> Schema? {
    report.sources = try SchemaFolder(path: folder).read(progress)
    progress.show("Checking", files: report.sources.count)
    defer { progress.finish(files: report.sources.count) }
    let result = SchemaReader.read(report.sources)
    report.add(result.diagnostics)
    return result.schema
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
