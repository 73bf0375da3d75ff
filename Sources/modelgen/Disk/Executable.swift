// Where programs are on this machine: the one that runs, and the one that a shell would find.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

enum Executable {
  /// The file of this process, without links on the way; nil where the system does not say.
  static var current: String? {
    #if canImport(Darwin)
      var length = UInt32(PATH_MAX)
      var bytes = [CChar](repeating: 0, count: Int(length))
      return _NSGetExecutablePath(&bytes, &length) == 0 ? target(of: text(bytes)) : nil
    #else
      return target(of: "/proc/self/exe")
    #endif
  }

  /// The bytes of that file, which change with our code, unlike the version. The libraries of the system are not in it.
  static func bytes() -> [UInt8]? { current.flatMap { try? FolderHandle.contents(of: $0, limit: .max) } }

  /// The first executable file of this name in `PATH`, and what it leads to.
  static func named(_ name: String) -> (path: String, target: String)? {
    guard let variable = getenv("PATH") else { return nil }
    for folder in String(cString: variable).split(separator: ":") {
      let path = joined(String(folder), name)
      guard FolderHandle.kind(at: path) == .file, access(path, X_OK) == 0 else { continue }
      if let target = target(of: path) { return (path, target) }
    }
    return nil
  }

  /// The path without links; nil where it leads nowhere.
  private static func target(of path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

#if canImport(Darwin)
  private func text(_ bytes: [CChar]) -> String {
    String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
#endif
