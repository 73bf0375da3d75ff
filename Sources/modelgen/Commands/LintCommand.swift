// `modelgen lint`: every mistake of a schema folder, and nothing else.
import ArgumentParser
import ModelSchema

struct LintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Shows every mistake in the schema files; writes nothing.",
    discussion: """
      EXAMPLES:
        modelgen lint
        modelgen lint Sources/App/Schemas --format json
      """
  )

  @OptionGroup var schema: SchemaOptions

  @Flag(help: "Say nothing when there is no mistake.")
  var quiet = false

  func run() throws {
    let count = try schema.read().files.count
    if !quiet { Terminal.print("No mistakes in \(counted(count, "schema file")).") }
  }
}
