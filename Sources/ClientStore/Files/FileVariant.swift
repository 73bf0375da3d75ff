// Variants: other forms of a file that an app makes, such as thumbnails and poster frames.

import Determinism
public import Foundation
public import ModelTypes
import SyncProtocol
public import WireFormat

/// Makes a variant of a file, in memory: for example a thumbnail, as the bytes of a JPEG. `read` rethrows its errors.
public typealias FileVariant = @Sendable (LocalFile) async throws -> [UInt8]

extension FileOptions {
  /// The closure of a declared variant. Throws a `FileError` if there is none, or if its name is not allowed.
  func variant(_ name: String) throws -> FileVariant {
    guard let make = variants[name] else {
      let known = variants.isEmpty ? "none" : variants.keys.sorted().joined(separator: ", ")
      throw FileError(.variant, "There is no variant “\(name)”: FileOptions(variants:) has \(known).")
    }
    guard CachedName.isVariant(name) else {
      let rule = "1 to 32 letters a to z, digits and hyphens can, but for “part” and “new”"
      throw FileError(.variant, "“\(name)” cannot name a variant: \(rule).")
    }
    return make
  }
}

extension StoreFiles {
  /// The URL of a variant now; nil if it was not made yet, or was evicted.
  public func url(of file: FileReference, variant: String) -> URL? {
    guard CachedName.isVariant(variant) else { return nil }
    return store.fileFolder.path(of: CachedName(file.hash, variant)).map(URL.init(file:))
  }

  /// A variant of a file: from the cache, or made now from the file, which is fetched if necessary.
  ///
  /// It stays when the file is evicted, and is never uploaded. Two reads at the same moment may both make it. Throws as
  /// the other `read` does, `variant` if no such variant is declared, and the errors of its closure.
  public func read(_ file: FileReference, in queue: QueueID?, variant: String) async throws -> LocalFile {
    let make = try store.fileFolder.options.variant(variant)
    let name = CachedName(file.hash, variant)
    if let local = try await local(name, in: queue) { return local }
    let original = try await read(file, in: queue)
    let bytes = try await make(original)
    // Pinned before it exists, so that it is not evicted.
    let local = LocalFile(name, store.fileFolder)
    local.path = try store.fileFolder.keep(bytes, as: name, store.environment, unless: store.reader.isFileNeeded)
    // If the queue has gone meanwhile, its files have gone too.
    if store.fileFolder.path(of: file.hash) == nil, try !store.reader.isFileNamed(file.hash) {
      try? store.fileFolder.removeVariants(of: file.hash)
      throw FileError.ended
    }
    return local
  }
}

extension FileFolder {
  /// Writes a variant into the cache, and returns its path. Evicts other files if necessary.
  fileprivate func keep(
    _ bytes: [UInt8], as name: CachedName, _ environment: RuntimeEnvironment,
    unless isNeeded: (ContentHash) throws -> Bool
  ) throws -> String {
    let new = "\(cached(name)).\(String(environment.randomBits(), radix: 16)).new"
    do {
      try evict(for: Int64(bytes.count), unless: isNeeded)
      try disk.makeFolder(cache)
      try disk.write(bytes, to: new, at: 0)
      // Without this, a power cut could leave zeros under the name.
      try disk.sync(new)
      try disk.touch(new, at: environment.nowMilliseconds())
      try replace(name, by: new, size: Int64(bytes.count))
      return cached(name)
    } catch {
      try? disk.remove(new)
      throw FileError(.disk, "The variant \(name) cannot be kept: \(error)")
    }
  }
}
