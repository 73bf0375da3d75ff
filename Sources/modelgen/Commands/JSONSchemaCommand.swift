// `modelgen json-schema`: prints the JSON Schema by which editors complete, explain and check schema files.
import ArgumentParser
import Commands
import ModelSchema

struct JSONSchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "json-schema",
    abstract: "Prints the JSON Schema of schema files, for editors.",
    discussion: """
      An editor that knows it completes keys, explains them, and marks misspelt ones while you type. Lines for VS Code \
      and JetBrains are in docs/guides/editors.md. `modelgen lint` finds more, since it reads all files together.

      EXAMPLES:
        modelgen json-schema > Schemas/.schema.json
        modelgen json-schema --config > Schemas/.modelgen.schema.json
      """
  )

  @Flag(help: "Print that of modelgen.yaml instead.")
  var config = false

  func run() {
    Terminal.print(config ? JSONSchema.configuration : JSONSchema.schemaFile)
  }
}
