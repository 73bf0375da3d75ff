// A queue of jobs that wait for a thread, bounded and fair to each user.

import Foundation
import WireFormat

/// Requests add jobs, threads take them.
///
/// `@unchecked Sendable`: the condition's lock guards all state.
final class JobQueue<Job>: @unchecked Sendable {
  private let condition = NSCondition()
  private let capacity: Int
  private var jobs: FairQueue<Job>
  private var isClosed = false
  private let clock = Stopwatch()

  /// `atOnce`: the most jobs of one user that run at the same time. `rest` is as in `FairQueue`.
  init(capacity: Int, atOnce: Int = .max, rest: Double = 0) {
    self.capacity = capacity
    jobs = FairQueue(atOnce: atOnce, rest: rest)
  }

  /// Adds a job of `Caller.user`. Returns false if the queue is full or closed, or if jobs of that user fill a quarter
  /// of it.
  func add(_ job: Job) -> Bool {
    let user = Caller.user
    return condition.withLock {
      let isFull = jobs.count >= capacity || user != nil && jobs.count(of: user) >= max(capacity / 4, 1)
      guard !isFull, !isClosed else { return false }
      jobs.add(job, of: user)
      condition.signal()
      return true
    }
  }

  /// Adds the next step of a job of `Caller.user` that was taken before. There is always room for it. Returns false if
  /// the queue is closed.
  func addGoingOn(_ job: Job) -> Bool {
    let user = Caller.user
    return condition.withLock {
      guard !isClosed else { return false }
      jobs.addGoingOn(job, of: user)
      condition.signal()
      return true
    }
  }

  /// The time for `jobs`. Once the queue is closed no rest counts any more.
  private var now: Double { isClosed ? .infinity : clock.seconds }

  /// Takes the next job, and waits until one may run. Nil once the queue is closed and has no jobs left.
  func take() -> RunningJob<Job>? {
    condition.withLock {
      while true {
        if let taken = jobs.take(at: now) {
          if isClosed { condition.broadcast() }
          // Another thread looks what else may run, or waits for the end of the next rest. Several jobs may begin with one
          // `add` or one end of a rest, which has woken this thread only.
          if jobs.count > 0 { condition.signal() }
          return RunningJob(taken.job, of: taken.user)
        }
        if isClosed && jobs.count == 0 { return nil }
        if let end = jobs.nextEndOfRest {
          // The wait goes by a clock that can be set back, so it is never long.
          _ = condition.wait(until: Date(timeIntervalSinceNow: min(end - clock.seconds, Rests.longest)))
        } else {
          condition.wait()
        }
      }
    }
  }

  /// Takes the next job without waiting. Nil if no job may run now, if the next one usually takes longer than `seconds`,
  /// or if it is of a user whom the caller does not want.
  func takeNow(within seconds: Double, from isWanted: (UserID?) -> Bool) -> RunningJob<Job>? {
    condition.withLock {
      let taken = jobs.take(within: seconds, at: now, from: isWanted)
      if isClosed, taken != nil { condition.broadcast() }
      return taken.map { RunningJob($0.job, of: $0.user) }
    }
  }

  /// Ends a job; returns how long it took, in seconds. Wakes no thread, because the thread that calls this takes the
  /// next job itself.
  @discardableResult
  func ended(_ job: RunningJob<Job>) -> Double {
    let seconds = job.stopwatch.seconds
    condition.withLock { jobs.ended(job.user, took: seconds, at: clock.seconds) }
    return seconds
  }

  /// Whether there are users whom a long job of `user` would keep waiting; see `FairQueue`.
  func hasOthers(than user: UserID) -> Bool { condition.withLock { jobs.hasOthers(than: user, at: now) } }

  func close() {
    condition.withLock {
      isClosed = true
      condition.broadcast()
    }
  }
}

/// A job that was taken, with a stopwatch that started then.
struct RunningJob<Job> {
  let job: Job
  let user: UserID?
  let stopwatch = Stopwatch()

  init(_ job: Job, of user: UserID?) { (self.job, self.user) = (job, user) }
}
