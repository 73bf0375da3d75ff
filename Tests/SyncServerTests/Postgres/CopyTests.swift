// A database is moved from SQLite to PostgreSQL and back: what a server reads is the same, and so are the sums.

import Foundation
import SampleIDs
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@testable import SyncPostgres
@testable import SyncServer

@Suite(.enabled(if: PostgresCluster.shared != nil)) struct CopyTests {
  private let folder: TemporaryFolder
  private let address: String
  private let threads = WorkerThreads(1, atOnce: 1, name: "test", waiting: 10)

  init() throws {
    folder = try TemporaryFolder()
    let schema = "copy_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
    let cluster = try #require(PostgresCluster.shared)
    address = cluster.address(schema: schema)
    try PostgresStorage.makeSchema(schema, at: cluster.address())
  }

  private func sqlite(_ name: String) throws -> SQLiteStorage { try SQLiteStorage(path: folder.url(name).path) }

  /// A queue with members, a tombstone, a rejected operation, files and an unfinished upload; one that has ended.
  private func fill(_ storage: SQLiteStorage) async throws {
    let service = SyncService(storage: storage, history: storage.history)
    for queue in [QueueID.queue, .queue(2)] {
      _ = try await service.commit(CommitRequest(queue: queue, mutations: []), by: .anna)
    }
    try storage.write(to: .queue(2)) { transaction in
      var ended = try #require(try transaction.queue(.queue(2)))
      ended.isEnded = true
      try transaction.write([.queue(ended), .noMembers], to: .queue(2))
    }
    var mutations = (1...600 as ClosedRange<UInt64>).map {
      CommitRequest.Mutation($0 + 100, .create($0 + 100, "🏔 \($0)"))
    }
    mutations += [.init(1, .create(1, "a")), .init(2, .delete(1)), .init(3, .delete(77))]
    mutations.append(.init(4, OperationChanges(members: [.follow(.ben, as: .reader)])))
    _ = try await service.commit(CommitRequest(queue: .queue, mutations: mutations), by: .anna)
    try await service.storeTime()
    let (hash, part) = (ContentHash(of: [1]), ContentHash(of: [2]))
    try storage.write(to: .queue) { transaction in
      try transaction.put(StoredFile(size: 10, since: .zero, by: .anna), as: hash, in: .queue)
      try transaction.put(part: StoredPart(bytes: 7, by: .ben), as: part, in: .queue)
      try transaction.put(QueueMark(head: 3, time: .zero), of: .queue)
      try transaction.put(SeenVersion(schema: "Albums", version: "1.2", user: .anna), on: 20_000)
      try transaction.write([.invitations(Invitations(people: 1, memberships: 2), by: .anna, day: 3)], to: .queue)
    }
  }

  /// What a server reads of it, by its own way.
  private static func look(_ snapshot: any QueueSnapshot) throws -> [String] {
    var lines: [String] = []
    for (id, queue) in try snapshot.queues(after: nil, limit: 100) {
      lines.append("\(id) \(queue)")
      var rows: [RowKey: RowValue] = [:]
      let page = ObjectRange(.changes(after: 0), rows: 10_000, bytes: 1 << 30)
      let keys: [RowKey] = [
        .members, .wasMember(.anna), .usage, .usageBy(.anna), .usageBy(.ben), .queueCount(of: .anna),
        .queueCount(of: .ben), .page(page),
        .invitations(by: .anna, day: 3),
      ]
      _ = try snapshot.load(keys, of: id, into: &rows, bytes: 1 << 30)
      for key in keys {
        // The order of a dictionary's members is another one each time.
        if case .members(let members)? = rows[key] {
          lines += members.map { "\($0.key) \($0.value)" }.sorted()
        } else {
          lines.append("\(key) \(String(describing: rows[key]))")
        }
      }
      lines += try snapshot.marks(of: id).map { "\($0)" }
      lines.append("\(try snapshot.fileBytes(in: id)) bytes")
    }
    lines += try snapshot.outcomes(after: 0, limit: 10_000).map { "\($0.queue) \($0.operation) \($0.time)" }
    lines += try snapshot.files(after: nil, limit: 10).map { "\($0)" }
    lines += try snapshot.parts(after: nil, limit: 10).map { "\($0)" }
    lines.append("\(try snapshot.fileBytes(broughtBy: .ben)) \(try snapshot.newestTime())")
    return lines
  }

  @Test func everythingIsThereAfterTheWayThereAndBack() async throws {
    let first = try sqlite("first.sqlite")
    try await fill(first)
    let expected = try first.read { try Self.look($0) }
    #expect(expected.count > 600)
    let counts = try PostgresStorage.fill(address) { target in try first.copied { try target.fill(from: $0) } }
    #expect(counts["queue"] == 4 && counts["former_member"] == 1 && counts["file"] == 1, "\(counts)")

    let postgres = try PostgresStorage(address, creates: false, readers: threads, writers: threads)
    #expect(try postgres.readNow { try Self.look($0) }.difference(from: expected).isEmpty)
    #expect(postgres.identity == first.identity && postgres.history == first.history && postgres.lostSince == nil)
    #expect(try await postgres.totals() == first.totals())
    // What operators see, beside a server that is running.
    let (path, here) = (folder.url("first.sqlite").path, try PostgresStorage.usage(address, limit: 10))
    let there = try SQLiteStorage.usage(path, limit: 10)
    #expect(Self.words(here.queues) == Self.words(there.queues) && Self.words(here.users) == Self.words(there.users))
    #expect(here.totals == there.totals && here.queues.count == 4)
    let versions = try PostgresStorage.versionCounts(address)
    #expect(try versions == SQLiteStorage.versionCounts(path) && versions.counts.count == 1)
    postgres.close()

    let second = try sqlite("second.sqlite")
    _ = try second.fill { target in try PostgresStorage.copied(from: address) { try target.fill(from: $0) } }
    try second.close()
    let again = try sqlite("second.sqlite")
    #expect(try again.read { try Self.look($0) }.difference(from: expected).isEmpty)
    #expect(again.identity == first.identity && again.history == first.history)
  }

  private static func words(_ lines: [UsageReport.Line]) -> [String] { lines.map { "\($0)" }.sorted() }

  @Test func aDatabaseWithQueuesIsNotFilled() async throws {
    let first = try sqlite("first.sqlite")
    try await fill(first)
    let fill = { try PostgresStorage.fill(address) { target in try first.copied { try target.fill(from: $0) } } }
    _ = try fill()
    let error = #expect(throws: StorageError.self) { _ = try fill() }
    #expect(error?.code == .foreign)
  }

  @Test func aDatabaseThatIsServedIsNotCopied() throws {
    let postgres = try PostgresStorage(address, creates: true, readers: threads, writers: threads)
    let error = #expect(throws: StorageError.self) { try PostgresStorage.copied(from: address) { try $0.identity() } }
    #expect(error?.code == .busy)
    postgres.close()
  }

  /// Half a copy is none.
  @Test func aCopyThatFailsLeavesAnEmptyDatabase() async throws {
    let first = try sqlite("first.sqlite")
    try await fill(first)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try PostgresStorage.fill(address) { target in
        _ = try first.copied { try target.fill(from: $0) }
        throw Stop()
      }
    }
    _ = try PostgresStorage.fill(address) { target in try first.copied { try target.fill(from: $0) } }
  }
}
