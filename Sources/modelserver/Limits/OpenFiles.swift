// Raises the limit that the system sets for open files, connections included.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

enum OpenFiles {
  /// How many files the database, the files of users and the program itself may have open.
  private static let others = 256

  /// Raises the limit as far as the system allows. Returns for how many connections that is enough, at most `wanted`.
  static func raise(forConnections wanted: Int) -> Int {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return wanted }
    let needed = rlim_t(wanted + others)
    if limit.rlim_cur < needed {
      limit.rlim_cur = min(needed, limit.rlim_max)
      _ = setrlimit(resource, &limit)
    }
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < needed else { return wanted }
    return max(1, Int(limit.rlim_cur) - others)
  }
}
