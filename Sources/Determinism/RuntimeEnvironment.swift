// The runtime's only access to clock, randomness and tasks. A test or simulator that replaces it can repeat a run
// exactly.

/// Clock, randomness and the spawning of tasks, as values that a test or a simulator can replace.
///
/// Code reads `RuntimeEnvironment.current`; `$current.withValue(.seeded(1)) { … }` replaces it for a task and what
/// that task spawns.
public struct RuntimeEnvironment: Sendable {
  private let clock: @Sendable () -> Int64
  private let randomness: @Sendable () -> UInt64
  private let spawning: @Sendable (@escaping @Sendable () async -> Void) -> Void
  private let sleeping: @Sendable (Int64) async throws -> Void

  /// `clock` gives milliseconds since 1970-01-01T00:00:00Z, `randomness` 64 independent bits.
  ///
  /// `spawning` starts a task that nobody waits for. `sleeping` returns after so many milliseconds, and throws if its
  /// task is cancelled.
  public init(
    clock: @escaping @Sendable () -> Int64, randomness: @escaping @Sendable () -> UInt64,
    spawning: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void,
    sleeping: @escaping @Sendable (Int64) async throws -> Void
  ) {
    self.clock = clock
    self.randomness = randomness
    self.spawning = spawning
    self.sleeping = sleeping
  }

  /// The environment of this task; `live` unless a caller has replaced it.
  @TaskLocal public static var current = RuntimeEnvironment.live

  /// Milliseconds since 1970-01-01T00:00:00Z. They may go back when the system's clock is set.
  public func nowMilliseconds() -> Int64 { clock() }

  /// 64 bits, from the system's secure source in the live environment.
  public func randomBits() -> UInt64 { randomness() }

  /// Waits for a time that no change of the clock affects. Throws if the task is cancelled.
  public func sleep(milliseconds: Int64) async throws { try await sleeping(milliseconds) }

  /// Starts a task that nobody waits for; it inherits the task-local values of the caller.
  public func spawn(_ body: @escaping @Sendable () async -> Void) { spawning(body) }
}
