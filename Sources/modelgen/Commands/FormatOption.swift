// Arguments that more than one command takes.
import ArgumentParser
import ModelSchema

struct SchemaOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The folder with the schema files.", valueName: "folder"))
  var folder = "Schemas"

  @Option(help: "How mistakes are shown: text, json or github (annotations of a workflow run).")
  var format = DiagnosticFormat.text

  /// The validated schema; every mistake is on the terminal when this throws.
  func read() throws -> Schema {
    let sources = try SchemaFolder(path: folder).read()
    let result = SchemaReader.read(sources)
    format.show(result.diagnostics, of: sources)
    guard let schema = result.schema else { throw ExitStatus.mistakes }
    return schema
  }
}

/// How diagnostics are shown.
enum DiagnosticFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json, github

  /// Writes them to standard error, so that they never mix with what a command prints.
  func show(_ diagnostics: [Diagnostic], of sources: [SourceFile]) {
    let renderer = DiagnosticRenderer(sources: sources, colour: self == .text && Terminal.showsColour)
    switch self {
    case .text: if !diagnostics.isEmpty { Terminal.error(renderer.text(diagnostics)) }
    case .json: Terminal.error(renderer.json(diagnostics))
    case .github: if !diagnostics.isEmpty { Terminal.error(renderer.github(diagnostics)) }
    }
  }
}
