// A clock that moves only when a test moves it, and the sleeps that wait for it.

public import Determinism
import Foundation

/// `@unchecked Sendable`: the state is behind a lock.
public final class HandTime: @unchecked Sendable {
  private struct Sleep {
    var end: Int64
    var continuation: CheckedContinuation<Void, any Error>
  }

  private let lock = NSLock()
  /// The time on the clock, which a test may set.
  private var shown: Int64
  /// Elapsed milliseconds, which setting the clock does not change. Sleeps are measured by them.
  private var passed: Int64 = 0
  private var sleeps: [Int: Sleep] = [:]
  private var lastSleep = 0
  private var isOver = false
  private var failed = 0

  /// `now` is in milliseconds since 1970.
  public init(_ now: Int64) { shown = now }

  /// An environment with this clock and seeded randomness, whose tasks are started by `spawning`.
  public func environment(
    seed: UInt64, spawning: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void
  ) -> RuntimeEnvironment {
    let seeded = RuntimeEnvironment.seeded(seed)
    return RuntimeEnvironment(
      clock: { [self] in now }, randomness: seeded.randomBits, spawning: spawning,
      sleeping: { [self] in try await sleep($0) })
  }

  public var now: Int64 { lock.withLock { shown } }

  public var sleepCount: Int { lock.withLock { sleeps.count } }

  /// Makes sleeps fail from now on, as at the end of a process. The hundredth one and all later ones do not end, so
  /// that a task which retries without a pause comes to rest.
  public func end() { lock.withLock { isOver = true } }

  public var failedSleeps: Int { lock.withLock { failed } }

  /// Sets the clock, as a user does, without changing how long sleeps last.
  public func set(to now: Int64) { lock.withLock { shown = now } }

  /// Lets this time pass. `run` is called after each sleep that ends, to run what waited for it.
  public func pass(_ milliseconds: Int64, _ run: () throws -> Void) rethrows {
    let end = lock.withLock { passed + milliseconds }
    while let sleep = next(upTo: end) {
      sleep.resume()
      try run()
    }
  }

  private func next(upTo end: Int64) -> CheckedContinuation<Void, any Error>? {
    lock.withLock {
      let first = sleeps.min { ($0.value.end, $0.key) < ($1.value.end, $1.key) }
      let moment = min(first?.value.end ?? end, end)
      shown += moment - passed
      passed = moment
      guard let first, first.value.end <= end else { return nil }
      return sleeps.removeValue(forKey: first.key)?.continuation
    }
  }

  private func sleep(_ milliseconds: Int64) async throws {
    let number: Int? = lock.withLock {
      if isOver { failed += 1 }
      if isOver, failed < 100 { return nil }
      lastSleep += 1
      return lastSleep
    }
    guard let number else { throw CancellationError() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        lock.withLock {
          if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
          sleeps[number] = Sleep(end: passed + milliseconds, continuation: continuation)
        }
      }
    } onCancel: {
      lock.withLock { sleeps.removeValue(forKey: number)?.continuation.resume(throwing: CancellationError()) }
    }
  }
}
