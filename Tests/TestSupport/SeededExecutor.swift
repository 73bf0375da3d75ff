// Runs tasks one job at a time, in an order that a seed decides: the same seed, the same run.

import Foundation

/// A task executor (SE-0417) without threads: jobs wait until a test lets them run, on the test's own thread.
///
/// Tasks and ordinary actors run on it exactly; a bare `Task {}` would leave it. `@unchecked Sendable`: the queue is
/// behind a lock.
public final class SeededExecutor: TaskExecutor, @unchecked Sendable {
  private let lock = NSLock()
  private var jobs: [UnownedJob] = []
  private var random: SeededRandom
  /// How many jobs have run.
  public private(set) var count = 0

  public init(seed: UInt64) {
    random = SeededRandom(seed: seed)
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    lock.withLock { jobs.append(job) }
  }

  /// Whether no job waits to be run.
  public var isIdle: Bool { lock.withLock { jobs.isEmpty } }

  /// Runs one of the waiting jobs; returns whether there was one.
  @discardableResult
  public func runOne() -> Bool {
    let next = lock.withLock { () -> UnownedJob? in
      guard !jobs.isEmpty else { return nil }
      count += 1
      return jobs.remove(at: Int(random.below(UInt64(jobs.count))))
    }
    next?.runSynchronously(on: asUnownedTaskExecutor())
    return next != nil
  }

  public func runUntilIdle() {
    while runOne() {}
  }

  /// Starts a task on this executor. It runs when a test lets its jobs run.
  public func spawn(_ body: @escaping @Sendable () async -> Void) {
    Task(executorPreference: self) { await body() }
  }

  /// The work waits, and no job is left that could end the wait.
  public struct Stalled: Error, CustomStringConvertible {
    public var description: String { "the work waits for something that never comes" }
  }

  /// Runs `body` to its end, with all jobs for which it waits. Throws `Stalled` if it waits for something that never
  /// comes.
  ///
  /// After so many `jobs`, or at the end of the work, `meanwhile` is called on this thread.
  public func run<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result, after jobs: Int = 0, meanwhile: () throws -> Void = {}
  ) throws -> Result {
    let box = ResultBox<Result>()
    spawn { box.result = await Swift.Result { try await body() } }
    for _ in 0..<jobs where box.result == nil { runOne() }
    try meanwhile()
    while true {
      if let result = box.result { return try result.get() }
      guard runOne() else { throw Stalled() }
    }
  }
}

/// `@unchecked Sendable`: written and read on the one thread that runs the jobs.
private final class ResultBox<Success>: @unchecked Sendable {
  var result: Result<Success, any Error>?
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
