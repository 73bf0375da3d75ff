// A store at a URL, for apps whose folders come from Foundation.

public import Foundation
public import ModelTypes
public import WireFormat

extension ModelStore {
  /// Opens the store in a folder, given as a file URL. Throws as the other `init`, and `inputOutput` for any other URL.
  public convenience init(
    at folder: URL, schema: any SchemaDescription.Type, user: UserID, files: FileOptions = FileOptions()
  ) throws {
    guard folder.isFileURL else {
      throw StoreError(.inputOutput, "A store is a folder on this machine: \(folder) is not a file URL.")
    }
    try self.init(at: folder.path, schema: schema, user: user, files: files)
  }
}
