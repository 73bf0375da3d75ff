// A clock that only a test moves, and sleeps that end when it has come so far.

public import Determinism
import Foundation

/// `@unchecked Sendable`: the state is behind a lock.
public final class HandTime: @unchecked Sendable {
  private struct Sleep {
    var end: Int64
    var continuation: CheckedContinuation<Void, any Error>
  }

  private let lock = NSLock()
  /// What the clock shows; a test may set it.
  private var shown: Int64
  /// How much time has passed, which no setting changes.
  private var passed: Int64 = 0
  private var sleeps: [Int: Sleep] = [:]
  private var lastSleep = 0
  private var isOver = false
  private var failed = 0

  /// In milliseconds since 1970.
  public init(_ now: Int64) { shown = now }

  /// With tasks where a test runs them.
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

  /// Sleeps fail from now on, as at the end of a process. The hundredth one does not end, nor do those behind it: what
  /// tries again without a pause comes to rest.
  public func end() { lock.withLock { isOver = true } }

  public var failedSleeps: Int { lock.withLock { failed } }

  /// Sets the clock, as a user does: no sleep becomes shorter or longer.
  public func set(to now: Int64) { lock.withLock { shown = now } }

  /// Lets so much time pass; whenever a sleep ends, `run` does what was waiting for that.
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
