// Tests of threads that users share.

import Foundation
import SampleIDs
import Testing
import WireFormat

@testable import SyncServer

@Suite struct WorkerThreadsTests {
  /// The calls of one user hang until the call of another user has run.
  @Test(.timeLimit(.minutes(60))) func longCallsOfOneUserLeaveAThreadToOthers() async throws {
    let threads = WorkerThreads(2, atOnce: 1, name: "test", waiting: 100)
    let gate = DispatchSemaphore(value: 0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...5 {
        group.addTask {
          try await Caller.$user.withValue(.anna) {
            try await threads.run {
              gate.wait()
              gate.signal()
            }
          }
        }
      }
      group.addTask { try await Caller.$user.withValue(.ben) { try await threads.run { _ = gate.signal() } } }
      try await group.waitForAll()
    }
  }

  @Test func boundsWaitingJobsOfAUserToAQuarter() {
    let queue = JobQueue<Int>(capacity: 8)
    func adds(_ user: UserID?) -> [Bool] { (1...4).map { job in Caller.$user.withValue(user) { queue.add(job) } } }
    #expect(adds(.anna) == [true, true, false, false])
    #expect(adds(.ben) == [true, true, false, false])
    #expect(queue.hasOthers(than: .anna) && queue.hasOthers(than: .number(3)))
    #expect(adds(nil) == [true, true, true, true], "the server itself")
    #expect(adds(.number(3)) == [false, false, false, false])
    queue.close()
    var taken: [Int] = []
    while let running = queue.take() {
      taken.append(running.job)
      queue.ended(running)
    }
    #expect(taken.sorted() == [1, 1, 1, 2, 2, 2, 3, 4])
  }
}
