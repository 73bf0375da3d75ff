// What waits for a thread: bounded, first come, first served.

import Foundation

/// `@unchecked Sendable`: everything is behind the condition's lock.
final class JobQueue<Job>: @unchecked Sendable {
  private let condition = NSCondition()
  private let capacity: Int
  private var jobs: [Job] = []
  private var isClosed = false

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// False where it is full or closed: then the job is not taken.
  func add(_ job: Job) -> Bool {
    condition.withLock {
      guard jobs.count < capacity, !isClosed else { return false }
      jobs.append(job)
      condition.signal()
      return true
    }
  }

  /// Waits until there is something; empty when the queue is closed and everything was taken.
  func take(atMost maximum: Int) -> [Job] {
    condition.withLock {
      while jobs.isEmpty && !isClosed { condition.wait() }
      let taken = Array(jobs.prefix(maximum))
      jobs.removeFirst(taken.count)
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
