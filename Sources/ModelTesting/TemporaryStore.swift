// A store for one test or one preview.

import Foundation
public import ModelSupport

extension ModelStore {
  /// A new, empty store that is gone when it is released: for tests and previews. It does not sync; see `PreviewServer`.
  public static func temporary(
    _ schema: any SchemaDescription.Type, user: UserID = UserID(subject: "anna", issuer: nil),
    files: FileOptions = FileOptions()
  ) throws -> ModelStore {
    let folder = try TemporaryFolder()
    return try ModelStore(at: folder.path("store"), schema: schema, user: user, files: files, keeping: folder)
  }
}

/// A folder that is removed when the last reference to it goes.
final class TemporaryFolder: Sendable {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "modelgen-preview-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }
}
