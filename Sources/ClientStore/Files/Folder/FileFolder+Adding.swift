// Adds a file: copies and hashes it at once, piece by piece.

import Determinism
import Foundation
import SyncProtocol
import WireFormat

extension FileFolder {
  /// How many bytes are read at once.
  static let pieceBytes = 1 << 20

  /// Copies a source into a subfolder of `temporary`, under the name of its hash. Needs no lock of the store, because
  /// each process has a subfolder of its own. Throws a `FileError`.
  func add(_ source: FileSource, _ environment: RuntimeEnvironment) async throws -> (hash: ContentHash, size: Int64) {
    let processFolder = processFolder(environment)
    let path = "\(processFolder)/\(String(environment.randomBits(), radix: 16)).new"
    do {
      let hasher = try await copy(source, to: path, in: processFolder)
      try disk.touch(path, at: environment.nowMilliseconds())
      // Without this, a power cut could leave zeros under the name.
      try disk.sync(path)
      try disk.rename(path, to: "\(processFolder)/\(hasher.hash)")
      changed(hasher.hash)
      return (hasher.hash, hasher.count)
    } catch {
      try? disk.remove(path)
      throw FileError(adding: error)
    }
  }

  /// The hash that `add` would give.
  func hash(of source: FileSource) async throws -> ContentHash {
    var hasher = ContentHasher()
    do { try await read(source) { hasher.update($0) } } catch { throw FileError(adding: error) }
    return hasher.hash
  }

  private func processFolder(_ environment: RuntimeEnvironment) -> String {
    state.withLock { state in
      let folder = state.processFolder ?? "\(temporary)/\(String(environment.randomBits(), radix: 16))"
      state.processFolder = folder
      return folder
    }
  }

  private func copy(_ source: FileSource, to path: String, in folder: String) async throws -> ContentHasher {
    var hasher = ContentHasher()
    try await read(source) { piece in
      // Just before the first bytes, which may be long in coming: another process sweeps empty folders.
      if hasher.count == 0 { try disk.makeFolder(folder) }
      try disk.write(piece, to: path, at: hasher.count)
      hasher.update(piece)
    }
    // A source without bytes gives a file too.
    if hasher.count == 0 {
      try disk.makeFolder(folder)
      try disk.write([], to: path, at: 0)
    }
    return hasher
  }

  /// Passes the pieces of a source to `take`, in their order. Throws `source` if the source changes meanwhile.
  private func read(_ source: FileSource, take: ([UInt8]) throws -> Void) async throws {
    switch source {
    case .bytes(let bytes):
      try take(bytes)
    case .pieces(let pieces):
      for try await piece in pieces where !piece.isEmpty { try take(piece) }
      // A stream of a cancelled task ends early, and without an error.
      try Task.checkCancellation()
    case .url(let url):
      let original = url.isFileURL || url.scheme == nil ? url.path : url.absoluteString
      let before = try state(ofSource: original)
      var count: Int64 = 0
      while count < before.size {
        try Task.checkCancellation()
        let piece = try read(original, at: count)
        guard !piece.isEmpty else { break }
        try take(piece)
        count += Int64(piece.count)
        await Task.yield()
      }
      guard try state(ofSource: original) == before, count == before.size else {
        throw FileError(.source, "\(original) was changed while it was copied; add it again.")
      }
    }
  }

  private func state(ofSource path: String) throws -> FileState {
    do {
      if let state = try disk.state(of: path) { return state }
    } catch let error as StoreError { throw FileError(.source, error.message) }
    throw FileError(.source, "There is no file \(path).")
  }

  /// Reads a piece of a source, which may have been deleted meanwhile.
  private func read(_ source: String, at offset: Int64) throws -> [UInt8] {
    do { return try disk.read(source, at: offset, count: Self.pieceBytes) } catch let error as StoreError {
      throw FileError(.source, error.message)
    }
  }

  /// The folder of a store in the user's caches; nil if the platform has no such place.
  static func defaultCache(_ name: String) -> String? {
    #if canImport(Darwin)
      FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first.map {
        $0.appendingPathComponent("modelgen/\(name)").path
      }
    #else
      nil
    #endif
  }
}

extension FileError {
  fileprivate init(adding error: any Error) {
    switch error {
    case let error as FileError: self = error
    case let error as StoreError: self.init(.disk, error.message)
    case is CancellationError: self.init(.source, "The copy was given up: its task was cancelled.")
    default: self.init(.source, "The source cannot be read: \(error).")
    }
  }
}
