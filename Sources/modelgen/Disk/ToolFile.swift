// The program that runs, as a file.
#if canImport(Darwin)
  import Darwin
#endif

enum ToolFile {
  /// The bytes of the file with our code, which change with it, unlike the version; nil where the system does not show
  /// it. The libraries of the system are not in it.
  static func bytes() -> [UInt8]? {
    guard let (folder, name) = place else { return nil }
    return try? FolderHandle.open(folder, creating: false).read(name, limit: .max, followingLinks: true)
  }

  private static var place: (folder: String, name: String)? {
    #if canImport(Darwin)
      var image = Dl_info()
      guard dladdr(#dsohandle, &image) != 0, let path = image.dli_fname.map({ String(cString: $0) }),
        path.hasPrefix("/"), let slash = path.lastIndex(of: "/")
      else { return nil }
      return (String(path[...slash]), String(path[path.index(after: slash)...]))
    #else
      return ("/proc/self", "exe")
    #endif
  }
}
