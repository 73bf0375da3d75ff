// `modelgen breaking`: lists what has changed since releases, and what each change breaks.
import ArgumentParser
import ModelSchema

struct BreakingCommand: SchemaCommand {
  static let configuration = CommandConfiguration(
    commandName: "breaking",
    abstract: "Lists the changes since released versions, and what they break.",
    discussion: """
      An error is a breaking change: `generate` refuses it too. A warning is a risky one, or a breaking one with a \
      waiver. A notice is a safe one. Without --against the schema is held against every release in modelgen.lock.

      EXAMPLES:
        modelgen breaking
        modelgen breaking --against 1.0              one release of the lock
        modelgen breaking --against origin/main      a commit, branch or tag of git
        modelgen breaking --against ../old/Schemas   another schema folder, or a lock

      The exit status is 1 where a change is breaking.
      """
  )

  @OptionGroup var schema: SchemaOptions

  @Option(help: ArgumentHelp("A release, schema folder, lock or git ref to compare with.", valueName: "what"))
  var against: String?

  func run(_ report: inout Report) throws(FileProblems) {
    guard let now = try schema.readAlone(&report), let former = try former(now.lock, &report) else { return }
    let (changes, unused) = SchemaChanges.find(in: now.schema, report.sources, since: former)
    // A waiver permits a change since the releases; with one of them alone it may permit nothing.
    list(changes, against == nil ? unused : [], against.map { [$0] } ?? former.releases.map(\.description), &report)
  }

  /// The schema to compare with. Nil where there is none, which is said.
  private func former(_ lock: SchemaLock?, _ report: inout Report) throws(FileProblems) -> SchemaLock? {
    if let against { return try FormerSchema(against, of: schema.folder, lock).read(&report) }
    if lock == nil {
      report.closing = "No version is released yet: everything may change. `modelgen release 1.0` releases one."
    }
    return lock
  }

  private func list(
    _ changes: [SchemaChange], _ unused: [Diagnostic], _ releases: [String], _ report: inout Report
  ) {
    report.add(changes.map(\.diagnostic) + unused)
    let since =
      releases.count > 2 ? "\(releases[0]) to \(releases[releases.count - 1])" : releases.joined(separator: " and ")
    report.closing =
      changes.isEmpty ? "Nothing has changed since \(since)." : "\(counted(changes.count, "change")) since \(since)."
  }
}
