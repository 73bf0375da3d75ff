// The file or folder that a path leads to, links followed.
import Foundation

/// A file or folder, the same one by whatever path it is reached.
struct FileIdentity: Hashable {
  enum Kind { case file, folder, other }

  let kind: Kind
  let modifiedAt: Date
  private let device: UInt64
  private let inode: UInt64

  /// Nil if nothing is there, or nothing that may be seen.
  init?(_ url: URL) {
    var status = stat()
    guard stat(url.path, &status) == 0 else { return nil }
    (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modifiedAt = Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000)
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    default: kind = .other
    }
  }

  static func == (left: Self, right: Self) -> Bool { (left.device, left.inode) == (right.device, right.inode) }

  func hash(into hasher: inout Hasher) {
    hasher.combine(device)
    hasher.combine(inode)
  }
}
