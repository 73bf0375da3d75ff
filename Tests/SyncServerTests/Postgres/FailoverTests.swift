// A standby takes over: a server notices, and clients learn what may be lost.

import Foundation
import SampleIDs
import SyncProtocol
import SyncServer
import TestSupport
import Testing
import WireFormat

@testable import SyncPostgres

/// The limit is for what hangs, not for what is slow.
@Suite(.enabled(if: PostgresCluster.shared != nil), .timeLimit(.minutes(60))) struct FailoverTests {
  private let primary: PostgresCluster
  private let standby: PostgresCluster
  private let address: String

  init() throws {
    primary = try #require(try PostgresCluster.start())
    standby = try primary.standby()
    address = primary.address(or: standby)
  }

  private func open(_ address: String) throws -> PostgresStorage {
    let threads = WorkerThreads(2, atOnce: 2, name: "test", waiting: 100)
    return try PostgresStorage(address, creates: true, readers: threads, writers: threads)
  }

  @Test func aStandbyThatTakesOverBeginsAHistory() async throws {
    let storage = try open(address)
    storage.listen { _ in }
    let service = SyncService(storage: storage, history: storage.history)
    _ = try await service.commit(
      CommitRequest(queue: .queue, mutations: [.init(1, .create(1, "a"))]), by: .anna)
    try await service.storeTime()
    #expect(storage.lostSince == nil)

    while try primary.query("SELECT replay_lsn = pg_current_wal_lsn() FROM pg_stat_replication") != ["t"] {}
    try primary.kill()
    try standby.promote()
    // Without a request: the connection that listens is enough.
    for await _ in storage.moves { break }
    #expect(throws: StorageError.self) { try storage.readNow { try $0.newestTime() } }

    let next = try open(address)
    let since = try #require(next.lostSince)
    #expect(next.identity == storage.identity && next.history.current != storage.history.current)
    #expect(next.history.since(after: storage.history.current) == since)
    let newest = try next.readNow { try $0.newestTime() }
    #expect(since.millisecondsSince1970 <= newest.millisecondsSince1970 - 600_000)
    // Others find the history there.
    let third = try open(address)
    #expect(third.lostSince == nil && third.history == next.history)
  }

  /// A crash without a loss.
  @Test func aRestartBeginsNoHistory() throws {
    let storage = try open(primary.address())
    try primary.stop()
    try primary.begin()
    let again = try open(primary.address())
    #expect(again.lostSince == nil && again.history == storage.history)
    // The server need not begin again either.
    #expect(try storage.readNow { try $0.newestTime() } == .zero)
  }

  /// Clients are told to come again, and the server says that its database is away until it is back.
  @Test func aDatabaseThatIsAwayIsSaidSo() async throws {
    let storage = try open(primary.address())
    storage.listen { _ in }
    let service = SyncService(storage: storage, history: storage.history)
    let request = CommitRequest(queue: .queue, mutations: [.init(1, .create(1, "a"))])
    #expect(!storage.isAway)
    try primary.stop()
    while !storage.isAway { await Task.yield() }
    let error = await #expect(throws: StorageError.self) { try await service.commit(request, by: .anna) }
    #expect(error?.code == .away && error?.answer?.code == .unavailable, "\(error.debugDescription)")
    try primary.begin()
    while storage.isAway { await Task.yield() }
    #expect(try await service.commit(request, by: .anna).result.decided?.outcomes.map(\.status) == [.applied])
  }

  /// Somebody holds the lock of a queue: the thread that waits for it is free again soon, and the client comes again.
  @Test func aLockThatIsHeldForLongIsNotWaitedForAgain() async throws {
    let storage = try open(primary.address())
    let service = SyncService(storage: storage, history: storage.history)
    _ = try await service.commit(CommitRequest(queue: .queue, mutations: []), by: .anna)
    let other = try PostgresConnection(primary.address())
    _ = try other.run([
      PostgresStatement(.nothing, "BEGIN")(), PostgresStatement(.everywhere, "SELECT 1 FROM queue FOR UPDATE")(),
    ])
    let before = storage.roundTrips
    let request = CommitRequest(queue: .queue, mutations: [.init(1, .create(1, "a"))])
    let error = await #expect(throws: StorageError.self) { try await service.commit(request, by: .anna) }
    #expect(error?.code == .busy && error?.answer?.code == .unavailable, "\(error.debugDescription)")
    #expect(storage.roundTrips < before + 5, "it is not tried ten times")
    _ = try other.run(PostgresStatement(.nothing, "ROLLBACK")())
    #expect(try await service.commit(request, by: .anna).result.decided?.outcomes.map(\.status) == [.applied])
  }

  @Test func aStandbyIsNotServed() throws {
    let error = #expect(throws: StorageError.self) { try open(standby.address()) }
    #expect(error?.message.contains("it is a standby; name all hosts") == true)
  }
}
