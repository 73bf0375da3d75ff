// The folders of a store's files: added ones, those that are not safe on a server yet, and the cache.

import Foundation
import ModelTypes
import SyncProtocol
import WireFormat

/// Files named by their hashes, in three folders (docs/formats/store-layout.md, "Files").
///
/// A file is in `temporary` until something saved names it, in `pending` until the server has had it for 7 days, and
/// then in the cache. Names never come from outside: each is a hash. Calls block while the disk works.
final class FileFolder: Sendable {
  let disk: any FileDisk
  let storeFolder: String
  let root: String
  let cache: String
  let options: FileOptions
  /// Called when the bytes of a file have come to this device, or gone from it.
  let changed: @Sendable (ContentHash) -> Void
  let state: Locked<State>
  /// Held while a file is removed. `beginKeeping` and `pin` take it too, so that no removal is under way after them.
  private let removing = Locked(())
  /// Held while a file moves into `pending`, so that no two threads copy it.
  private let moving = Locked(())

  struct State {
    /// How many saves protect each file from removal.
    var keeping: [ContentHash: Int] = [:]
    /// How many readers hold each file or variant.
    var pins: [CachedName: Int] = [:]
    /// The size of the cache; nil before it was counted.
    var cachedBytes: Int64?
    /// Fetches under way, each with the hash of the bytes that have arrived.
    var fetches: [ContentHash: ContentHasher] = [:]
    /// The subfolder of `temporary` that only this process writes into; nil before its first file.
    var processFolder: String?
  }

  /// `name` is the name of the store's folder in the user's caches.
  init(
    storeFolder: String, _ options: FileOptions, name: String,
    changed: @escaping @Sendable (ContentHash) -> Void = { _ in }
  ) {
    disk = options.disk ?? SystemDisk()
    self.storeFolder = storeFolder
    root = storeFolder + "/files"
    cache = options.cacheFolder?.path ?? Self.defaultCache(name) ?? root + "/cache"
    self.options = options
    self.changed = changed
    state = Locked(State())
  }

  /// Whether the store has ever had a file.
  var isThere: Bool { (try? disk.names(in: root).isEmpty) == false }

  var temporary: String { root + "/temporary" }
  var pending: String { root + "/pending" }
  func pending(_ hash: ContentHash) -> String { "\(pending)/\(hash)" }
  func cached(_ hash: ContentHash) -> String { cached(CachedName(hash)) }
  func cached(_ name: CachedName) -> String { "\(cache)/\(name)" }
  func part(_ hash: ContentHash) -> String { "\(cache)/\(hash).part" }

  /// The path of a file now; nil if it is not on this device, or if the disk fails.
  func path(of hash: ContentHash) -> String? {
    // In the order in which files move, so that a file that moves meanwhile is found in the next folder. `pending`
    // comes again at the end, because a cached file that is named again moves there.
    (try? temporaryPath(of: hash))
      ?? [pending(hash), cached(hash), pending(hash)].first { (try? disk.state(of: $0)) != nil }
  }

  func path(of name: CachedName) -> String? {
    guard name.variant != nil else { return path(of: name.hash) }
    return (try? disk.state(of: cached(name))) != nil ? cached(name) : nil
  }

  func temporaryPath(of hash: ContentHash) throws -> String? {
    for folder in try disk.names(in: temporary) {
      let path = "\(temporary)/\(folder)/\(hash)"
      if try disk.state(of: path) != nil { return path }
    }
    return nil
  }

  /// Reads a piece of a file, wherever it is now; nil if it is not on this device.
  func read(_ hash: ContentHash, at offset: Int64, count: Int) throws -> [UInt8]? {
    guard let path = path(of: hash) else { return nil }
    do { return try disk.read(path, at: offset, count: count) } catch {
      // It may have moved just now.
      guard let other = self.path(of: hash), other != path else { throw error }
      return try disk.read(other, at: offset, count: count)
    }
  }

  func size(of hash: ContentHash) -> Int64? {
    path(of: hash).flatMap { try? disk.state(of: $0)?.size }
  }
}

// Moving files from folder to folder, and removing them.
extension FileFolder {
  /// Moves files into `pending`, where they stay until the server has them, and returns those that are not on this
  /// device. The others survive a power cut when this returns.
  func keep(_ hashes: [ContentHash], at now: () -> Int64) throws -> Set<ContentHash> {
    var absent: Set<ContentHash> = []
    var temporary: [(hash: ContentHash, path: String)] = []
    var cached: [ContentHash] = []
    for hash in hashes {
      switch try moving.withLock({ _ in try keep(hash, at: now) }) {
      case .pending: continue
      case .cache: cached.append(hash)
      case .temporary(let path): temporary.append((hash, path))
      case .nowhere: absent.insert(hash)
      }
    }
    // Synced even if each file was there before, because a crash or a full disk may have prevented that then. The
    // folders may be new, too.
    if absent.count < hashes.count { for folder in [pending, root, storeFolder] { try disk.sync(folder) } }
    // The old names go only now, so that a power cut leaves each file at least one name.
    for (hash, path) in temporary { try removing.withLock { _ in if !isPinned(hash) { try disk.remove(path) } } }
    for hash in cached {
      try removing.withLock { _ in
        guard !isPinned(hash), let size = try disk.state(of: self.cached(hash))?.size else { return }
        try forget(CachedName(hash), size)
      }
    }
    return absent
  }

  /// Where a file was before it was kept.
  private enum Origin {
    case pending, cache, nowhere
    case temporary(path: String)
  }

  private func keep(_ hash: ContentHash, at now: () -> Int64) throws -> Origin {
    if try disk.state(of: pending(hash)) != nil { return .pending }
    let origin: Origin
    // An error of the disk does not count as absence: it is thrown, and the next attempt keeps the file.
    if let path = try temporaryPath(of: hash) {
      try disk.makeFolder(pending)
      try bring(path, to: pending(hash))
      origin = .temporary(path: path)
    } else if try disk.state(of: cached(hash)) != nil {
      try disk.makeFolder(pending)
      try bring(cached(hash), to: pending(hash))
      origin = .cache
    } else {
      return .nowhere
    }
    try disk.touch(pending(hash), at: now())
    return origin
  }

  /// Gives the bytes a second name, or copies them if the folders are on two volumes.
  private func bring(_ path: String, to other: String) throws {
    try disk.sync(path)
    do { try disk.link(path, to: other) } catch {
      var count: Int64 = 0
      repeat {
        let piece = try disk.read(path, at: count, count: Self.pieceBytes)
        try disk.write(piece, to: other + ".new", at: count)
        count += Int64(piece.count)
        if piece.isEmpty { break }
      } while true
      try disk.sync(other + ".new")
      try disk.rename(other + ".new", to: other)
    }
  }

  /// Whether a file is in the cache, where the system may remove it, and not in `pending`.
  func isOnlyCached(_ hash: ContentHash) -> Bool {
    guard (try? disk.state(of: pending(hash))) == .some(nil) else { return false }
    return (try? disk.state(of: cached(hash))) != .some(nil)
  }

  /// Protects files from removal, from before they are kept until `endKeeping`, when their operations are saved.
  func beginKeeping(_ hashes: some Sequence<ContentHash>) {
    removing.withLock { _ in state.withLock { for hash in hashes { $0.keeping[hash, default: 0] += 1 } } }
  }

  func endKeeping(_ hashes: some Sequence<ContentHash>) {
    state.withLock { state in
      for hash in hashes { state.keeping[hash] = state.keeping[hash].flatMap { $0 > 1 ? $0 - 1 : nil } }
    }
  }

  /// Runs `body` for a file, unless it is needed or somebody has begun to keep it. Nothing else is removed meanwhile.
  func unlessNeeded(_ hash: ContentHash, _ isNeeded: (ContentHash) throws -> Bool, _ body: () throws -> Void) throws {
    try removing.withLock { _ in
      guard state.withLock({ $0.keeping[hash] == nil }), try !isNeeded(hash) else { return }
      try body()
    }
  }

  /// Evicts one file of the cache, unless it is pinned, is being kept, or is needed.
  func makeRoom(of name: CachedName, unless isNeeded: (ContentHash) throws -> Bool = { _ in false }) throws {
    try removing.withLock { _ in
      guard !isPinned(name), state.withLock({ $0.keeping[name.hash] == nil }), try !isNeeded(name.hash) else { return }
      if let size = try disk.state(of: cached(name))?.size { try forget(name, size) }
    }
  }

  /// Gives a new file its name in the cache, and replaces a file that has it.
  func replace(_ name: CachedName, by new: String, size: Int64) throws {
    try removing.withLock { _ in
      let old = try disk.state(of: cached(name))?.size ?? 0
      try disk.rename(new, to: cached(name))
      grow(by: size - old)
    }
  }

  /// Moves a file that is safe on the server into the cache, unless somebody holds it.
  func release(_ hash: ContentHash) throws {
    guard let state = try disk.state(of: pending(hash)), !isPinned(hash) else { return }
    // It was pinned in the cache while it was kept, and has two names. Renaming one of them to the other does nothing.
    if try disk.state(of: cached(hash)) != nil { return try disk.remove(pending(hash)) }
    try disk.makeFolder(cache)
    do { try disk.rename(pending(hash), to: cached(hash)) } catch {
      // The cache is on another volume. The file would have to be copied there, and it can be fetched again.
      try disk.remove(pending(hash))
      return changed(hash)
    }
    grow(by: state.size)
  }

  /// Removes a file, its variants and its part, even if somebody holds it.
  func remove(_ hash: ContentHash) throws {
    try disk.remove(pending(hash))
    if let size = try disk.state(of: cached(hash))?.size { try forget(CachedName(hash), size) }
    try removeVariants(of: hash)
    try disk.remove(part(hash))
    state.withLock { $0.fetches[hash] = nil }
    changed(hash)
  }

  func removeVariants(of hash: ContentHash) throws {
    for name in options.variants.keys.sorted() where CachedName.isVariant(name) {
      let variant = CachedName(hash, name)
      if let size = try disk.state(of: cached(variant))?.size { try forget(variant, size) }
    }
  }

  func forget(_ name: CachedName, _ size: Int64) throws {
    try disk.remove(cached(name))
    grow(by: -size)
    if name.variant == nil { changed(name.hash) }
  }

  func grow(by count: Int64) {
    state.withLock { state in
      if let bytes = state.cachedBytes { state.cachedBytes = max(bytes + count, 0) }
    }
  }
}

// Pinned files.
extension FileFolder {
  /// Keeps a file from being evicted. Waits for removals that are under way, so a file that is found afterwards stays.
  func pin(_ name: CachedName) { removing.withLock { _ in state.withLock { $0.pins[name, default: 0] += 1 } } }

  func unpin(_ name: CachedName) {
    state.withLock { state in
      guard let count = state.pins[name] else { return }
      state.pins[name] = count > 1 ? count - 1 : nil
    }
  }

  func isPinned(_ name: CachedName) -> Bool { state.withLock { $0.pins[name] != nil } }
  func isPinned(_ hash: ContentHash) -> Bool { isPinned(CachedName(hash)) }
}
