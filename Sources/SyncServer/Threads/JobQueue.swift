// What waits for a thread: bounded, and fair to each user.

import Foundation
import WireFormat

/// `@unchecked Sendable`: everything is behind the condition's lock.
final class JobQueue<Job>: @unchecked Sendable {
  private let condition = NSCondition()
  private let capacity: Int
  private var jobs: FairQueue<Job>
  private var isClosed = false

  /// `atOnce`: how many jobs of one user may run at the same time.
  init(capacity: Int, atOnce: Int = .max) {
    self.capacity = capacity
    jobs = FairQueue(atOnce: atOnce)
  }

  /// Adds a job of `Caller.user`. False where the queue is full or closed, or where that user fills a quarter of it.
  func add(_ job: Job) -> Bool {
    let user = Caller.user
    return condition.withLock {
      let isFull = jobs.count >= capacity || user != nil && jobs.count(of: user) >= capacity / 4
      guard !isFull, !isClosed else { return false }
      jobs.add(job, of: user)
      condition.signal()
      return true
    }
  }

  /// Adds the second step of a job of `Caller.user`, which always has room. False where the queue is closed.
  func addGoingOn(_ job: Job) -> Bool {
    let user = Caller.user
    return condition.withLock {
      guard !isClosed else { return false }
      jobs.addGoingOn(job, of: user)
      condition.signal()
      return true
    }
  }

  /// Waits until there is a job that may run; nil once the queue is closed and every job was taken.
  func take() -> RunningJob<Job>? {
    condition.withLock {
      while true {
        if let taken = jobs.take() {
          if isClosed { condition.broadcast() }
          return RunningJob(taken.job, of: taken.user)
        }
        if isClosed && jobs.count == 0 { return nil }
        condition.wait()
      }
    }
  }

  /// Does not wait: nil also where the next job usually takes more than `seconds`.
  func takeNow(within seconds: Double) -> RunningJob<Job>? {
    condition.withLock { jobs.take(within: seconds).map { RunningJob($0.job, of: $0.user) } }
  }

  /// Returns how long the job took, in seconds. Its thread takes the next one itself, so that nobody has to be woken.
  @discardableResult
  func ended(_ job: RunningJob<Job>) -> Double {
    let seconds = job.stopwatch.seconds
    condition.withLock { jobs.ended(job.user, took: seconds) }
    return seconds
  }

  func close() {
    condition.withLock {
      isClosed = true
      condition.broadcast()
    }
  }
}

/// A job that was taken, and since when it runs.
struct RunningJob<Job> {
  let job: Job
  let user: UUIDValue?
  let stopwatch = Stopwatch()

  init(_ job: Job, of user: UUIDValue?) { (self.job, self.user) = (job, user) }
}
