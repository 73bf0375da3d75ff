// A problem with a file, in words that say what to do about it.
import ModelSchema

/// A path that cannot be read or written, or that must not be written.
struct FileProblem: Hashable, Error {
  var rule: FileRule
  var path: String
  /// The reason, as the rest of a sentence that begins with the path.
  var reason: String
  /// The remedy, as the end of that sentence.
  var remedy: String
  /// The line of the file that the problem is about, if there is one.
  var line: Line?

  struct Line: Hashable {
    /// Counts from 1.
    var number: Int
    var text: String
  }

  var diagnostic: Diagnostic {
    let message = "\(reason.capitalised): \(remedy)."
    return Diagnostic(severity: .error, rule: rule.rawValue, message: message, location: location)
  }

  /// The same problem with `folder` in front of its path.
  func moved(into folder: String) -> FileProblem {
    var problem = self
    problem.path = joined(folder, path)
    return problem
  }

  private var location: SourceRange {
    guard let line else { return .whole(path) }
    return SourceRange(
      file: path, start: SourcePosition(line: line.number, column: 1),
      end: SourcePosition(line: line.number, column: line.text.unicodeScalars.count + 1))
  }
}

/// The names of rules for files, as diagnostics show them in brackets. `docs/guides/command.md` explains each.
enum FileRule: String, CaseIterable {
  case cannotRead = "cannot-read"
  case cannotWrite = "cannot-write"
  case ignoredFile = "ignored-file"
  case foreignFile = "foreign-file"
  case otherSchema = "other-schema"
  case damagedManifest = "damaged-manifest"
  case mergeConflict = "merge-conflict"
  case outOfDate = "out-of-date"
  case releaseVersion = "release-version"
  case lockMissing = "lock-missing"
  case unknownSchema = "unknown-schema"
  case unknownRename = "unknown-rename"
  case versionCounts = "version-counts"
  case fieldInUse = "field-in-use"
}

/// All problems of one step, so that one run shows them all.
struct FileProblems: Error {
  /// Sorted by path and line.
  let problems: [FileProblem]

  init(_ problems: [FileProblem]) {
    self.problems = problems.sorted { ($0.path, $0.line?.number ?? 0) < ($1.path, $1.line?.number ?? 0) }
  }
}
