// A file that comes piece by piece, and is shown once it is whole and has the right hash.

import ModelTypes
import SyncProtocol
import WireFormat

extension FileFolder {
  /// How much of a file has come; a fetch that another process began goes on.
  func fetched(_ hash: ContentHash) throws -> Int64 {
    if let hasher = state.withLock({ $0.fetches[hash] }) { return hasher.count }
    var hasher = ContentHasher()
    let size = try disk.state(of: part(hash))?.size ?? 0
    while hasher.count < size {
      let piece = try disk.read(part(hash), at: hasher.count, count: Self.pieceBytes)
      guard !piece.isEmpty else { break }
      hasher.update(piece)
    }
    let count = hasher.count
    state.withLock { [hasher] in $0.fetches[hash] = hasher }
    return count
  }

  /// Adds what begins at `offset`; nothing where something else has come meanwhile.
  func append(_ bytes: [UInt8], to hash: ContentHash, at offset: Int64) throws {
    guard try fetched(hash) == offset, var hasher = state.withLock({ $0.fetches[hash] }) else { return }
    if offset == 0 { try disk.makeFolder(cache) }
    do { try disk.write(bytes, to: part(hash), at: offset) } catch {
      // Some bytes may have been written: what is there is counted anew.
      state.withLock { $0.fetches[hash] = nil }
      // It went with its queue, just now.
      if offset > 0, try disk.state(of: part(hash)) == nil { return }
      throw error
    }
    hasher.update(bytes)
    state.withLock { [hasher] in $0.fetches[hash] = hasher }
  }

  /// Shows a file whose bytes have come. False where they are others than it is called by; they are gone then.
  func finishFetch(_ hash: ContentHash) throws -> Bool {
    let size = try fetched(hash)
    if size == 0 {
      try disk.makeFolder(cache)
      try disk.write([], to: part(hash), at: 0)
    }
    let isRight = state.withLock { $0.fetches.removeValue(forKey: hash)?.hash } == hash
    guard isRight else {
      try disk.remove(part(hash))
      return false
    }
    do {
      // A power cut must not leave zeros under the name.
      try disk.sync(part(hash))
      try disk.rename(part(hash), to: cached(hash))
    } catch {
      // It went with its queue, just now.
      if try disk.state(of: part(hash)) == nil { return false }
      throw error
    }
    grow(by: size)
    return true
  }

  /// Whether a file is still what it is called.
  func hasRightBytes(_ hash: ContentHash) throws -> Bool {
    guard let path = path(of: hash) else { return false }
    var hasher = ContentHasher()
    while true {
      let piece = try disk.read(path, at: hasher.count, count: Self.pieceBytes)
      if piece.isEmpty { return hasher.hash == hash }
      hasher.update(piece)
    }
  }

  /// Makes room: what was used longest ago goes first, and nothing that somebody holds or that is to be brought.
  func evict(for count: Int64 = 0, unless isNeeded: (ContentHash) throws -> Bool) throws {
    let cacheBytes = max(options.cacheBytes, 0)
    guard try cachedBytes() + count > cacheBytes else { return }
    var files = try cachedFiles().sorted { ($0.state.time, $0.name) < ($1.state.time, $1.name) }[...]
    // Some more than needed, so that not each file counts them all.
    while try cachedBytes() + count > cacheBytes - cacheBytes / 10, let oldest = files.popFirst() {
      try makeRoom(of: oldest.name) { try oldest.name.variant == nil && isNeeded($0) }
    }
  }

  private func cachedBytes() throws -> Int64 {
    if let bytes = state.withLock({ $0.cachedBytes }) { return bytes }
    let bytes = try cachedFiles().map(\.state.size).reduce(0, +)
    state.withLock { $0.cachedBytes = bytes }
    return bytes
  }

  /// Files and variants.
  func cachedFiles() throws -> [(name: CachedName, state: FileState)] {
    try disk.names(in: cache).compactMap { name in
      guard let name = CachedName(name), let state = try disk.state(of: cached(name)) else { return nil }
      return (name, state)
    }
  }
}
