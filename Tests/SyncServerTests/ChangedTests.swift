// Tests of the long poll: no wake-up is lost, and nobody waits for ever.

import Determinism
import Foundation
import SyncProtocol
import SyncServer
import Synchronization
import TestSupport
import Testing
import WireFormat

@Suite struct ChangedTests {
  private func request(cursor: Int64? = nil, wait: Int = 0, queue: QueueID = .queue) -> ChangedRequest {
    ChangedRequest(queues: [.init(queue: queue, cursor: cursor)], waitSeconds: wait)
  }

  @Test func namesQueuesWithNewsAtOnce() async throws {
    let server = try TestServer()
    #expect(try await server.service.changed(request(), by: .anna).queues == [], "one that never was is not named")
    try await server.statuses([.init(1, .create(1, "a"))])
    #expect(try await server.service.changed(request(wait: 50), by: .anna).queues == [.queue])
    #expect(try await server.service.changed(request(cursor: 0, wait: 50), by: .anna).queues == [.queue])
    #expect(try await server.service.changed(request(cursor: 2), by: .anna).queues == [])
    #expect(try await server.service.changed(request(cursor: 2, wait: 50), by: .ben).queues == [.queue], "no member")
    let home = SyncID.homeQueue(ofUser: .ben)
    #expect(try await server.service.changed(request(wait: 50, queue: home), by: .ben).queues == [home])
    let annas = SyncID.homeQueue(ofUser: .anna)
    #expect(try await server.service.changed(request(queue: annas), by: .ben).queues == [], "as if there were none")
  }

  /// A poll and a commit, in the orders of 200 seeds: the poll always tells of the commit.
  @Test func race12_noWakeUpIsLost() async throws {
    for seed in 1...UInt64(200) {
      let executor = SeededExecutor(seed: seed)
      let environment = RuntimeEnvironment.seeded(
        seed, spawning: { executor.spawn($0) },
        sleeping: { _ in
          // Time passes only when nothing else can happen.
          for _ in 0..<1_000 { await Task.yield() }
        })
      let folder = try TemporaryFolder()
      let storage = try SQLiteStorage(path: folder.url("server.sqlite").path)
      let service = RuntimeEnvironment.$current.withValue(environment) { SyncService(storage: storage) }
      let answer = try executor.run {
        let create = CommitRequest(queue: .queue, mutations: [.init(1, .create(1, "a"))])
        _ = try await service.commit(create, by: .anna)
        async let answer = service.changed(
          ChangedRequest(queues: [.init(queue: .queue, cursor: 2)], waitSeconds: 55), by: .anna)
        async let commit = service.commit(
          CommitRequest(queue: .queue, mutations: [.init(2, .create(2, "b"))]), by: .anna)
        _ = try await commit
        return try await answer
      }
      #expect(answer.queues == [.queue], "seed \(seed)")
    }
  }

  /// A commit fails after it was written. It is on disk, though its sender hears of a failure. Polls must be woken.
  @Test func wakesPollsOfACommitThatFailsAfterItWasWritten() async throws {
    let executor = SeededExecutor(seed: 1)
    let environment = RuntimeEnvironment.seeded(
      1, spawning: { executor.spawn($0) }, sleeping: { _ in for _ in 0..<1_000 { await Task.yield() } })
    let folder = try TemporaryFolder()
    let storage = UnsureStorage(try SQLiteStorage(path: folder.url("server.sqlite").path))
    let service = RuntimeEnvironment.$current.withValue(environment) { SyncService(storage: storage) }
    let answer = try executor.run {
      _ = try await service.commit(CommitRequest(queue: .queue, mutations: [.init(1, .create(1, "a"))]), by: .anna)
      async let answer = service.changed(
        ChangedRequest(queues: [.init(queue: .queue, cursor: 2)], waitSeconds: 55), by: .anna)
      while await service.parkedPolls == 0 { await Task.yield() }
      storage.failsAfterWriting = true
      await #expect(throws: StorageError.self) {
        try await service.commit(CommitRequest(queue: .queue, mutations: [.init(2, .create(2, "b"))]), by: .anna)
      }
      return try await answer
    }
    #expect(answer.queues == [.queue])
  }

  @Test func pollEndsAfterItsWaitTime() async throws {
    // The server's sleep returns at once, and is counted.
    let slept = Mutex<Int64>(0)
    let server = try TestServer(sleeping: { milliseconds in slept.withLock { $0 += milliseconds } })
    try await server.statuses([.init(1, .create(1, "a"))])
    #expect(try await server.service.changed(request(cursor: 2, wait: 55), by: .anna).queues == [])
    let waited = slept.withLock { $0 }
    #expect(waited >= 49_500 && waited <= 55_000, "55 seconds, up to a tenth less at random")
  }

  /// A commit to a queue of which a hundred polls wait wakes some at once, and the others after pauses.
  @Test func manyPollsOfAQueueAreWokenInSteps() throws {
    let executor = SeededExecutor(seed: 1)
    let service = Mutex<SyncService?>(nil)
    let parked = Mutex<[Int]>([])
    let environment = RuntimeEnvironment.seeded(
      1, spawning: { executor.spawn($0) },
      sleeping: { milliseconds in
        for _ in 0..<10_000 { await Task.yield() }
        guard milliseconds == 32, let count = await service.withLock({ $0 })?.parkedPolls else { return }
        parked.withLock { $0.append(count) }
      })
    let folder = try TemporaryFolder()
    let storage = try SQLiteStorage(path: folder.url("server.sqlite").path)
    var limits = PollLimits()
    limits.perUser = 100
    let made = RuntimeEnvironment.$current.withValue(environment) { SyncService(storage: storage, polls: limits) }
    service.withLock { $0 = made }
    try executor.run {
      _ = try await made.commit(CommitRequest(queue: .queue, mutations: [.init(1, .create(1, "a"))]), by: .anna)
      try await withThrowingTaskGroup(of: [QueueID].self) { polls in
        for _ in 0..<100 {
          polls.addTask {
            try await made.changed(
              ChangedRequest(queues: [.init(queue: .queue, cursor: 2)], waitSeconds: 55), by: .anna
            ).queues
          }
        }
        while await made.parkedPolls < 100 { await Task.yield() }
        _ = try await made.commit(CommitRequest(queue: .queue, mutations: [.init(2, .create(2, "b"))]), by: .anna)
        for try await queues in polls { #expect(queues == [.queue]) }
      }
    }
    #expect(parked.withLock { $0.prefix(3) } == [68, 36, 4])
  }

  @Test func pollLimitSparesRequestsThatDoNotWait() async throws {
    let folder = try TemporaryFolder()
    var limits = PollLimits()
    limits.total = 0
    let storage = try SQLiteStorage(path: folder.url("server.sqlite").path)
    let service = SyncService(storage: storage, polls: limits)
    #expect(try await service.changed(request(), by: .anna).queues == [])
    let error = await #expect(throws: RequestError.self) { try await service.changed(request(wait: 1), by: .anna) }
    #expect(error?.code == .tooManyRequests)
  }

  @Test func shutdownAnswersAllPolls() async throws {
    // Sleeping takes an hour, so only `close` can answer the polls.
    let server = try TestServer(sleeping: { _ in try await Task.sleep(for: .seconds(3_600)) })
    try await server.statuses([.init(1, .create(1, "a"))])
    async let first = server.service.changed(request(cursor: 2, wait: 55), by: .anna)
    async let second = server.service.changed(request(cursor: 2, wait: 55), by: .anna)
    while await server.service.parkedPolls < 2 { await Task.yield() }
    await server.service.close()
    #expect(try await first.queues == [])
    #expect(try await second.queues == [])
    #expect(try await server.service.changed(request(cursor: 2, wait: 55), by: .anna).queues == [])
  }
}

/// A storage that fails after it has written. `@unchecked Sendable`: used by one call at a time.
final class UnsureStorage: QueueStorage, @unchecked Sendable {
  private let storage: SQLiteStorage
  var failsAfterWriting = false

  init(_ storage: SQLiteStorage) { self.storage = storage }

  func read<Result: Sendable>(_ body: @Sendable (any QueueSnapshot) throws -> Result) async throws -> Result {
    try storage.read(body)
  }

  func write<Result: Sendable>(
    to queue: QueueID, _ body: @Sendable (any QueueTransaction) throws -> Result
  ) async throws -> Result {
    let result = try storage.write(to: queue, body)
    if failsAfterWriting { throw StorageError(.inputOutput, "The disk failed after it had written.") }
    return result
  }
}
