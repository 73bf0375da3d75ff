// What waits for a thread: bounded, first come, first served.

import Foundation

/// `@unchecked Sendable`: everything is behind the condition's lock.
final class JobQueue<Job>: @unchecked Sendable {
  private let condition = NSCondition()
  private let capacity: Int
  /// Those before `next` were taken, and go when they are the most of it.
  private var jobs: [Job?] = []
  private var next = 0
  private var isClosed = false

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// False where it is full or closed: then the job is not taken.
  func add(_ job: Job) -> Bool {
    condition.withLock {
      guard jobs.count - next < capacity, !isClosed else { return false }
      jobs.append(job)
      condition.signal()
      return true
    }
  }

  /// Waits until there is something; empty when the queue is closed and everything was taken.
  func take(atMost maximum: Int) -> [Job] {
    condition.withLock {
      while next == jobs.count && !isClosed { condition.wait() }
      let range = next..<min(next + maximum, jobs.count)
      let taken = jobs[range].compactMap { $0 }
      for index in range { jobs[index] = nil }
      next = range.upperBound
      if 2 * next >= jobs.count {
        jobs.removeFirst(next)
        next = 0
      }
      return taken
    }
  }

  func close() {
    condition.withLock {
      isClosed = true
      condition.broadcast()
    }
  }
}
