// The place of this repository, and the files in it that tests record.
public import Foundation

public enum Repository {
  public static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// A file or folder, by its path from the root.
  public static func url(_ path: String) -> URL { root.appending(path: path) }
}

/// Texts with which tests compare. `RECORD_GOLDEN=1 swift test` writes them anew, to be read in review.
public enum Golden {
  public static let isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil

  /// The recorded text of `path`. When recording, it is replaced by `text` first.
  public static func text(_ path: String, recording text: String) throws -> String {
    if isRecording { try text.write(to: Repository.url(path), atomically: true, encoding: .utf8) }
    return try String(contentsOf: Repository.url(path), encoding: .utf8)
  }
}
