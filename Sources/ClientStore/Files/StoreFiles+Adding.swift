// Adds files to a store.

import Determinism
public import Foundation
public import ModelTypes
public import WireFormat

extension StoreFiles {
  /// Copies a source into the store, and hashes it on the way. The reference can be put into an object at once.
  ///
  /// By default `name` is the last component of a URL, and `mime` follows from the extension of the name. A file that
  /// no saved object names is swept after a day. Throws a `FileError`: `source` if the source cannot be read or was
  /// changed meanwhile, `disk` if the copy cannot be written.
  public func add(from source: FileSource, mime: String? = nil, name: String? = nil) async throws -> FileReference {
    if store.isClosed { throw FileError.ended }
    return try await store.fileFolder.file(from: source, mime: mime, name: name, store.environment)
  }

  /// The hash that `add(from:)` would give, without a copy. Use it to look for an object that has this file.
  ///
  /// Reads a stream to its end. Throws a `FileError` like `add(from:)`.
  public func hash(of source: FileSource) async throws -> ContentHash {
    if store.isClosed { throw FileError.ended }
    return try await store.fileFolder.hash(of: source)
  }

  /// Like `add(from:)`, without opening the store, which another process may have open: for a share extension.
  public static func add(
    from source: FileSource, mime: String? = nil, name: String? = nil, toStoreAt store: URL,
    files: FileOptions = FileOptions()
  ) async throws -> FileReference {
    let environment = RuntimeEnvironment.current
    let folder: String
    do { folder = try store.localPath } catch { throw FileError(.disk, error.message) }
    return try await FileFolder(storeFolder: folder, files, name: "")
      .file(from: source, mime: mime, name: name, environment)
  }
}

extension FileFolder {
  fileprivate func file(
    from source: FileSource, mime: String?, name: String?, _ environment: RuntimeEnvironment
  ) async throws -> FileReference {
    let (hash, size) = try await add(source, environment)
    let name = name ?? source.name ?? ""
    return FileReference(hash: hash, size: size, mime: mime ?? MediaType.of(name: name), name: name)
  }
}
