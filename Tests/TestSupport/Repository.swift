// Where this repository lies, and the files in it that tests record.
public import Foundation

public enum Repository {
  public static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// A file or folder, by its path from the root.
  public static func url(_ path: String) -> URL { root.appending(path: path) }
}

/// Texts that a test compares with and that `RECORD_GOLDEN=1 swift test` writes anew, to be read in review.
public enum Golden {
  public static let isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil

  /// The recorded text of `path`; when recording, that is `text` from now on.
  public static func text(_ path: String, recording text: String) throws -> String {
    if isRecording { try text.write(to: Repository.url(path), atomically: true, encoding: .utf8) }
    return try String(contentsOf: Repository.url(path), encoding: .utf8)
  }
}
