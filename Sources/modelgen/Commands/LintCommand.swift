// `modelgen lint`: reports every mistake in a schema folder and writes nothing.
import ArgumentParser
import ModelSchema

struct LintCommand: WatchableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Shows every mistake in the schema files; writes nothing.",
    discussion: """
      EXAMPLES:
        modelgen lint
        modelgen lint Sources/App/Schemas --format json
        modelgen lint --watch                         again after each change
      """
  )

  @OptionGroup var schema: SchemaOptions

  @Flag(help: "Go on, and run again whenever a schema file changes.")
  var watch = false

  func validate() throws { try checkWatch() }

  func run(_ report: inout Report) throws(FileProblems) {
    guard let locked = try schema.read(&report) else { return }
    report.closing = "No mistakes in \(counted(locked.schema.files.count, "schema file"))."
    if locked.lock == nil {
      report.closing += "\nNo version is released yet: everything may change. See `modelgen help release`."
    } else if !locked.changes.isEmpty {
      report.closing += "\n" + locked.sinceLastRelease
    }
  }
}
