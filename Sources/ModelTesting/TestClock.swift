// A clock that moves only when a test moves it, and the sleeps that wait for it.

import Determinism
public import ModelSupport
import Synchronization

/// The time of a `PreviewServer` and its devices. It stands still until `advance`, so that a test takes no time, and
/// the same time in each run.
public final class TestClock: Sendable {
  private let state: Mutex<State>

  private struct State {
    var now: Int64
    var sleeps: [Int: Sleep] = [:]
    var lastSleep = 0
  }

  private struct Sleep {
    var end: Int64
    var continuation: CheckedContinuation<Void, any Error>
  }

  /// Begins at this time; 14 November 2023 unless told.
  public init(_ start: Timestamp = Timestamp(millisecondsSince1970: 1_700_000_000_000)) {
    state = Mutex(State(now: start.millisecondsSince1970))
  }

  /// The time on the clock.
  public var now: Timestamp { Timestamp(millisecondsSince1970: state.withLock { $0.now }) }

  /// Lets time pass. What waited for it goes on, the earliest first.
  public func advance(milliseconds: Int64) {
    precondition(milliseconds >= 0, "a clock does not go back")
    let due = state.withLock { state in
      state.now += milliseconds
      let due = state.sleeps.filter { $0.value.end <= state.now }
      for number in due.keys { state.sleeps[number] = nil }
      return due.sorted { ($0.value.end, $0.key) < ($1.value.end, $1.key) }.map(\.value.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  /// An environment with this clock and with randomness that is the same in each run.
  func environment(seed: UInt64) -> RuntimeEnvironment {
    let seeded = RuntimeEnvironment.seeded(seed)
    return RuntimeEnvironment(
      clock: { [self] in now.millisecondsSince1970 }, randomness: seeded.randomBits,
      spawning: RuntimeEnvironment.live.spawn, sleeping: { [self] in try await sleep($0) })
  }

  /// Returns when so much time has passed. Throws if the task is cancelled.
  func sleep(_ milliseconds: Int64) async throws {
    guard milliseconds > 0 else { return }
    let number = state.withLock { state in
      state.lastSleep += 1
      return state.lastSleep
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let isCancelled = state.withLock { state in
          if Task.isCancelled { return true }
          state.sleeps[number] = Sleep(end: state.now + milliseconds, continuation: continuation)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let sleep = state.withLock { $0.sleeps.removeValue(forKey: number) }
      sleep?.continuation.resume(throwing: CancellationError())
    }
  }
}
