// The `FileDisk` of an app: the file system.

import Foundation

struct SystemDisk: FileDisk {
  func state(of path: String) throws -> FileState? {
    var state = stat()
    guard stat(path, &state) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw StoreError(systemError: errno, "look at \(path)")
    }
    // A folder or a device is refused.
    guard state.st_mode & S_IFMT == S_IFREG else { throw StoreError(.inputOutput, "\(path) is not a regular file.") }
    return FileState(size: Int64(state.st_size), time: Self.milliseconds(state))
  }

  private static func milliseconds(_ state: stat) -> Int64 {
    #if canImport(Darwin)
      let time = state.st_mtimespec
    #else
      let time = state.st_mtim
    #endif
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  func read(_ path: String, at offset: Int64, count: Int) throws -> [UInt8] {
    try Self.withFile(path, O_RDONLY) { file in
      var failure: Int32?
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        while filled < count {
          let result = pread(file, buffer.baseAddress! + filled, count - filled, off_t(offset) + off_t(filled))
          if result < 0 && errno == EINTR { continue }
          if result < 0 { failure = errno }
          if result <= 0 { break }
          filled += result
        }
      }
      if let failure { throw StoreError(systemError: failure, "read \(path)") }
      return bytes
    }
  }

  func write(_ bytes: [UInt8], to path: String, at offset: Int64) throws {
    try Self.withFile(path, O_WRONLY | (offset == 0 ? O_CREAT : 0)) { file in
      guard ftruncate(file, off_t(offset)) == 0 else { throw StoreError(systemError: errno, "write \(path)") }
      var written = 0
      while written < bytes.count {
        let result = bytes.withUnsafeBytes {
          pwrite(file, $0.baseAddress! + written, $0.count - written, off_t(offset) + off_t(written))
        }
        if result < 0 && errno == EINTR { continue }
        guard result > 0 else { throw StoreError(systemError: errno, "write \(path)") }
        written += result
      }
    }
  }

  func sync(_ path: String) throws {
    try Self.withFile(path, O_RDONLY) { file in
      #if canImport(Darwin)
        // On Apple platforms `fsync` does not flush the drive.
        if fcntl(file, F_FULLFSYNC) == 0 { return }
      #endif
      guard fsync(file) == 0 else { throw StoreError(systemError: errno, "sync \(path)") }
    }
  }

  func rename(_ path: String, to other: String) throws {
    let result = renameFile(path, other)
    guard result == 0 else { throw StoreError(systemError: errno, "keep \(other)") }
  }

  func link(_ path: String, to other: String) throws {
    let result = linkFile(path, other)
    guard result == 0 || errno == EEXIST else { throw StoreError(systemError: errno, "keep \(other)") }
  }

  func remove(_ path: String) throws {
    guard unlink(path) == 0 || errno == ENOENT else { throw StoreError(systemError: errno, "remove \(path)") }
  }

  func touch(_ path: String, at time: Int64) throws {
    let (seconds, rest) = time.quotientAndRemainder(dividingBy: 1_000)
    let moment = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest) * 1_000_000)
    let times = [moment, moment]
    guard utimensat(AT_FDCWD, path, times, 0) == 0 || errno == ENOENT else {
      throw StoreError(systemError: errno, "touch \(path)")
    }
  }

  func makeFolder(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError(.inputOutput, "The folder \(path) cannot be made: \(error.localizedDescription)")
    }
  }

  func removeFolder(_ path: String) throws {
    // A file that another process has added just now keeps its folder. What is no folder stays.
    guard rmdir(path) == 0 || [ENOENT, ENOTDIR, ENOTEMPTY, EEXIST].contains(errno) else {
      throw StoreError(systemError: errno, "remove \(path)")
    }
  }

  func names(in folder: String) throws -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else { return [] }
    do { return try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } catch {
      throw StoreError(.inputOutput, "The folder \(folder) cannot be read: \(error.localizedDescription)")
    }
  }

  private static func withFile<Result>(
    _ path: String, _ flags: Int32, _ body: (Int32) throws -> Result
  ) throws -> Result {
    let file = open(path, flags | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw StoreError(systemError: errno, "open \(path)") }
    defer { close(file) }
    return try body(file)
  }
}

// The functions of C: inside the type these names mean its own methods.
private func renameFile(_ path: String, _ other: String) -> Int32 { rename(path, other) }
private func linkFile(_ path: String, _ other: String) -> Int32 { link(path, other) }

extension StoreError {
  fileprivate init(systemError: Int32, _ what: String) {
    let code: Code =
      switch systemError {
      case ENOSPC, EDQUOT: .diskFull
      case EACCES, EPERM, EROFS: .readOnly
      default: .inputOutput
      }
    self.init(code, "The store cannot \(what): \(String(cString: strerror(systemError))).")
  }
}
