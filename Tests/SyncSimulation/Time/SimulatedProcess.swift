// A process of a device or of the server: its tasks, what they wait for, and its sudden end.

import Determinism
import TestSupport

/// One life of a program. When it ends, all waits of its tasks fail, and nothing that they still do has an effect.
///
/// `@unchecked Sendable`: a world and everything in it runs on one thread.
final class SimulatedProcess: @unchecked Sendable {
  let executor: SeededExecutor
  private(set) var isOver = false
  private let time: VirtualTime
  private var waits: [Int: Wait] = [:]
  private var waitCount = 0
  /// How many waits fail at once after the end of the process. Later ones never end, which stops a task that goes on.
  private var patience = 200

  init(seed: UInt64, time: VirtualTime) {
    executor = SeededExecutor(seed: seed)
    self.time = time
  }

  /// Clock, randomness, tasks and sleep of this process. `offset` is how far its clock is off, in milliseconds.
  func environment(seed: UInt64, offset: @escaping @Sendable () -> Int64) -> RuntimeEnvironment {
    let random = RandomSource(seed: seed)
    return RuntimeEnvironment(
      clock: { [time] in Self.start + time.now + offset() }, randomness: { random.next() },
      // What a task in the background does belongs to no request.
      spawning: { [self] body in ServedRequest.$current.withValue(nil) { executor.spawn(body) } },
      sleeping: { [self] in try await sleep($0) })
  }

  /// 2023-11-14.
  static let start: Int64 = 1_700_000_000_000

  /// Waits until the callback that `begin` gets is called, the task is cancelled, or the process is over. `begin`
  /// returns what to call when nobody waits any more.
  func wait<Value: Sendable>(
    _ begin: @escaping (@escaping (Result<Value, any Error>) -> Void) -> () -> Void
  ) async throws -> Value {
    let wait = Wait()
    waitCount += 1
    let number = waitCount
    return try await withTaskCancellationHandler {
      // The unsafe continuation is resumed at most once: a wait is ended once, or left with its process.
      try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Value, any Error>) in
        if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
        if isOver && patience <= 0 { return }
        patience -= isOver ? 1 : 0
        waits[number] = wait
        wait.fail = { [self] error in
          waits[number] = nil
          wait.letGo?()
          wait.close()
          continuation.resume(throwing: error)
        }
        let letGo = begin { [self] result in
          guard wait.fail != nil else { return }
          waits[number] = nil
          wait.close()
          continuation.resume(with: result)
        }
        if wait.fail != nil { wait.letGo = letGo }
        if isOver { wait.fail?(ProcessIsOver()) }
      }
    } onCancel: {
      wait.fail?(CancellationError())
    }
  }

  private func sleep(_ milliseconds: Int64) async throws {
    try await wait { [time] (finish: @escaping (Result<Void, any Error>) -> Void) in
      let number = time.after(milliseconds) { finish(.success(())) }
      return { time.callOff(number) }
    }
  }

  /// Ends the process. Its tasks run on without effect, to free their memory.
  func end() {
    isOver = true
    for number in waits.keys.sorted() { waits[number]?.fail?(ProcessIsOver()) }
    var jobs = 0
    while jobs < 2_000, executor.runOne() { jobs += 1 }
  }

  struct ProcessIsOver: Error {}

  /// `@unchecked Sendable`: one thread.
  private final class Wait: @unchecked Sendable {
    var fail: ((any Error) -> Void)?
    var letGo: (() -> Void)?

    /// Drops both closures, because they hold what they have captured.
    func close() { (fail, letGo) = (nil, nil) }
  }
}

/// `@unchecked Sendable`: one thread.
private final class RandomSource: @unchecked Sendable {
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  func next() -> UInt64 { random.next() }
}
