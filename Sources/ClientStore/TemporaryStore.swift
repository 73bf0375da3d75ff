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
  private let path: String

  package init() throws {
    let temporary = FileManager.default.temporaryDirectory.path
    // The system fills in the letters, so that no other process has the same.
    var name = Array("\(temporary)/modelgen-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else {
      throw StoreError(.inputOutput, "No folder can be made in \(temporary): \(String(cString: strerror(errno))).")
    }
    path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func path(_ name: String) -> String { "\(path)/\(name)" }
}
