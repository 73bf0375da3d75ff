// How much room is left on the disks of the database and the files.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

struct DiskSpace: Sendable {
  let paths: [String]
  let leastBytes: Int64

  /// Free bytes on the fullest of the disks; nil if the system tells of none.
  var freeBytes: Int64? { paths.compactMap(Self.freeBytes).min() }

  /// Whether so little room is left that writes may soon fail, and devices have to wait.
  var isLow: Bool { freeBytes.map { $0 < leastBytes } ?? false }

  private static func freeBytes(_ path: String) -> Int64? {
    var state = statvfs()
    guard statvfs(path, &state) == 0 else { return nil }
    let (bytes, isTooMuch) = UInt64(state.f_bavail).multipliedReportingOverflow(by: UInt64(state.f_frsize))
    return isTooMuch ? .max : Int64(clamping: bytes)
  }
}
