// Arguments that more than one command takes.
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

  /// The validated schema; nil where there is a mistake, which is in the report.
  func read(_ report: inout Report) throws(FileProblems) -> Schema? {
    report.sources = try SchemaFolder(path: folder).read(progress)
    progress.show("Checking", files: report.sources.count)
    defer { progress.finish(files: report.sources.count) }
    let result = SchemaReader.read(report.sources)
    report.add(result.diagnostics)
    return result.schema
  }
}

/// A script whose variable is empty means no folder at all.
func checkFolder(_ folder: String) throws {
  if folder.isEmpty { throw ValidationError("The name of the schema folder is empty.") }
}

/// How diagnostics are shown.
enum DiagnosticFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json, github
}
