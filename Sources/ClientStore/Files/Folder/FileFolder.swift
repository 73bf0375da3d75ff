// The folders of files: what was added, what is named and not safe on a server yet, and what was fetched.

import ModelTypes
import SyncProtocol
import WireFormat

/// Bytes by their hash, in three folders (docs/formats/store-layout.md, "Files").
///
/// A file is in `temporary` until something saved names it, in `pending` until the server has had it for a while, and else
/// in the cache. A name never comes from outside: it is a hash. Blocks while the disk works.
final class FileFolder: Sendable {
  let disk: any FileDisk
  let storeFolder: String
  let root: String
  let cache: String
  let options: FileOptions
  let state: StoreLock<State>
  /// Held while a file is removed, and taken when a save begins that may name it.
  private let removing = StoreLock(())
  /// Held while a file is brought into `pending`: two do not copy one file.
  private let moving = StoreLock(())

  struct State {
    /// How often each file is named by operations that are being saved.
    var keeping: [ContentHash: Int] = [:]
    /// How often each file is held by somebody who reads it.
    var pins: [CachedName: Int] = [:]
    /// Of the cache; nil before it was counted.
    var cachedBytes: Int64?
    /// Fetches under way: the hash of what has come.
    var fetches: [ContentHash: ContentHasher] = [:]
    /// The subfolder of `temporary` that only this process writes into; nil before it has.
    var processFolder: String?
  }

  /// `name` is that of the store among the user's caches.
  init(storeFolder: String, _ options: FileOptions, name: String) {
    disk = options.disk ?? SystemDisk()
    self.storeFolder = storeFolder
    root = storeFolder + "/files"
    cache = options.cacheFolder ?? Self.defaultCache(name) ?? root + "/cache"
    self.options = options
    state = StoreLock(State())
  }

  /// Whether the store has ever had a file.
  var isThere: Bool { (try? disk.names(in: root).isEmpty) == false }

  var temporary: String { root + "/temporary" }
  var pending: String { root + "/pending" }
  func pending(_ hash: ContentHash) -> String { "\(pending)/\(hash)" }
  func cached(_ hash: ContentHash) -> String { cached(CachedName(hash)) }
  func cached(_ name: CachedName) -> String { "\(cache)/\(name)" }
  func part(_ hash: ContentHash) -> String { "\(cache)/\(hash).part" }

  /// Where the bytes are now; nil where they are not here. Errors of the disk count as that.
  func path(of hash: ContentHash) -> String? {
    // In the order in which a file goes on, so that one that moves meanwhile is found in the next folder; at last where one
    // of the cache goes that is named anew.
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

  func size(of hash: ContentHash) -> Int64? {
    path(of: hash).flatMap { try? disk.state(of: $0)?.size }
  }
}

// From the temporary folder to the pending one.
extension FileFolder {
  /// Brings files to where they stay until a server has them, and returns those that are not here. They survive a power cut
  /// when this returns.
  func keep(_ hashes: [ContentHash], at now: () -> Int64) throws -> Set<ContentHash> {
    var absent: Set<ContentHash> = []
    var copied: [(hash: ContentHash, path: String)] = []
    for hash in hashes {
      switch try moving.withLock({ _ in try keep(hash, at: now) }) {
      case .pending, .cache: continue
      case .temporary(let path): copied.append((hash, path))
      case .nowhere: absent.insert(hash)
      }
    }
    // Also where each was there before: a crash or a full disk may have kept its name from being synced. The folders may be
    // new as well.
    if absent.count < hashes.count { for folder in [pending, root, storeFolder] { try disk.sync(folder) } }
    for (hash, path) in copied { try removing.withLock { _ in if !isPinned(hash) { try disk.remove(path) } } }
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
    // A disk that fails is no answer: what it hides is kept at the next attempt.
    if let path = try temporaryPath(of: hash) {
      try disk.makeFolder(pending)
      try bring(path, to: pending(hash))
      origin = .temporary(path: path)
    } else if let state = try disk.state(of: cached(hash)) {
      try disk.makeFolder(pending)
      try bring(cached(hash), to: pending(hash))
      try removing.withLock { _ in if !isPinned(hash) { try forget(CachedName(hash), state.size) } }
      origin = .cache
    } else {
      return .nowhere
    }
    try disk.touch(pending(hash), at: now())
    return origin
  }

  /// A second name of the same bytes; a copy where the folders are of two volumes.
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

  /// Whether it lies where the system may take it, and nowhere else.
  func isOnlyCached(_ hash: ContentHash) -> Bool {
    guard (try? disk.state(of: pending(hash))) == .some(nil) else { return false }
    return (try? disk.state(of: cached(hash))) != .some(nil)
  }

  /// Protects files from before they are kept until their operations are saved: nothing removes them.
  func beginKeeping(_ hashes: some Sequence<ContentHash>) {
    removing.withLock { _ in state.withLock { for hash in hashes { $0.keeping[hash, default: 0] += 1 } } }
  }

  func endKeeping(_ hashes: some Sequence<ContentHash>) {
    state.withLock { state in
      for hash in hashes { state.keeping[hash] = state.keeping[hash].flatMap { $0 > 1 ? $0 - 1 : nil } }
    }
  }

  /// Does something to a file that nothing needs, unless somebody has just begun to.
  func unless(_ isNeeded: (ContentHash) throws -> Bool, _ hash: ContentHash, _ body: () throws -> Void) throws {
    try removing.withLock { _ in
      guard state.withLock({ $0.keeping[hash] == nil }), try !isNeeded(hash) else { return }
      try body()
    }
  }

  /// Removes a file of the cache to make room, unless somebody holds it, saves what names it, or needs it.
  func makeRoom(of name: CachedName, unless isNeeded: (ContentHash) throws -> Bool = { _ in false }) throws {
    try removing.withLock { _ in
      guard !isPinned(name), state.withLock({ $0.keeping[name.hash] == nil }), try !isNeeded(name.hash) else { return }
      if let size = try disk.state(of: cached(name))?.size { try forget(name, size) }
    }
  }

  /// Gives a new file its name in the cache, in the place of one that has it.
  func replace(_ name: CachedName, by new: String, size: Int64) throws {
    try removing.withLock { _ in
      let old = try disk.state(of: cached(name))?.size ?? 0
      try disk.rename(new, to: cached(name))
      grow(by: size - old)
    }
  }

  /// Moves a file that is safe on the server into the cache.
  func release(_ hash: ContentHash) throws {
    guard let state = try disk.state(of: pending(hash)), !isPinned(hash) else { return }
    // Kept while somebody held it in the cache. To rename one name of a file to another one does nothing.
    if try disk.state(of: cached(hash)) != nil { return try disk.remove(pending(hash)) }
    try disk.makeFolder(cache)
    do { try disk.rename(pending(hash), to: cached(hash)) } catch {
      // The cache lies elsewhere: there it would have to be copied, and it can be fetched.
      try disk.remove(pending(hash))
      return
    }
    grow(by: state.size)
  }

  /// Nobody may see it any more, or it is not what it is called.
  func remove(_ hash: ContentHash) throws {
    try disk.remove(pending(hash))
    if let size = try disk.state(of: cached(hash))?.size { try forget(CachedName(hash), size) }
    try removeVariants(of: hash)
    try disk.remove(part(hash))
    state.withLock { $0.fetches[hash] = nil }
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
  }

  func grow(by count: Int64) {
    state.withLock { state in
      if let bytes = state.cachedBytes { state.cachedBytes = max(bytes + count, 0) }
    }
  }
}

// Files that somebody holds.
extension FileFolder {
  /// Not while something is removed: whoever finds a file after this keeps it.
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
