// Reads, replaces, creates and removes files in an open folder.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension FolderHandle {
  /// The first `limit` bytes of a file at a path of the command line; follows links.
  static func contents(of path: String, limit: Int) throws(FileProblem) -> [UInt8] {
    let parts = absolute(path).split(separator: "/")
    do throws(FileProblem) {
      return try open("/" + parts.dropLast().joined(separator: "/"), creating: false)
        .read(String(parts.last ?? ""), limit: limit, followingLinks: true)
    } catch {
      var problem = error
      problem.path = path
      throw problem
    }
  }

  /// The first `limit` bytes of a regular file. Throws for a pipe or a device instead of waiting for it.
  func read(_ name: String, limit: Int, followingLinks: Bool) throws(FileProblem) -> [UInt8] {
    let shown = joined(path, name)
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followingLinks ? 0 : O_NOFOLLOW)
    let file = openFile(descriptor, name, flags)
    guard file >= 0 else { throw Self.problem(.cannotRead, shown, errno) }
    defer { close(file) }
    var information = stat()
    guard fstat(file, &information) == 0 else { throw Self.problem(.cannotRead, shown, errno) }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw FileProblem(
        rule: .cannotRead, path: shown, reason: "is not a regular file", remedy: "remove it, or rename it")
    }
    // One byte more than the size of the file, so that the usual read finds the end without growing the array.
    var bytes = [UInt8](repeating: 0, count: min(limit, max(Int(information.st_size), 0) + 1))
    var filled = 0
    while filled < limit {
      if filled == bytes.count { bytes.append(contentsOf: repeatElement(0, count: min(65_536, limit - filled))) }
      // Not of `bytes[filled...]`, which would be a copy.
      let count = bytes.withUnsafeMutableBytes { bytes in
        readFile(file, bytes.baseAddress?.advanced(by: filled), bytes.count - filled)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw Self.problem(.cannotRead, shown, errno) }
      if count == 0 { break }
      filled += count
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }

  /// Throws unless a file may be replaced: it is no link and not read-only, and has the contents that were read before.
  func checkUnchanged(_ name: String, _ contents: [UInt8]) throws(FileProblem) {
    let shown = joined(path, name)
    if try kind(of: name) == .link {
      throw FileProblem(
        rule: .cannotWrite, path: shown, reason: "is a link, and modelgen never writes through a link",
        remedy: "name the folder of the file it points to")
    }
    guard try read(name, limit: contents.count + 1, followingLinks: false) == contents else {
      throw FileProblem(
        rule: .cannotWrite, path: shown, reason: "has changed while it was being mended", remedy: "try again")
    }
    // Replacing a file needs no permission on it. It is read-only because someone wants it to stay as it is.
    guard faccessat(descriptor, name, W_OK, 0) == 0 else { throw Self.problem(.cannotWrite, shown, errno) }
  }

  /// Replaces a file atomically: a reader sees the old or the new contents, never a part. `keepingPermissions` gives it
  /// those of the file before.
  func replace(_ name: String, contents: [UInt8], keepingPermissions: Bool = false) throws(FileProblem) {
    var information = stat()
    let permissions =
      keepingPermissions && fstatat(descriptor, name, &information, AT_SYMLINK_NOFOLLOW) == 0
      ? information.st_mode & 0o7777 : nil
    let temporary = ".\(name).modelgen-\(getpid())"
    // A killed process with the same id may have left this file.
    unlinkat(descriptor, temporary, 0)
    try writeNew(temporary, contents: contents, permissions, shown: joined(path, name))
    guard renameat(descriptor, temporary, descriptor, name) == 0 else {
      let code = errno
      unlinkat(descriptor, temporary, 0)
      throw Self.problem(.cannotWrite, joined(path, name), code)
    }
  }

  /// Writes a file unless the name is taken. Returns whether it wrote the file.
  func create(_ name: String, contents: [UInt8]) throws(FileProblem) -> Bool {
    guard try kind(of: name) == .missing else { return false }
    try writeNew(name, contents: contents, nil, shown: joined(path, name))
    return true
  }

  func remove(_ name: String) throws(FileProblem) {
    guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
      throw Self.problem(.cannotWrite, joined(path, name), errno)
    }
  }

  /// Without permissions the file gets those that the process gives to new files.
  private func writeNew(
    _ name: String, contents: [UInt8], _ permissions: mode_t?, shown: String
  ) throws(FileProblem) {
    let file = openFile(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions ?? 0o666)
    guard file >= 0 else { throw Self.problem(.cannotWrite, shown, errno) }
    defer { close(file) }
    if let permissions, fchmod(file, permissions) != 0 {
      let code = errno
      unlinkat(descriptor, name, 0)
      throw Self.problem(.cannotWrite, shown, code)
    }
    var rest = contents[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { writeFile(file, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        let code = errno
        unlinkat(descriptor, name, 0)
        throw Self.problem(.cannotWrite, shown, code)
      }
      rest = rest.dropFirst(count)
    }
  }
}

// The system calls, under names that no method of `FolderHandle` hides.

private func readFile(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}

private func writeFile(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
