// Copies a file into another queue's folder: by a hard link, or by its bytes where links are not possible.

import Foundation
package import SyncProtocol
import WireFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension FolderStorage {
  package func copy(from source: FileKey, to target: FileKey) throws -> Bool {
    try makeFolder(target.queue)
    // A complete file is never written to again, so both names can share the same bytes.
    switch hasLinks ? Self.link(whole(source), whole(target)) : EPERM {
    case nil, EEXIST: break
    case ENOENT: return false
    case EPERM, EXDEV, EMLINK, ENOTSUP, EOPNOTSUPP:
      guard try copyBytes(from: whole(source), to: whole(target)) else { return false }
    case let error?: throw StorageError(systemError: error, "copy a file")
    }
    try syncFolders(of: target.queue)
    return true
  }

  /// Makes a hard link. Returns the system's error number; nil on success.
  private static func link(_ source: String, _ target: String) -> Int32? {
    linkat(AT_FDCWD, source, AT_FDCWD, target, 0) == 0 ? nil : errno
  }

  /// Writes the copy under a temporary name that ends in `.part`, so that upkeep removes it after a crash. Returns
  /// false if there is no file to copy.
  private func copyBytes(from source: String, to target: String) throws -> Bool {
    let input = open(source, O_RDONLY | O_CLOEXEC)
    if input < 0 && errno == ENOENT { return false }
    guard input >= 0 else { throw StorageError(systemError: errno, "open a file") }
    defer { close(input) }
    var name = Array("\(target).XXXXXX.part".utf8CString)
    let output = mkstemps(&name, Int32(".part".utf8.count))
    guard output >= 0 else { throw StorageError(systemError: errno, "copy a file") }
    defer { close(output) }
    let part = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    do {
      try Self.copyBytes(input, output)
      guard rename(part, target) == 0 else { throw StorageError(systemError: errno, "keep a copy") }
    } catch {
      try Self.drop(part)
      throw error
    }
    return true
  }

  private static func copyBytes(_ input: Int32, _ output: Int32) throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var offset: off_t = 0
    while true {
      let count = pread(input, &buffer, buffer.count, offset)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw StorageError(systemError: errno, "read a file") }
      if count == 0 { break }
      // After a short write, the next round reads the rest again.
      let written = pwrite(output, buffer, count, offset)
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { throw StorageError(systemError: errno, "copy a file") }
      offset += off_t(written)
    }
    guard fsync(output) == 0 else { throw StorageError(systemError: errno, "sync a copy") }
  }
}
