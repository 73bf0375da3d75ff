// Recognises the lines that git writes into a file after a merge conflict.

/// The marks of a merge conflict.
public enum ConflictMark {
  private static let marks = ["<<<<<<< ", "||||||| ", "=======", ">>>>>>> "]

  public static func begins(_ line: some StringProtocol) -> Bool {
    marks.contains { line.hasPrefix($0) }
  }
}
