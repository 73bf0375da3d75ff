// Threads that may wait for a disk, so that the threads that serve connections never do.

import Foundation
package import GraphQL
package import WireFormat

/// Runs calls that wait for a disk or take long: on threads, or in a task of the simulation.
package protocol BlockingCalls: GraphQLWorker {
  /// Runs `body`. Throws a `busy` `StorageError` if too many calls wait already.
  func run<Result: Sendable>(_ body: @Sendable () throws -> Result) async throws -> Result
  /// Runs a further step of a call that has begun, before calls that have not: those wait without holding memory. Throws
  /// like `run`.
  func goOn<Result: Sendable>(_ body: @Sendable () throws -> Result) async throws -> Result
}

extension BlockingCalls {
  package func goOn<Result: Sendable>(_ body: @Sendable () throws -> Result) async throws -> Result {
    try await run(body)
  }
}

/// A few threads that all users share, in fair turns. They end when this object is released.
package final class WorkerThreads: BlockingCalls {
  typealias Job = @Sendable () -> Void

  private let jobs: JobQueue<Job>

  /// `atOnce` is how many threads may work for one user: fewer than all, so that the next user finds a free one. `rest`
  /// is as in `FairQueue`.
  package init(_ count: Int, atOnce: Int, name: String, waiting capacity: Int, rest: Double = 0) {
    let jobs = JobQueue<Job>(capacity: capacity, atOnce: atOnce, rest: rest)
    self.jobs = jobs
    for number in 1...count {
      let thread = Thread {
        while let running = jobs.take() {
          running.job()
          jobs.ended(running)
        }
      }
      thread.name = "\(name) \(number)"
      thread.start()
    }
  }

  deinit { jobs.close() }

  /// Runs `body` on one of the threads, when it is the turn of `Caller.user`.
  package func run<Result: Sendable>(_ body: @Sendable () throws -> Result) async throws -> Result {
    try await run(body) { jobs.add($0) }
  }

  package func goOn<Result: Sendable>(_ body: @Sendable () throws -> Result) async throws -> Result {
    try await run(body) { jobs.addGoingOn($0) }
  }

  private func run<Result: Sendable>(
    _ body: @Sendable () throws -> Result, add: (@escaping Job) -> Bool
  ) async throws -> Result {
    try await withoutActuallyEscaping(body) { body in
      let call = BlockingCall<Void, Result> { try body() }
      return try await withCheckedThrowingContinuation { continuation in
        let isTaken = add {
          // `call.run` releases the body before the caller is resumed, because the body must not outlive the caller.
          let result = call.run(())
          continuation.resume(with: result)
        }
        if !isTaken {
          call.drop()
          continuation.resume(throwing: StorageError(.busy, "Too many calls wait for the disk."))
        }
      }
    }
  }
}

/// Runs calls on threads, each when it is the turn of one user, also further steps. Sets `Caller.user` around a call
/// only: a poll that waits between its calls would keep it in memory.
package struct CallsOfUser: BlockingCalls {
  private let threads: WorkerThreads
  private let user: UserID

  package init(_ threads: WorkerThreads, _ user: UserID) { (self.threads, self.user) = (threads, user) }

  package func run<Result: Sendable>(_ body: @Sendable () throws -> Result) async throws -> Result {
    try await Caller.$user.withValue(user) { try await threads.run(body) }
  }
}

/// A closure that is called once, and then released.
///
/// `@unchecked Sendable`: the caller hands it to the one thread that runs it, and does not share it.
final class BlockingCall<Input, Output>: @unchecked Sendable {
  private var body: (@Sendable (Input) throws -> Output)?

  init(_ body: @escaping @Sendable (Input) throws -> Output) {
    self.body = body
  }

  func run(_ input: Input) -> Result<Output, any Error> {
    guard let body else { preconditionFailure("a call is made once") }
    self.body = nil
    return Result { try body(input) }
  }

  func drop() { body = nil }
}
