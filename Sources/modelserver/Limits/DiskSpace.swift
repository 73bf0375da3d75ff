// How much room is left where the database and the files lie.

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

  /// Of the fullest of the disks; nil where none says.
  var freeBytes: Int64? { paths.compactMap(Self.freeBytes).min() }

  /// Whether devices may soon be told to wait, because nothing can be written.
  var isLow: Bool { freeBytes.map { $0 < leastBytes } ?? false }

  private static func freeBytes(_ path: String) -> Int64? {
    var state = statvfs()
    guard statvfs(path, &state) == 0 else { return nil }
    let (bytes, isTooMuch) = UInt64(state.f_bavail).multipliedReportingOverflow(by: UInt64(state.f_frsize))
    return isTooMuch ? .max : Int64(clamping: bytes)
  }
}
