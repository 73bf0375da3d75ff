// Fetches a file piece by piece, and shows it once it is complete and its hash is right. Evicts files of the cache.

import SyncProtocol
import WireFormat

extension FileFolder {
  /// How many bytes of a file have arrived. Bytes that an earlier process has fetched are read and hashed first.
  func fetched(_ hash: ContentHash) throws -> Int64 {
    if let hasher = state.withLock({ $0.fetches[hash] }) { return hasher.count }
    var hasher = ContentHasher()
    guard let size = try disk.state(of: part(hash))?.size else {
      // A fetch for another queue may have completed the file.
      if let size = try disk.state(of: cached(hash))?.size { return size }
      state.withLock { [hasher] in $0.fetches[hash] = hasher }
      return 0
    }
    while hasher.count < size {
      let piece = try disk.read(part(hash), at: hasher.count, count: Self.pieceBytes)
      guard !piece.isEmpty else { break }
      hasher.update(piece)
    }
    let count = hasher.count
    state.withLock { [hasher] in $0.fetches[hash] = hasher }
    return count
  }

  /// Appends bytes that begin at `offset`. Does nothing if the file has another length by now.
  func append(_ bytes: [UInt8], to hash: ContentHash, at offset: Int64) throws {
    guard try fetched(hash) == offset, var hasher = state.withLock({ $0.fetches[hash] }) else { return }
    if offset == 0 { try disk.makeFolder(cache) }
    do { try disk.write(bytes, to: part(hash), at: offset) } catch {
      // Some of the bytes may have been written, so the file is read and counted again.
      state.withLock { $0.fetches[hash] = nil }
      // The file was removed with its queue just now.
      if offset > 0, try disk.state(of: part(hash)) == nil { return }
      throw error
    }
    hasher.update(bytes)
    state.withLock { [hasher] in $0.fetches[hash] = hasher }
  }

  /// Moves a fetched file to its name in the cache. If its bytes do not match the hash, removes it and returns false.
  /// Returns false, too, if its queue has gone meanwhile.
  func finishFetch(_ hash: ContentHash) throws -> Bool {
    let size = try fetched(hash)
    // A fetch for another queue has finished it.
    if state.withLock({ $0.fetches[hash] == nil }) { return true }
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
      // Without this, a power cut could leave zeros under the name.
      try disk.sync(part(hash))
      try disk.rename(part(hash), to: cached(hash))
    } catch {
      // The file was removed with its queue just now.
      if try disk.state(of: part(hash)) == nil { return false }
      throw error
    }
    grow(by: size)
    return true
  }

  /// Whether the bytes of a file still match its hash; reads all of them. False if it is not on this device.
  func hasRightBytes(_ hash: ContentHash) throws -> Bool {
    var hasher = ContentHasher()
    while let piece = try read(hash, at: hasher.count, count: Self.pieceBytes) {
      if piece.isEmpty { return hasher.hash == hash }
      hasher.update(piece)
    }
    return false
  }

  /// Evicts files of the cache, least recently used first, until `count` more bytes fit. Pinned or needed files stay.
  func evict(for count: Int64 = 0, unless isNeeded: (ContentHash) throws -> Bool) throws {
    let cacheBytes = max(options.cacheBytes, 0)
    guard try cachedBytes() + count > cacheBytes else { return }
    var files = try cachedFiles().sorted { ($0.state.time, $0.name) < ($1.state.time, $1.name) }[...]
    // Evicts a tenth more than needed, so that not every new file has to list the cache.
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

  /// The files and variants in the cache.
  func cachedFiles() throws -> [(name: CachedName, state: FileState)] {
    try disk.names(in: cache).compactMap { name in
      guard let name = CachedName(name), let state = try disk.state(of: cached(name)) else { return nil }
      return (name, state)
    }
  }
}
