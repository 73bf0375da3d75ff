// An open folder: the only type of the command that reads and writes files. It works on a descriptor, so a file is
// written where it was checked, even if another process moves folders meanwhile, and never through a link.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The kind of entry that a name in a folder stands for.
enum EntryKind {
  case missing, file, folder, link, special
}

final class FolderHandle {
  /// The path for messages.
  let path: String
  let descriptor: Int32

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Opens a folder that the user named, following links on the way. `creating` makes missing folders first.
  static func open(_ path: String, creating: Bool) throws(FileProblem) -> FolderHandle {
    if creating { try create(path) }
    let descriptor = openFile(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw problem(creating ? .cannotWrite : .cannotRead, path, errno) }
    return FolderHandle(path: path, descriptor: descriptor)
  }

  /// The kind of entry at a path of the command line; follows links.
  static func kind(at path: String) -> EntryKind {
    var information = stat()
    return stat(path, &information) == 0 ? kind(of: information) : .missing
  }

  /// A path of the command line as an absolute path, normalised as text.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let working = getcwd(nil, 0) else { return normalized(path) }
    defer { free(working) }
    return normalized(joined(String(cString: working), path))
  }

  /// Opens the folder `name` in this one; nil where there is none. `creating` makes it first. Throws for a link.
  func folder(_ name: String, creating: Bool, shownAs shown: String? = nil) throws(FileProblem) -> FolderHandle? {
    let shown = shown ?? joined(path, name)
    if creating && mkdirat(descriptor, name, 0o777) != 0 && errno != EEXIST {
      throw Self.problem(.cannotWrite, shown, errno)
    }
    switch try kind(of: name) {
    case .missing: return nil
    case .folder: break
    case .link:
      throw FileProblem(
        rule: .cannotWrite, path: shown, reason: "is a link, and modelgen never writes through a link",
        remedy: "name the folder it points to")
    case .file, .special:
      throw FileProblem(
        rule: .cannotWrite, path: shown, reason: "is not a folder", remedy: "remove it, or choose another output folder"
      )
    }
    let opened = openFile(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard opened >= 0 else { throw Self.problem(.cannotRead, shown, errno) }
    return FolderHandle(path: shown, descriptor: opened)
  }

  /// All names but `.` and `..`, sorted.
  func names() throws(FileProblem) -> [String] {
    // `fdopendir` takes over its descriptor, so it gets a new one.
    let copy = openFile(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let stream = fdopendir(copy) else { throw Self.problem(.cannotRead, path, errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  func kind(of name: String) throws(FileProblem) -> EntryKind {
    var information = stat()
    guard fstatat(descriptor, name, &information, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT { return .missing }
      throw Self.problem(.cannotRead, joined(path, name), errno)
    }
    return Self.kind(of: information)
  }

  private static func kind(of information: stat) -> EntryKind {
    switch information.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    case S_IFLNK: return .link
    default: return .special
    }
  }

  /// `mkdir -p`.
  private static func create(_ path: String) throws(FileProblem) {
    var prefix = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      prefix += (prefix.isEmpty || prefix.hasSuffix("/") ? "" : "/") + part
      if mkdir(prefix, 0o777) != 0 && errno != EEXIST && errno != EISDIR { throw problem(.cannotWrite, prefix, errno) }
    }
  }
}

extension FolderHandle {
  /// The problem for an error number of the system, with a reason and a remedy.
  static func problem(_ rule: FileRule, _ path: String, _ code: Int32) -> FileProblem {
    let remedies: [Int32: String] = [
      ENOENT: "check the path", ENOTDIR: "name a folder", ELOOP: "replace the link by the file it points to",
      EACCES: "change its permissions", EPERM: "change its permissions", EROFS: "choose a folder that can be written",
      ENOSPC: "free some space", EISDIR: "remove the folder or rename it",
    ]
    return FileProblem(
      rule: rule, path: path, reason: String(cString: strerror(code)).lowercased(),
      remedy: remedies[code] ?? "try again")
  }
}

/// `openat`, under a name that no method of `FolderHandle` hides.
func openFile(_ folder: Int32, _ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
  openat(folder, path, flags, mode)
}
