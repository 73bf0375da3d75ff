// The path of a server's database, and of what lies beside it.

import Foundation
import SyncServer
import WireFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

struct DatabasePath {
  /// As the operator wrote it.
  let path: String
  /// The path without symbolic links, so that a database has one lock, whatever name it is opened by. SQLite names its
  /// log in the same way.
  private let real: String

  init(_ path: String) {
    self.path = path
    real = Self.real(path) ?? path
  }

  /// The folder of the files that users share.
  var files: String { real + "-files" }
  /// The folders whose disks the server writes to.
  var places: [String] { [URL(fileURLWithPath: real).deletingLastPathComponent().path, files] }
  fileprivate var lock: String { real + "-lock" }
  /// The path of a database that is being made. `id` makes it unique, because another process may be making one too.
  func unfinished(_ id: UUIDValue) -> Self { Self("\(path)-unfinished-\(id)") }

  private var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  /// Resolves symbolic links; nil if there is no such file.
  private static func real(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  private var exists: Bool { FileManager.default.fileExists(atPath: path) }

  private var isFolder: Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  func mustExist(_ flag: String) throws {
    if !exists { throw Mistake.inputOutput("\(flag): there is no file \(path).") }
    try mustBeNothingElse(flag)
    if isEmpty { throw Mistake.inputOutput("\(flag): the file \(path) is empty; it is not a database.") }
  }

  /// Throws unless the file is a server's database, or missing or empty. To be called before anything is made beside
  /// it.
  func mustBeNothingElse(_ flag: String) throws {
    try Mistake.ofStorage(flag) { try DatabaseFile.check(path) }
  }

  /// Whether the file is empty, as a failed copy may have left it. SQLite would take it for a database without tables.
  private var isEmpty: Bool {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64) == 0
  }

  /// Throws if there is no database. A wrong path must not begin an empty server: devices would take it for another
  /// server, and wait.
  func mustBeServed() throws {
    if exists, !isEmpty { return }
    throw Mistake.inputOutput(
      "--database: \(exists ? "nothing is in the" : "there is no") file \(path). Name the right one, or add --create to begin an empty server."
    )
  }

  /// Throws if the path is a link to a file that is not there: its real name, and so the names beside it, are not known
  /// yet.
  fileprivate func mustNotLeadNowhere(_ flag: String) throws {
    guard !exists, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return }
    throw Mistake.inputOutput("\(flag): \(path) is a link to \(target), which is not there; name the file itself.")
  }

  /// Throws if there is a file, or a log: SQLite would take a log without its database for that of the new one.
  func mustNotExist(_ flag: String) throws {
    try mustNotLeadNowhere(flag)
    if isFolder { throw Mistake.inputOutput("\(flag): \(path) is a folder; name a file in it.") }
    var files = [path, path + "-wal", path + "-journal"].filter { FileManager.default.fileExists(atPath: $0) }
    // A server that ended in order leaves an empty log.
    files.removeAll { $0 != path && FileManager.default.contents(atPath: $0)?.isEmpty == true }
    for file in files {
      throw Mistake.inputOutput("\(flag): \(file) is there already; move it away, or name another file.")
    }
  }

  /// Throws if the folder is missing or cannot be written. SQLite would only say that it cannot open the file.
  func mustBeWritable(_ flag: String) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw Mistake.inputOutput("\(flag): there is no folder for \(path). Make it first.")
    }
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw Mistake.inputOutput("\(flag): the folder of \(path) may not be written.")
    }
  }

  /// Removes the file and what SQLite keeps beside it.
  func remove() {
    for ending in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + ending) }
  }

  /// Moves a database here that no process has open. The move survives a power cut when this returns.
  func take(from other: Self, _ flag: String) throws {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(flag, "cannot write") }
    defer { close(descriptor) }
    // Another process may have been quicker.
    try mustNotExist(flag)
    guard rename(other.path, path) == 0 else { throw failure(flag, "cannot write") }
    guard fsync(descriptor) == 0 else {
      throw failure(flag, "the file was made, but may be gone after a power cut, because the disk did not sync it:")
    }
  }

  private func failure(_ flag: String, _ words: String) -> Mistake {
    Mistake.inputOutput("\(flag): \(words) \(path): \(SystemReason.writing(errno))")
  }
}

/// Lets only one process at a time serve a database, because a second one would not wake the clients of the first.
struct DatabaseLock {
  private let database: DatabasePath
  private let file: Int32
  /// The descriptor of the database itself. It is locked too, because another hard link to the database has another
  /// lock file.
  private var inode: Int32 = -1

  init(_ database: DatabasePath) throws {
    try database.mustNotLeadNowhere("--database")
    self.database = database
    file = open(database.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw Mistake.inputOutput(
        "--database: cannot write beside \(database.path): \(SystemReason.writing(errno))")
    }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      throw Self.isTaken(database)
    }
    do { try lockInode() } catch {
      release()
      throw error
    }
  }

  /// Locks the database itself. To be called again once it was made. Only on Linux, where such a lock and those of
  /// SQLite do not see each other.
  mutating func lockInode() throws {
    #if os(Linux)
      guard inode < 0 else { return }
      inode = open(database.path, O_RDONLY | O_CLOEXEC)
      // If the file cannot be locked for another reason, the lock file has to do.
      if inode >= 0, flock(inode, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { throw Self.isTaken(database) }
    #endif
  }

  private static func isTaken(_ database: DatabasePath) -> Mistake {
    Mistake.inputOutput("--database: another modelserver uses \(database.path); stop it first.")
  }

  /// Keeps the lock file, because whoever removes it could remove that of the next process. Unlocks before closing,
  /// because a child that is being started has a copy of the descriptor, with the lock, until it runs. Does not close
  /// the database, because that would end the locks of SQLite, which may have it open.
  func release() {
    if inode >= 0 { flock(inode, LOCK_UN) }
    flock(file, LOCK_UN)
    close(file)
  }
}

extension Mistake {
  /// Runs `body`, and turns a `StorageError` into a mistake that names the flag of the database.
  static func ofStorage<Result>(_ flag: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as StorageError {
      throw Mistake.inputOutput("\(flag): \(error.message)")
    }
  }

  static func ofStorage<Result>(_ flag: String, _ body: () async throws -> Result) async throws -> Result {
    do { return try await body() } catch let error as StorageError {
      throw Mistake.inputOutput("\(flag): \(error.message)")
    }
  }
}
