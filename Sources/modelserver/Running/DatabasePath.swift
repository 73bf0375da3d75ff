// The database of a server as a path, and what lies beside it.

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
  /// Without links, so that one database has one lock, by whatever name it is called. SQLite names its log so too.
  private let real: String

  init(_ path: String) {
    self.path = path
    real = Self.real(path) ?? path
  }

  /// The folder of the files that users share.
  var files: String { real + "-files" }
  /// Where bytes are written.
  var places: [String] { [URL(fileURLWithPath: real).deletingLastPathComponent().path, files] }
  fileprivate var lock: String { real + "-lock" }
  /// A name while it is made, of its own: somebody may be making another one.
  func unfinished(_ id: UUIDValue) -> Self { Self("\(path)-unfinished-\(id)") }

  private var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  /// Nil where there is no such file.
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
    if isEmpty { throw Mistake.inputOutput("\(flag): the file \(path) is empty; it is no database.") }
  }

  /// A database, or nothing yet: before anything is made beside it.
  func mustBeNothingElse(_ flag: String) throws {
    try Mistake.ofStorage(flag) { try DatabaseFile.check(path) }
  }

  /// Whether a copy that failed has left this. SQLite would take it for a database without tables.
  private var isEmpty: Bool {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64) == 0
  }

  /// A wrong path must not begin an empty server: to devices that would be another one, and they would wait.
  func mustBeServed() throws {
    if exists, !isEmpty { return }
    throw Mistake.inputOutput(
      "--database: \(exists ? "nothing is in the" : "there is no") file \(path). Name the right one, or add --create to begin an empty server."
    )
  }

  /// Nobody knows yet what it will be called, and so what lies beside it.
  fileprivate func mustNotLeadNowhere(_ flag: String) throws {
    guard !exists, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return }
    throw Mistake.inputOutput("\(flag): \(path) is a link to \(target), which is not there; name the file itself.")
  }

  /// A log without its database would be taken for that of the next.
  func mustNotExist(_ flag: String) throws {
    try mustNotLeadNowhere(flag)
    if isFolder { throw Mistake.inputOutput("\(flag): \(path) is a folder; name a file in it.") }
    var files = [path, path + "-wal", path + "-journal"].filter { FileManager.default.fileExists(atPath: $0) }
    // A server that ended in order leaves an empty one.
    files.removeAll { $0 != path && FileManager.default.contents(atPath: $0)?.isEmpty == true }
    for file in files {
      throw Mistake.inputOutput("\(flag): \(file) is there already; move it away, or name another file.")
    }
  }

  /// SQLite would only say that it cannot open the file.
  func mustBeWritable(_ flag: String) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw Mistake.inputOutput("\(flag): there is no folder for \(path). Make it first.")
    }
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw Mistake.inputOutput("\(flag): the folder of \(path) may not be written.")
    }
  }

  /// The file and what SQLite keeps beside it.
  func remove() {
    for ending in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + ending) }
  }

  /// Moves a database, which nobody has open, here; after this it is here, whatever becomes of the machine.
  func take(from other: Self, _ flag: String) throws {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(flag, "cannot write") }
    defer { close(descriptor) }
    // Somebody else may have been quicker.
    try mustNotExist(flag)
    guard rename(other.path, path) == 0 else { throw failure(flag, "cannot write") }
    guard fsync(descriptor) == 0 else {
      throw failure(flag, "the file is there, and may be gone after a power cut, for the disk does not answer:")
    }
  }

  private func failure(_ flag: String, _ words: String) -> Mistake {
    Mistake.inputOutput("\(flag): \(words) \(path): \(SystemReason.writing(errno))")
  }
}

/// One process at a time serves a database: another one would not wake the clients of the first.
struct DatabaseLock {
  private let database: DatabasePath
  private let file: Int32
  /// The database itself: under another name of the same file there is another file beside it.
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

  /// Locks the database too; to be called again once one was made. Only on Linux, where such a lock and those of SQLite do
  /// not see each other.
  mutating func lockInode() throws {
    #if os(Linux)
      guard inode < 0 else { return }
      inode = open(database.path, O_RDONLY | O_CLOEXEC)
      // Where a file cannot be locked, the lock beside it has to do.
      if inode >= 0, flock(inode, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { throw Self.isTaken(database) }
    #endif
  }

  private static func isTaken(_ database: DatabasePath) -> Mistake {
    Mistake.inputOutput("--database: another modelserver uses \(database.path); stop it first.")
  }

  /// The file beside it stays: whoever removed it could remove that of the next. Unlocks before closing: a child that is
  /// being started has a copy of the descriptor, with the lock, until it runs. The database is not closed: that would end
  /// the locks of SQLite, which may have it open.
  func release() {
    if inode >= 0 { flock(inode, LOCK_UN) }
    flock(file, LOCK_UN)
    close(file)
  }
}

extension Mistake {
  /// An error about a database is said with the flag that named it.
  static func ofStorage<Result>(_ flag: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as StorageError {
      throw Mistake.inputOutput("\(flag): \(error.message)")
    }
  }
}
