// Stores at the URLs that an app has; inside, a folder is a path.

public import Foundation
public import ModelTypes
public import WireFormat

extension ModelStore {
  /// Opens the store in a folder, and makes both if they are absent.
  ///
  /// Clock, randomness and tasks are those of the environment in which it is opened. Throws a `StoreError`: `busy` if
  /// the store is open already, in this process or another one, until that one has ended or called `close`; `foreign`
  /// if the store belongs to another user or schema, `schemaChanged` if a field has another type or tag than the store
  /// was written with, `newerVersion` or `olderVersion` if another version of the library
  /// wrote it, `damaged`, `readOnly`, `diskFull`, `locked` or `inputOutput` if its files cannot be used, `inputOutput` also for
  /// a URL that is not a file URL, of the store or of `FileOptions.cacheFolder`.
  public convenience init(
    at folder: URL, schema: any SchemaDescription.Type, user: UserID, files: FileOptions = FileOptions()
  ) throws {
    try self.init(at: folder.localPath, schema: schema, user: user, files: files)
  }

  /// Makes a new store from what can still be read of a damaged one. Call it when opening throws `damaged`.
  ///
  /// Takes over pending operations, `failedOperations`, and objects that never leave the device. Confirmed objects are
  /// not taken over, because sync fetches them again. The damaged files are kept in a folder beside the new store.
  /// After a crash it can be called again. Throws a `StoreError`: `busy` if somebody has the store open, `foreign` if
  /// the folder has no store, or one of another user or schema.
  @discardableResult
  public static func salvage(at folder: URL, schema: any SchemaDescription.Type, user: UserID) throws -> Salvage {
    try salvage(at: folder.localPath, schema: schema, user: user)
  }
}

extension URL {
  /// The path of a folder. Throws `inputOutput` if it is not on this machine.
  var localPath: String {
    get throws(StoreError) {
      if isFileURL { return path }
      throw StoreError(.inputOutput, "A folder on this machine is needed: \(self) is not a file URL.")
    }
  }

  /// The file at a path, without asking the disk whether it is a folder.
  init(file path: String) { self.init(filePath: path, directoryHint: .notDirectory) }
}
