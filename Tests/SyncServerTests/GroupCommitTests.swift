// Tests of transactions that share a sync of the disk: each is written as a whole or not at all, by itself.

import Determinism
import Foundation
import GRDB
import SyncProtocol
import SyncServer
import TestSupport
import Testing
import WireFormat

@Suite struct GroupCommitTests {
  private struct Broken: Error {}

  @Test func writesEachTransactionWholeOrNotAtAll() async throws {
    let folder = try TemporaryFolder()
    let storage = GroupCommitStorage(try SQLiteStorage(path: folder.url("server.sqlite").path))
    let count = 400
    let failed = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<count {
        group.addTask {
          do {
            try await storage.write(to: .number(UInt64(number))) { transaction in
              try transaction.write([.queue(StoredQueue(of: ""))], to: .number(UInt64(number)))
              // Rolls back the write before it, and nothing else.
              if number % 7 == 0 { throw Broken() }
            }
            return false
          } catch is Broken { return true }
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    let kept = try await storage.read { try $0.queues(after: nil, limit: 1_000) }.map(\.id)
    let expected: [QueueID] = (0..<count).filter { $0 % 7 != 0 }.map { .number(UInt64($0)) }
    #expect(kept == expected)
    #expect(failed == count - kept.count)
    #expect(storage.written.transactions == count)
    #expect(storage.written.syncs < count, "some of 400 at once have shared a sync")
  }

  @Test func clientsAtOnceGetRevisionsWithoutAGap() async throws {
    let folder = try TemporaryFolder()
    let service = SyncService(
      storage: GroupCommitStorage(try SQLiteStorage(path: folder.url("server.sqlite").path)))
    _ = try await service.commit(CommitRequest(queue: .queue, mutations: []), by: .anna)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for client in 0..<16 as Range<UInt64> {
        group.addTask {
          for number in 0..<20 as Range<UInt64> {
            let id = client * 100 + number
            let request = CommitRequest(queue: .queue, mutations: [.init(id, .create(id, "a"))])
            _ = try await service.commit(request, by: .anna)
          }
        }
      }
      try await group.waitForAll()
    }
    let answers = try await service.delta(DeltaRequest(queues: [.init(queue: .queue, cursor: 0)]), by: .anna)
    let page = try #require(answers.first?.result.page)
    #expect(page.objects.map(\.revision) == Array(1...321))
  }

  /// Errors of SQLite get our message, without SQL: inside one of the transactions, and in a read.
  @Test func errorsAreInOurWordsAndWithoutSQL() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url("server.sqlite").path
    let storage = GroupCommitStorage(try SQLiteStorage(path: path))
    try await DatabaseQueue(path: path).write { try $0.execute(sql: "DROP TABLE outcome") }
    func isOurs(_ error: any Error) -> Bool {
      (error as? StorageError)?.message == "The database \(path): no such table: outcome (SQLite 1)."
    }
    await #expect {
      try await storage.write(to: .queue) { _ = try $0.outcomes(of: [.number(1)], in: .queue) }
    } throws: { isOurs($0) }
    await #expect {
      try await storage.read { _ = try $0.outcomes(of: [.number(1)], in: .queue) }
    } throws: { isOurs($0) }
    #expect(!storage.isDamaged)
  }
}
