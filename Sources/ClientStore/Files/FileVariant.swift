// Other forms of a file that an app makes: thumbnails, poster frames.

import Determinism
public import ModelTypes
import SyncProtocol
public import WireFormat

/// Makes a variant of a file, in memory: a thumbnail as the bytes of a JPEG. What it throws is thrown by `read`.
public typealias FileVariant = @Sendable (LocalFile) async throws -> [UInt8]

extension FileOptions {
  /// A variant as it is declared. Throws a `FileError` where none is, or where its name cannot be that of a file.
  func variant(_ name: String) throws -> FileVariant {
    guard let make = variants[name] else {
      let known = variants.isEmpty ? "none" : variants.keys.sorted().joined(separator: ", ")
      throw FileError(.variant, "There is no variant “\(name)”: FileOptions(variants:) has \(known).")
    }
    guard CachedName.isVariant(name) else {
      throw FileError(.variant, "“\(name)” cannot name a variant: 1 to 32 letters a to z, digits and hyphens can.")
    }
    return make
  }
}

extension StoreFiles {
  /// Where a variant is, now; nil where it has not been made, or was removed to make room.
  public func path(of file: FileReference, variant: String) -> String? {
    store.fileFolder.path(of: CachedName(file.hash, variant))
  }

  /// A variant of a file: kept, or made now from the file, which is fetched if need be.
  ///
  /// It stays when the file goes to make room, and is never uploaded. Two that ask at the same time may both make it. Throws as
  /// the other `read` does, `variant` where no such variant is declared, and whatever its closure throws.
  public func read(_ file: FileReference, in queue: QueueID?, variant: String) async throws -> LocalFile {
    let make = try store.fileFolder.options.variant(variant)
    let name = CachedName(file.hash, variant)
    if let local = try await local(name, in: queue) { return local }
    let original = try await read(file, in: queue)
    let bytes = try await make(original)
    try store.fileFolder.keep(bytes, as: name, store.environment)
    if let local = try await local(name, in: queue), isReadable(file, in: queue) { return local }
    // The queue went meanwhile, and its files with it.
    store.removeUnnamed([file.hash])
    throw FileError.ended
  }

  private func isReadable(_ file: FileReference, in queue: QueueID?) -> Bool {
    queue.map { store.mayRead(FilePlace(queue: $0.rawValue, hash: file.hash)) } ?? true
  }
}

extension FileFolder {
  /// Keeps a variant in the cache.
  func keep(_ bytes: [UInt8], as name: CachedName, _ environment: RuntimeEnvironment) throws {
    let new = "\(cached(name)).\(String(environment.randomBits(), radix: 16)).new"
    do {
      try evict(for: Int64(bytes.count))
      try disk.makeFolder(cache)
      try disk.write(bytes, to: new, at: 0)
      // A power cut must not leave zeros under the name.
      try disk.sync(new)
      let old = try disk.state(of: cached(name))?.size ?? 0
      try disk.rename(new, to: cached(name))
      grow(by: Int64(bytes.count) - old)
      try disk.touch(cached(name), at: environment.nowMilliseconds())
    } catch {
      try? disk.remove(new)
      throw FileError(.disk, "The variant \(name) cannot be kept: \(error)")
    }
  }
}
