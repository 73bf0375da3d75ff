// What the file system refuses, in words that say what to do.

/// One path that cannot be read or written.
struct FileProblem: Hashable, Error {
  var path: String
  var reason: String
  /// What to do about it, as a sentence without a full stop.
  var remedy: String

  var text: String { "\(path): error: \(reason); \(remedy)" }
}

/// All problems of one step: as with mistakes in a schema, one run shows them all.
struct FileProblems: Error {
  var problems: [FileProblem]

  init(_ problems: [FileProblem]) {
    self.problems = problems
  }
}
