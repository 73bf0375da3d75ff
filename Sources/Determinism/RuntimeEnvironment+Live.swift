// The live environment: the system's clock, randomness and tasks. `DeterminismTests` lists the files that may bypass
// it.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

extension RuntimeEnvironment {
  /// The system's wall clock, its secure random numbers, and tasks on the shared threads.
  public static let live = RuntimeEnvironment(
    clock: {
      var time = timespec()
      // It fails only for a clock that the system does not have; POSIX requires this one.
      _ = clock_gettime(CLOCK_REALTIME, &time)
      return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    },
    randomness: {
      var generator = SystemRandomNumberGenerator()
      return generator.next()
    },
    spawning: { body in Task { await body() } },
    sleeping: { milliseconds in try await Task.sleep(for: .milliseconds(milliseconds)) })
}
