// `modelgen retire`: takes a deprecated field out once nobody has an app that uses it.
import ArgumentParser
import ModelSchema

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

struct RetireCommand: SchemaCommand {
  static let configuration = CommandConfiguration(
    commandName: "retire",
    abstract: "Removes a deprecated field, and reserves its tag, once no old app is in use.",
    discussion: """
      A field is deprecated first (`deprecated: true`), and released so. Apps of that release do not use it any more. \
      Once the server has seen no older app for 90 days, the field may go. What is stored keeps its value, and nothing \
      shows it.

      EXAMPLES:
        modelserver versions --database team.sqlite --format json > versions.json
        modelgen retire note.due --versions versions.json
        modelgen retire note.place.street --versions versions.json --days 365 Sources/App/Schemas

      The exit status is 1 where the field has to stay.
      """
  )

  @Argument(help: ArgumentHelp("The field by the names of today, such as note.due.", valueName: "model.field"))
  var field: String

  @OptionGroup var schema: SchemaOptions

  @Option(help: ArgumentHelp("What `modelserver versions --format json` has printed.", valueName: "file"))
  var versions: String

  @Option(help: "An app that was not seen for so many days counts as gone.")
  var days = 90

  @Flag(help: "Write nothing; print what would change as a unified diff.")
  var dryRun = false

  func validate() throws {
    if days < 1 { throw ValidationError("'--days' must be at least 1; it is \(days).") }
    if dryRun, schema.format == .json {
      throw ValidationError("'--dry-run' prints a diff: leave '--format json' out.")
    }
  }

  func run(_ report: inout Report) throws(FileProblems) {
    let counts = try readCounts()
    guard let locked = try schema.read(&report) else { return }
    guard let lock = locked.lock else {
      return refuse("nothing was released yet", "take the line of the field out of the schema file", &report)
    }
    let files = report.sources.filter { $0.path.hasSuffix(".yaml") }
    switch FieldRetirement(of: field, in: locked.schema, files, lock: lock).run(counts, unseenFor: days) {
    case .refused(let reason, let remedy): refuse(reason, remedy, &report)
    case .retired(let result):
      _ = try schema.rewrite(files, as: result, dryRun: dryRun, &report)
      if !dryRun { report.closing = "Retired \(field): its tag is reserved. Generate again, and release." }
    }
  }

  private func readCounts() throws(FileProblems) -> VersionCounts {
    do throws(FileProblem) {
      let bytes = try FolderHandle.contents(of: versions, limit: SchemaLock.mostBytes)
      let remedy = "write it with `modelserver versions --database FILE --format json > \(quoted(versions))`"
      guard let counts = VersionCounts(SourceFile(path: versions, bytes: bytes)) else {
        throw FileProblem(
          rule: .versionCounts, path: versions, reason: "this is not the output of `modelserver versions`",
          remedy: remedy)
      }
      guard abs(Self.today - counts.day) <= Self.mostDays else {
        throw FileProblem(
          rule: .versionCounts, path: versions,
          reason: "these are the counts of \(counts.date), and they have to be of the last \(Self.mostDays) days",
          remedy: remedy)
      }
      return counts
    } catch {
      throw FileProblems([error])
    }
  }

  /// Counts that are older say nothing of who has come back since.
  private static let mostDays = 7

  private static var today: Int { time(nil) / 86_400 }

  private func refuse(_ reason: String, _ remedy: String, _ report: inout Report) {
    report.add([FileProblem(rule: .fieldInUse, path: schema.folder, reason: reason, remedy: remedy).diagnostic])
  }
}
