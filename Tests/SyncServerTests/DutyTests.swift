// A home queue that could not be written is written later, by itself.

import Determinism
import Foundation
import SyncProtocol
import SyncServer
import TestSupport
import Testing
import WireFormat

@Suite struct DutyTests {
  @Test func whatFailedIsTriedAgain() throws {
    let folder = try TemporaryFolder()
    let home = SyncID.homeQueue(ofUser: .anna)
    let storage = FailingStorage(try SQLiteStorage(path: folder.url("server.sqlite").path), queue: home, times: 5)
    let executor = SeededExecutor(seed: 1)
    let environment = RuntimeEnvironment.seeded(1, spawning: { executor.spawn($0) }, sleeping: { _ in })
    let service = RuntimeEnvironment.$current.withValue(environment) { SyncService(storage: storage) }
    try executor.run {
      for number in 1...2 {
        let create = CommitRequest.Mutation(UInt64(number), .create(1, "a"))
        let queue = UUIDValue(high: 0x0A11, low: UInt64(number))
        let answer = try await service.commit(CommitRequest(queue: queue, mutations: [create]), by: .anna)
        guard case .decided = answer.result else { throw RequestError(.unavailable, "refused") }
      }
    }
    executor.runUntilIdle()
    let answers = try executor.run { try await service.delta(DeltaRequest(queues: [.init(queue: home)]), by: .anna) }
    guard case .page(let page)? = answers.first?.result else {
      Issue.record("there is no home queue")
      return
    }
    #expect(page.objects.count == 2)
    #expect(storage.failures == 5)
  }
}

/// A storage that cannot write one of its queues for some time.
private final class FailingStorage: QueueStorage, @unchecked Sendable {
  private let storage: SQLiteStorage
  private let queue: UUIDValue
  private let times: Int
  /// Reached by the one thread that runs the jobs.
  private(set) var failures = 0

  init(_ storage: SQLiteStorage, queue: UUIDValue, times: Int) {
    (self.storage, self.queue, self.times) = (storage, queue, times)
  }

  func read<Result: Sendable>(_ body: @Sendable (any QueueSnapshot) throws -> Result) async throws -> Result {
    try storage.read(body)
  }

  func write<Result: Sendable>(
    to queue: UUIDValue, _ body: @Sendable (any QueueTransaction) throws -> Result
  ) async throws -> Result {
    if queue == self.queue, failures < times {
      failures += 1
      throw StorageError(.diskFull, "There is no room.")
    }
    return try storage.write(to: queue, body)
  }
}
