// A store for one test or one preview.

import Foundation
public import ModelTypes
public import WireFormat

extension ModelStore {
  /// A new, empty store whose files go when it is released: for previews, and for tests that need no server. Tests with
  /// one have `PreviewServer` of ModelTesting. Throws a `StoreError` if the system's temporary folder cannot be used.
  public static func temporary(
    _ schema: any SchemaDescription.Type, user: UserID = UserID(subject: "anna", issuer: nil),
    files: FileOptions = FileOptions()
  ) throws -> ModelStore {
    let folder = try ScratchFolder()
    return try ModelStore(at: folder.path("store"), schema: schema, user: user, files: files, keeping: folder)
  }
}

/// A folder that is removed when the last reference to it goes.
package final class ScratchFolder: Sendable {
  private let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "modelgen-temporary-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package func path(_ name: String) -> String { url.appending(path: name).path }
}
