// `modelgen release`: notes in the lock what the schema says, so that every later schema is held against it.
import ArgumentParser
import ModelSchema

struct ReleaseCommand: SchemaCommand {
  static let configuration = CommandConfiguration(
    commandName: "release",
    abstract: "Releases the schema as a version: later changes are checked against it.",
    discussion: """
      Writes modelgen.lock into the schema folder. Commit it. Call this when an app with the schema goes out to \
      people; until then everything may change. A breaking change since an earlier release is refused.

      Generated code names the version, so generate again. Apps tell it to the server, which counts who uses which: \
      `modelserver versions`.

      EXAMPLES:
        modelgen release 1.0
        modelgen release 1.1 Sources/App/Schemas
      """
  )

  @Argument(help: "The version: one to four numbers with points, above all released ones.")
  var version: String

  @OptionGroup var schema: SchemaOptions

  func validate() throws {
    guard ReleaseVersion(version) != nil else {
      throw ValidationError("'\(version)' is not a version: write one to four numbers with points, such as 1.0.")
    }
  }

  func run(_ report: inout Report) throws(FileProblems) {
    guard let version = ReleaseVersion(version), let now = try schema.read(&report) else { return }
    if let last = now.lock?.releases.last, version <= last { return report.add([notAbove(last).diagnostic]) }
    let warnings = now.changes.map(\.diagnostic).filter { $0.severity == .warning }
    report.add(warnings)
    var lock = now.lock ?? SchemaLock(schema: now.schema.name)
    lock.release(version, now.schema)
    let path = try SchemaFolder(path: schema.folder).write(lock)
    let since = now.lock?.releases.last.map { ": \(counted(now.changes.count, "change")) since \($0)" } ?? ", the first"
    report.closing = "Released \(version)\(since). Commit \(path), and generate again: the code names its version."
  }

  private func notAbove(_ last: ReleaseVersion) -> FileProblem {
    FileProblem(
      rule: .releaseVersion, path: joined(schema.folder, SchemaLock.fileName),
      reason: "the newest release is \(last), and \(version) is not above it", remedy: "choose a higher version")
  }
}
