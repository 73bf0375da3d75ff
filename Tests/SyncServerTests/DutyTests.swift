// Tests of duties: a home queue that could not be written is written later, without a request.

import Determinism
import Foundation
import SampleIDs
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@testable import SyncServer

@Suite(.onEachStorage) struct DutyTests {
  @Test func retriesFailedWritesToHomeQueues() throws {
    let home = SyncID.homeQueue(ofUser: .anna)
    let storage = FailingStorage(try TestStorage(), queue: home, times: 5)
    let executor = SeededExecutor(seed: 1)
    let environment = RuntimeEnvironment.seeded(1, spawning: { executor.spawn($0) }, sleeping: { _ in })
    let service = RuntimeEnvironment.$current.withValue(environment) { SyncService(storage: storage) }
    try executor.run {
      for number in 1...2 {
        let queue = QueueID.queue(UInt64(number))
        let create = CommitRequest.Mutation(UInt64(number), .create(1, "a", in: queue))
        let answer = try await service.commit(CommitRequest(queue: queue, mutations: [create]), by: .anna)
        guard case .decided = answer.result else { throw RequestError(.unavailable, "refused") }
      }
    }
    executor.runUntilIdle()
    let answers = try executor.run { try await service.delta(DeltaRequest(queues: [.init(queue: home)]), by: .anna) }
    let page = try #require(answers.first?.result.page)
    #expect(page.objects.count == 2)
    #expect(storage.failures == 5)
  }

  /// A server starts although duties were left undone, and performs them while it serves.
  @Test func serverStartsDespiteOpenDuties() throws {
    let home = SyncID.homeQueue(ofUser: .anna)
    let file = try TestStorage()
    let duty = HomeDuty(user: .anna, queue: .queue, head: 1, schema: "")
    try file.write(to: .queue) { try $0.write([.queue(StoredQueue(of: "")), .duty(duty)], to: .queue) }
    let storage = FailingStorage(file, queue: home, times: 3)
    let executor = SeededExecutor(seed: 1)
    let environment = RuntimeEnvironment.seeded(1, spawning: { executor.spawn($0) }, sleeping: { _ in })
    let service = RuntimeEnvironment.$current.withValue(environment) { SyncService(storage: storage) }
    try executor.run { try await service.begin() }
    executor.runUntilIdle()
    #expect(storage.failures == 3)
    #expect(try file.read { try $0.duties(after: nil, limit: 1) } == [])
    #expect(try file.read { try $0.queue(home) } != nil)
  }

  /// A failure during a round leads to another round, because the present one may have looked too early.
  @Test func aRetryEndsWhenNothingFailedMeanwhile() async {
    let retry = DutyRetry()
    #expect(await retry.begin())
    await retry.beginRound()
    #expect(await !retry.end(afterAll: false))
    await retry.beginRound()
    #expect(await !retry.begin(), "there is one already")
    #expect(await !retry.end(afterAll: true))
    await retry.beginRound()
    #expect(await retry.end(afterAll: true))
    #expect(await retry.begin())
  }

  /// A duty is performed once, because only the call that removes it writes.
  @Test func aDutyIsDoneOnce() async throws {
    let server = try TestServer()
    let duty = HomeDuty(user: .anna, queue: .queue, head: 1, schema: "")
    try await server.service.perform([duty])
    let home = try server.storage.read { try $0.queue(SyncID.homeQueue(ofUser: .anna)) }
    #expect(home == nil, "nothing is written for a duty that is gone")
  }

  /// A commit performs only its own duties. One task alone performs those that others left undone.
  @Test func commitPerformsOnlyItsOwnDuties() async throws {
    let home = SyncID.homeQueue(ofUser: .ben)
    let storage = FailingStorage(try TestStorage(), queue: home, times: .max)
    let (gate, opening) = AsyncStream<Void>.makeStream()
    let environment = RuntimeEnvironment.seeded(1, sleeping: { _ in for await _ in gate {} })
    // Ends the task that tries again: at the end of the test it neither waits nor fails.
    defer {
      storage.heal()
      opening.finish()
    }
    let service = RuntimeEnvironment.$current.withValue(environment) { SyncService(storage: storage) }
    let follow = CommitRequest.Mutation(1, OperationChanges(members: [.follow(.ben)]))
    _ = try await service.commit(CommitRequest(queue: .queue, mutations: [follow]), by: .anna)
    #expect(storage.failures == 1)
    for number in 2...4 as ClosedRange<UInt64> {
      let queue = QueueID.queue(number)
      _ = try await service.commit(CommitRequest(queue: queue, mutations: []), by: .anna)
    }
    #expect(storage.failures == 1)
    let answers = try await service.delta(
      DeltaRequest(queues: [.init(queue: SyncID.homeQueue(ofUser: .anna))]), by: .anna)
    let page = try #require(answers.first?.result.page)
    #expect(page.objects.count == 4)
  }
}

/// A storage whose first writes to one of its queues fail. `@unchecked Sendable`: used by one call at a time.
private final class FailingStorage: QueueStorage, @unchecked Sendable {
  private let storage: TestStorage
  private let queue: QueueID
  private var times: Int
  private(set) var failures = 0

  init(_ storage: TestStorage, queue: QueueID, times: Int) {
    (self.storage, self.queue, self.times) = (storage, queue, times)
  }

  /// Lets writes succeed from now on.
  func heal() { times = 0 }

  func read<Result: Sendable>(_ body: @Sendable (any QueueSnapshot) throws -> Result) async throws -> Result {
    try storage.read(body)
  }

  func write<Result: Sendable>(
    to queue: QueueID, _ body: @Sendable (any QueueTransaction) throws -> Result
  ) async throws -> Result {
    if queue == self.queue, failures < times {
      failures += 1
      throw StorageError(.diskFull, "There is no room.")
    }
    return try storage.write(to: queue, body)
  }
}
