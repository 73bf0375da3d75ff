// `modelgen diagram`: prints a picture of the schema, as text that Mermaid draws.
import ArgumentParser
import ModelEmitters
import ModelSchema

struct DiagramCommand: SchemaCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagram",
    abstract: "Prints a class diagram of the models, in the language of Mermaid.",
    discussion: """
      GitHub, GitLab and most editors draw it where it stands in a Markdown file, between ```mermaid and ```. \
      Deprecated fields are left out.

      EXAMPLES:
        modelgen diagram > models.mmd
        modelgen diagram Sources/App/Schemas
      """
  )

  @OptionGroup var schema: SchemaOptions

  func run(_ report: inout Report) throws(FileProblems) {
    guard let read = try schema.readAlone(&report) else { return }
    report.results = ModelDiagram(read.schema).mermaid
  }
}
