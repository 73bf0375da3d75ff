// Files on disk: a folder for each queue, and in it a file for each hash. An unfinished upload has the ending `.part`.

import Foundation
package import SyncProtocol
package import WireFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The folder of files beside a server's database. Its names are made of ids and hashes only, so no client can choose a
/// path.
package struct FolderStorage: FileStorage {
  private let root: String
  /// False in tests, which then behave like a file system without hard links.
  let hasLinks: Bool

  package init(path: String) {
    self.init(path: path, hasLinks: true)
  }

  package init(path: String, hasLinks: Bool) {
    root = path
    self.hasLinks = hasLinks
  }

  private func folder(_ queue: QueueID) -> String { "\(root)/\(queue)" }
  func whole(_ place: FileKey) -> String { "\(folder(place.queue))/\(place.hash)" }
  private func part(_ place: FileKey) -> String { whole(place) + ".part" }

  package func partSize(of place: FileKey) throws -> Int64? { try Self.size(part(place)) }
  package func size(of place: FileKey) throws -> Int64? { try Self.size(whole(place)) }

  /// Nil if there is no file. Throws if the disk does not tell: a file that cannot be seen is not gone.
  private static func size(_ path: String) throws -> Int64? {
    var state = stat()
    if stat(path, &state) == 0 { return Int64(state.st_size) }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw StorageError(systemError: errno, "look at a file")
  }

  package func append(_ bytes: [UInt8], to place: FileKey, at offset: Int64) throws {
    if offset == 0 { try makeFolder(place.queue) }
    // Only the first bytes create the part. A part that was removed must not come back with a hole at its beginning.
    try Self.withFile(part(place), O_WRONLY | (offset == 0 ? O_CREAT : 0)) { file in
      // Cuts off bytes behind the offset, which a crash or a failed write may have left.
      guard ftruncate(file, off_t(offset)) == 0 else { throw StorageError(systemError: errno, "write an upload") }
      var rest = bytes[...]
      var place = offset
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(place)) }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { throw StorageError(systemError: errno, "write an upload") }
        rest = rest.dropFirst(count)
        place += Int64(count)
      }
    }
  }

  func makeFolder(_ queue: QueueID) throws {
    let isFirst = try Self.size(root) == nil
    for path in [root, folder(queue)] {
      guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
        throw StorageError(systemError: errno, "make a folder for files")
      }
    }
    // `syncFolders` syncs what is in the root. The name of the root itself must survive a power cut too.
    if isFirst { try Self.syncFolder(URL(filePath: root).deletingLastPathComponent().path) }
  }

  package func readPart(of place: FileKey, at offset: Int64, count: Int) throws -> [UInt8] {
    try Self.read(part(place), at: offset, count: count)
  }

  package func read(_ place: FileKey, at offset: Int64, count: Int) throws -> [UInt8]? {
    guard try Self.size(whole(place)) != nil else { return nil }
    return try Self.read(whole(place), at: offset, count: count)
  }

  package func finish(_ place: FileKey) throws {
    // The upload of an empty file has had no `append` to make the folder and the part.
    try makeFolder(place.queue)
    try Self.withFile(part(place), O_WRONLY | O_CREAT) { file in
      guard fsync(file) == 0 else { throw StorageError(systemError: errno, "sync an upload") }
    }
    guard rename(part(place), whole(place)) == 0 else { throw StorageError(systemError: errno, "keep an upload") }
    try syncFolders(of: place.queue)
  }

  /// Syncs the queue's folder, which holds the file's name, and the root, which holds the name of the queue's folder.
  func syncFolders(of queue: QueueID) throws {
    for path in [folder(queue), root] { try Self.syncFolder(path) }
  }

  private static func syncFolder(_ path: String) throws {
    try withFile(path, O_RDONLY) { folder in
      guard fsync(folder) == 0 else { throw StorageError(systemError: errno, "sync a folder") }
    }
  }

  package func discardPart(of place: FileKey) throws { try Self.drop(part(place)) }

  package func remove(_ place: FileKey) throws { try Self.drop(whole(place)) }

  package func queues() throws -> [QueueID] {
    ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).sorted().compactMap { QueueID($0) }
  }

  package func removeParts(of queue: QueueID, before time: Timestamp) throws {
    let folder = folder(queue)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasSuffix(".part") {
      var state = stat()
      guard stat("\(folder)/\(name)", &state) == 0 else { continue }
      if Self.seconds(state) * 1_000 < time.millisecondsSince1970 { try Self.drop("\(folder)/\(name)") }
    }
  }

  /// What `body` makes of the name of each queue's folder and of each file in it.
  func forEachName<Result>(_ body: (String, String) -> Result?) -> [Result] {
    let files = FileManager.default
    return ((try? files.contentsOfDirectory(atPath: root)) ?? []).sorted().flatMap { queue in
      ((try? files.contentsOfDirectory(atPath: "\(root)/\(queue)")) ?? []).sorted().compactMap { body(queue, $0) }
    }
  }

  private static func seconds(_ state: stat) -> Int64 {
    #if canImport(Darwin)
      Int64(state.st_mtimespec.tv_sec)
    #else
      Int64(state.st_mtim.tv_sec)
    #endif
  }

  static func drop(_ path: String) throws {
    guard unlink(path) == 0 || errno == ENOENT else { throw StorageError(systemError: errno, "remove a file") }
  }

  private static func read(_ path: String, at offset: Int64, count: Int) throws -> [UInt8] {
    try withFile(path, O_RDONLY) { file in
      var bytes = [UInt8](repeating: 0, count: count)
      var filled = 0
      while filled < count {
        let result = bytes.withUnsafeMutableBytes {
          pread(file, $0.baseAddress! + filled, count - filled, off_t(offset) + off_t(filled))
        }
        if result < 0 && errno == EINTR { continue }
        guard result >= 0 else { throw StorageError(systemError: errno, "read a file") }
        if result == 0 { break }
        filled += result
      }
      return Array(bytes.prefix(filled))
    }
  }

  static func withFile<Result>(
    _ path: String, _ flags: Int32, _ body: (Int32) throws -> Result
  ) throws -> Result {
    let file = open(path, flags | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw StorageError(systemError: errno, "open a file") }
    defer { close(file) }
    return try body(file)
  }
}

extension StorageError {
  init(systemError: Int32, _ what: String) {
    let code: Code =
      switch systemError {
      case ENOSPC, EDQUOT: .diskFull
      case EACCES, EPERM, EROFS: .readOnly
      case EMFILE, ENFILE: .busy
      default: .inputOutput
      }
    self.init(code, "The server cannot \(what): \(String(cString: strerror(systemError))).")
  }
}
