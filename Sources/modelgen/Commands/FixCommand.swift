// `modelgen fix`: mends the mistakes whose remedy is certain, in the schema files.
import ArgumentParser
import ModelSchema

struct FixCommand: SchemaCommand {
  static let configuration = CommandConfiguration(
    commandName: "fix",
    abstract: "Mends mistakes whose remedy is certain, and shows the others.",
    discussion: """
      Gives free tags, corrects misspelt words, and reserves the tags of fields that were removed since a release. \
      Comments and layout stay as they are. What it would have to guess is left, such as whether a field was renamed: \
      --rename tells it.

      EXAMPLES:
        modelgen fix --dry-run                   show what would change, as a diff
        modelgen fix
        modelgen fix --rename note.due=dueAt     `due` of `note` is `dueAt` now

      The exit status is 1 where a mistake is left.
      """
  )

  @OptionGroup var schema: SchemaOptions

  @Flag(help: "Write nothing; print what would change as a unified diff.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "A field, case or model has a new name since the release; may be repeated.", valueName: "path=name"))
  var rename: [String] = []

  func validate() throws {
    if let wrong = rename.first(where: { !Self.isRename($0) }) {
      throw ValidationError("'\(wrong)' is no rename: write MODEL.FIELD=NAME, such as note.due=dueAt.")
    }
    if dryRun, schema.format == .json {
      throw ValidationError("'--dry-run' prints a diff: leave '--format json' out.")
    }
  }

  func run(_ report: inout Report) throws(FileProblems) {
    let texts = try schema.texts(&report)
    let files = texts.files
    let (lock, isReadable) = texts.readLock(&report)
    // Without the releases a tag that looks free may not be.
    guard isReadable else { return }
    schema.progress.show("Fixing", files: files.count)
    let result = SchemaFixer.fix(files, lock: lock, answers: rename)
    schema.progress.finish(files: files.count)
    let changed = try schema.rewrite(files, as: result.files, dryRun: dryRun, &report)
    if !dryRun { report.fixed = result.fixed }
    report.sources = result.files + report.sources.dropFirst(files.count)
    report.add(result.remaining + result.unusedAnswers.map(unknown))
    if changed == 0 {
      report.closing = "Nothing to fix in \(counted(files.count, "schema file"))."
    } else if !dryRun {
      report.closing = "Fixed \(counted(result.fixed.count, "mistake")) in \(counted(changed, "file"))."
    }
  }

  private static func isRename(_ text: String) -> Bool {
    let sides = text.split(separator: "=", omittingEmptySubsequences: false)
    return sides.count == 2 && !text.contains(" ")
      && sides.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") && !$0.hasSuffix(".") } && !sides[1].contains(".")
  }

  private func unknown(_ rename: String) -> Diagnostic {
    FileProblem(
      rule: .unknownRename, path: schema.folder, reason: "`--rename \(rename)` answers no finding",
      remedy: "mend other mistakes first; a rename keeps the tag, and the name before it was released"
    ).diagnostic
  }
}
