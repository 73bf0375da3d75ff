// Two servers with one database of PostgreSQL, on threads as they run.

import Determinism
import Foundation
import SampleIDs
import SyncProtocol
import SyncServer
import TestSupport
import Testing
import WireFormat

@testable import SyncPostgres

/// A server of a database that others may have too.
private struct Node {
  let storage: PostgresStorage
  let service: SyncService

  init(_ address: String) throws {
    let threads = WorkerThreads(4, atOnce: 4, name: "test", waiting: 10_000)
    storage = try PostgresStorage(address, creates: true, readers: threads, writers: threads)
    service = SyncService(storage: storage, history: storage.history)
    storage.listen { [service] in await service.hear($0) }
  }
}

/// The limit is for what hangs, not for what is slow.
@Suite(.enabled(if: PostgresCluster.shared != nil), .timeLimit(.minutes(60))) struct TwoServersTests {
  private let cluster: PostgresCluster?
  private let address: String

  init() throws {
    cluster = PostgresCluster.shared
    let schema = "two_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
    address = cluster?.address(schema: schema) ?? ""
    if let cluster { try PostgresStorage.makeSchema(schema, at: cluster.address()) }
  }

  /// Each writer makes objects through one of two servers; each revision is given once, and none is left out.
  @Test func writersOnBothServersGetRevisionsWithoutAGap() async throws {
    let nodes = [try Node(address), try Node(address)]
    _ = try await nodes[0].service.commit(CommitRequest(queue: .queue, mutations: []), by: .anna)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<64 as Range<UInt64> {
        group.addTask {
          for number in 0..<5 as Range<UInt64> {
            let id = 100 + writer * 10 + number
            let request = CommitRequest(queue: .queue, mutations: [.init(id, .create(id, "a"))])
            let node = nodes[Int((writer + number) % 2)]
            let result = try await node.service.commit(request, by: .anna).result
            #expect(result.decided?.outcomes.map(\.status) == [.applied])
          }
        }
      }
      try await group.waitForAll()
    }
    let place = DeltaRequest.Queue(queue: .queue, cursor: 0)
    for node in nodes {
      let page = try #require(
        try await node.service.delta(DeltaRequest(queues: [place]), by: .anna).first?.result.page)
      #expect(page.objects.map(\.revision) == Array(1...Int64(page.objects.count)))
      #expect(page.objects.count == 64 * 5 + 1, "with the member")
      #expect(page.end?.digest.live == Int64(page.objects.count))
    }
    let written = nodes.reduce(0) { $0 + $1.storage.written.syncs }
    #expect(written < 64 * 5, "decisions about one queue share transactions")
  }

  @Test func aCommitOnOneServerWakesAPollOnTheOther() async throws {
    let (one, other) = (try Node(address), try Node(address))
    _ = try await one.service.commit(CommitRequest(queue: .queue, mutations: []), by: .anna)
    let (sums, _) = try await other.service.known(by: .anna)
    async let answer = other.service.changed(ChangedRequest(sums: sums, waitSeconds: 55), by: .anna)
    while await other.service.parkedPolls == 0 { await Task.yield() }
    _ = try await one.service.commit(
      CommitRequest(queue: .queue, mutations: [.init(1, .create(1, "a"))]), by: .anna)
    #expect(try await answer.places.contains { $0.queue == .queue })
  }

  @Test func signalOnOneServerIsToldByTheOther() async throws {
    let (one, other) = (try Node(address), try Node(address))
    let follow = OperationChanges(members: [.follow(.ben)])
    _ = try await one.service.commit(CommitRequest(queue: .queue, mutations: [.init(1, follow)]), by: .anna)
    func told(by node: Node, _ state: UUIDValue?) async throws -> QueueSignals? {
      let (sums, _) = try await node.service.known(by: .ben)
      let watched = [WatchedQueue(.queue, state: state)]
      return try await node.service.changed(
        ChangedRequest(sums: sums, waitSeconds: 55, watched: watched), by: .ben
      ).signals.first
    }
    let session = UUIDValue(high: 0, low: 1)
    async let first = told(by: other, nil)
    while await other.service.parkedPolls == 0 { await Task.yield() }
    let change = SignalRequest.Change(queue: .queue, type: "typing", content: [8, 1], seconds: 60)
    #expect(
      try await one.service.signal(SignalRequest(session: session, signals: [change]), by: Asker(.anna)).taken == 1)
    let heard = try #require(try await first)
    #expect(heard.signals == [.init(user: .anna, type: "typing", content: [8, 1])])
    #expect(try await told(by: one, nil) == heard, "both servers give it the same state")
    async let second = told(by: other, heard.state)
    let end = SignalRequest.Change(queue: .queue, type: "typing", content: nil, seconds: 1)
    _ = try await one.service.signal(SignalRequest(session: session, signals: [end]), by: Asker(.anna))
    #expect(try await second == QueueSignals.none(in: .queue))
  }

  /// A new history is for a database that no server uses. The tests of one process all do, so it asks by another name.
  @Test func aNewHistoryTellsSinceWhenSomethingMayBeLost() async throws {
    let node = try Node(address)
    _ = try await node.service.commit(CommitRequest(queue: .queue, mutations: []), by: .anna)
    let history = HistoryID.number(7)
    #expect(throws: StorageError.self) { try PostgresStorage.changeHistory(of: address, to: history) }
    let alone = address.replacing(/&application_name=.*/, with: "&application_name=alone")
    let since = Timestamp(millisecondsSince1970: 1_000)
    #expect(try PostgresStorage.changeHistory(of: alone, since: since, to: history) == since)
    let next = try Node(address)
    #expect(next.storage.history.current == history && next.storage.identity == node.storage.identity)
    #expect(next.storage.history.since(after: node.storage.history.current) == since)
  }

  /// Both find no queue, and both try to make it: one of them finds that of the other then.
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func aQueueIsBornOnce(number: UInt64) async throws {
    let nodes = [try Node(address), try Node(address)]
    let queue = QueueID.queue(number)
    let heads = try await withThrowingTaskGroup(of: Int64?.self) { group in
      for node in nodes {
        group.addTask {
          try await node.service.commit(.birth(of: queue), by: Asker(.anna, schema: "")).result.decided?.outcomes.first?
            .at
        }
      }
      return try await group.reduce(into: [Int64?]()) { $0.append($1) }
    }
    #expect(heads.compactMap { $0 }.count >= 1)
    let members = try await nodes[0].storage.read { try $0.members(of: queue) }
    #expect(members.count == 1)
  }

  /// Whatever was acknowledged is there, and what fails may be sent again.
  @Test func connectionsThatAreCutLoseNothing() async throws {
    let node = try Node(address)
    _ = try await node.service.commit(CommitRequest(queue: .queue, mutations: []), by: .anna)
    let cutter = try PostgresConnection(address)
    var cuts: Int64 = 0
    for number in 1...60 as ClosedRange<UInt64> {
      // While the commit is under way, at a moment that differs.
      async let cut = Self.cut(by: cutter, after: number % 20)
      let request = CommitRequest(queue: .queue, mutations: [.init(number, .create(number, "a"))])
      var isDecided = false
      while !isDecided {
        do {
          let result = try await node.service.commit(request, by: .anna).result
          #expect(result.decided?.outcomes.map(\.status) == [.applied])
          isDecided = true
        } catch let error as StorageError { #expect(error.code == .away) }
      }
      cuts += try await cut
    }
    #expect(cuts > 30)
    let place = DeltaRequest.Queue(queue: .queue, cursor: 0)
    let page = try #require(
      try await node.service.delta(DeltaRequest(queues: [place]), by: .anna).first?.result.page)
    #expect(page.objects.count == 61)
  }

  /// Ends all other connections of the test. Returns how many.
  private static func cut(by cutter: PostgresConnection, after yields: UInt64) async throws -> Int64 {
    for _ in 0..<yields { await Task.yield() }
    let rows = try cutter.run(
      PostgresStatement(
        .nothing,
        """
        SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND application_name = current_setting('application_name')
        """)())
    return try rows[0].int(0)
  }
}
