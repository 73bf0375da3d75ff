// What a watcher sees of a schema folder, and the pause between two looks.
import ModelSchema

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

struct WatchedFolder {
  let path: String

  /// The stamps of all that a run would read, by name; none while the folder is away. Links count as what they lead to.
  func stamps() -> [String: FileStamp] {
    guard let folder = try? FolderHandle.open(path, creating: false) else { return [:] }
    let names = (try? folder.names()) ?? []
    var stamps: [String: FileStamp] = [:]
    for name in names where !name.hasPrefix(".") {
      var information = stat()
      guard fstatat(folder.descriptor, name, &information, 0) == 0 else { continue }
      // A folder with schema files in it is a mistake, which goes away with the files.
      let isFolder = information.st_mode & S_IFMT == S_IFDIR
      guard isFolder || Self.isRead(name) else { continue }
      stamps[name] = FileStamp(information)
    }
    return stamps
  }

  private static func isRead(_ name: String) -> Bool {
    name == SchemaLock.fileName || [".yaml", ".yml"].contains { name.lowercased().hasSuffix($0) }
  }

  /// Waits until the next look. Ctrl-C ends the process here and nowhere else, so that no run is cut in two.
  static func pause() {
    change(SIG_UNBLOCK)
    usleep(250_000)
    change(SIG_BLOCK)
  }

  /// From now on Ctrl-C waits for a pause.
  static func holdSignals() { change(SIG_BLOCK) }

  private static func change(_ how: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
    pthread_sigmask(how, &signals, nil)
  }
}

extension FileStamp {
  fileprivate init(_ information: stat) {
    #if canImport(Darwin)
      let time = information.st_mtimespec
    #else
      let time = information.st_mtim
    #endif
    self.init(
      size: Int(information.st_size), modified: Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec),
      number: UInt64(information.st_ino))
  }
}
