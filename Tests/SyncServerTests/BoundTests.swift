// Tests of bounds on what one client may cost the others.

import Foundation
import GRDB
import SampleIDs
import SyncProtocol
import SyncServer
import TestSupport
import Testing
import WireFormat

@Suite(.onEachStorage) struct BoundTests {
  let server: TestServer
  private let tooLarge = OperationOutcome.Status.rejected(RejectionCode.tooLarge)

  init() throws { server = try TestServer() }

  private func users(_ count: Int, from first: Int = 0) -> [UserID] {
    (first..<first + count).map { UserID(high: 0xABC, low: UInt64($0) + 1) }
  }

  @Test func boundsMembersOfAMutationAndOfAQueue() async throws {
    let limit = ProtocolLimits.memberChanges
    #expect(
      try await server.statuses([.init(1, OperationChanges(members: users(limit + 1).map { .follow($0) }))]) == [
        tooLarge
      ])
    var count = 1
    for number in 0..<UInt64(ProtocolLimits.members / limit) {
      let some = OperationChanges(
        members: users(min(limit, ProtocolLimits.members - count), from: count).map { .follow($0) })
      #expect(try await server.statuses([.init(10 + number, some)]) == [.applied])
      count += some.members.count
    }
    #expect(count == ProtocolLimits.members)
    let more = OperationChanges(members: users(1, from: count).map { .follow($0) })
    #expect(try await server.statuses([.init(2, more)]) == [tooLarge])
    // A member may leave, and makes room.
    #expect(
      try await server.statuses([.init(3, OperationChanges(members: users(1, from: 1).map { .unfollow($0) }))]) == [
        .applied
      ])
    #expect(try await server.statuses([.init(4, more)]) == [.applied])
  }

  /// All mutations of a commit change no more members than one mutation may. The others are skipped, and come again.
  @Test func boundsMemberChangesOfACommit() async throws {
    let limit = ProtocolLimits.memberChanges
    let mutations: [CommitRequest.Mutation] = [
      .init(1, OperationChanges(members: users(limit - 10).map { .follow($0) })),
      .init(2, OperationChanges(members: users(11, from: limit).map { .follow($0) })),
      // A later change of the same members must not overtake the skipped one.
      .init(3, OperationChanges(members: users(1, from: limit).map { .unfollow($0) })), .init(4, .create(1, "a")),
    ]
    #expect(try await server.statuses(mutations) == [.applied, nil, nil, .applied])
    #expect(try await server.statuses(mutations) == [.applied, .applied, .applied, .applied])
    #expect(try server.storage.read { try $0.members(of: .queue).count } == limit + 1)
  }

  @Test func boundsContentsThatACommitReads() async throws {
    let text = String(repeating: "x", count: 1_000_000)
    for number in 1...35 as ClosedRange<UInt64> {
      #expect(try await server.statuses([.init(number, .create(number, text))]) == [.applied])
    }
    func deleting(_ objects: ClosedRange<UInt64>) -> OperationChanges {
      OperationChanges(objects: objects.map { .delete($0) })
    }
    // It does not fit even alone.
    #expect(try await server.statuses([.init(101, deleting(1...35))]) == [tooLarge])
    // Behind another mutation it is skipped, and so is the mutation that depends on it. Alone it fits.
    let mutations: [CommitRequest.Mutation] = [
      .init(102, deleting(1...20)), .init(103, deleting(21...35)), .init(104, .set(21, "a")),
    ]
    #expect(try await server.statuses(mutations) == [.applied, nil, nil])
    #expect(try await server.statuses(Array(mutations[1...])) == [.applied, .noEffect])
  }

  /// A few bytes of a patch write as much as they read.
  @Test func boundsContentsThatACommitWrites() async throws {
    let text = String(repeating: "x", count: 1_000_000)
    for number in 1...17 as ClosedRange<UInt64> { try await server.statuses([.init(number, .create(number, text))]) }
    func patching(_ objects: ClosedRange<UInt64>) -> OperationChanges {
      OperationChanges(
        objects: objects.map { number in
          var patch = PatchBuilder()
          patch.set(3, Int64(number))
          return ObjectChange(.object(number), .patch(try! patch.patch()))
        })
    }
    #expect(try await server.statuses([.init(101, patching(1...17))]) == [tooLarge])
    let mutations: [CommitRequest.Mutation] = [.init(102, patching(1...10)), .init(103, patching(11...17))]
    #expect(try await server.statuses(mutations) == [.applied, nil])
    #expect(try await server.statuses([mutations[1]]) == [.applied])
  }

  /// References to files cost a row each, also those that a change replaces or removes.
  @Test func boundsReferencesToFiles() async throws {
    let limit = UInt64(ProtocolLimits.fileReferences)
    func naming(_ files: Range<UInt64>, as tag: Int) -> OperationChanges {
      let hashes = files.map { ContentHash(words: ($0, 0, 0, 0)) }
      return OperationChanges(
        objects: [ObjectChange(.object(1), .patch(.none), files: [FileField(tag: tag, hashes: hashes)])])
    }
    try await server.statuses([.init(1, .create(1, "a"))])
    // All of the object's are counted each time, so that a delete never has too many.
    let third = limit / 3
    #expect(try await server.statuses([.init(2, naming(0..<third, as: 1))]) == [.applied])
    #expect(
      try await server.statuses([.init(3, naming(0..<third, as: 2)), .init(4, naming(0..<1, as: 3))])
        == [.applied, nil])
    #expect(try await server.statuses([.init(4, naming(0..<third, as: 3))]) == [.applied])
    #expect(try await server.statuses([.init(5, naming(0..<1, as: 4))]) == [tooLarge])
    #expect(try await server.statuses([.init(6, .create(2, "b")), .init(7, .delete(1))]) == [.applied, .applied])
    #expect(try server.number("SELECT count(*) FROM fileReference") == 0)
  }

  @Test func boundsObjectsThatACommitChanges() async throws {
    let limit = ProtocolLimits.objectChanges
    func deleting(_ objects: Range<Int>) -> OperationChanges {
      OperationChanges(objects: objects.map { .delete(UInt64($0)) })
    }
    #expect(try await server.statuses([.init(1, deleting(0..<limit + 1))]) == [tooLarge])
    let mutations: [CommitRequest.Mutation] = [
      .init(2, deleting(0..<limit - 1)), .init(3, deleting(limit..<limit + 2)), .init(4, .create(UInt64(limit), "a")),
    ]
    #expect(try await server.statuses(mutations) == [.noEffect, nil, nil], "the rest comes again")
    #expect(try await server.statuses(Array(mutations[1...])) == [.noEffect, .applied])
  }

  @Test func leavesAForeignDatabaseUntouched() throws {
    let folder = try TemporaryFolder()
    let other = try DatabaseQueue(path: folder.url("other.sqlite").path)
    try other.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
    try other.close()
    let before = try folder.state(of: ".")
    #expect(throws: StorageError.self) { try SQLiteStorage(path: folder.url("other.sqlite").path) }
    #expect(try folder.state(of: ".") == before)
  }

  @Test func copyOfADatabaseKeepsTheServersIdentity() throws {
    let folder = try TemporaryFolder()
    let first = try SQLiteStorage(path: folder.url("server.sqlite").path)
    try SQLiteStorage.copy(folder.url("server.sqlite").path, to: folder.url("copy.sqlite").path)
    #expect(try SQLiteStorage(path: folder.url("server.sqlite").path).identity == first.identity)
    #expect(try SQLiteStorage(path: folder.url("copy.sqlite").path).identity == first.identity)
    #expect(try SQLiteStorage(path: folder.url("other.sqlite").path).identity != first.identity)
  }

  @Test func refusesADatabaseOfAnOlderVersion() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url("server.sqlite").path
    try SQLiteStorage(path: path).close()
    let old = try DatabaseQueue(path: path)
    try await old.write { try $0.execute(sql: "DROP TABLE history; PRAGMA user_version = 3") }
    try old.close()
    #expect { try SQLiteStorage(path: path) } throws: { error in
      (error as? StorageError)?.code == .olderVersion && "\(error)".contains("version 3")
    }
    let left = try await DatabaseQueue(path: path).read { database in
      [
        try Int64.fetchOne(database, sql: "PRAGMA user_version"),
        try Int64.fetchOne(database, sql: "SELECT count(*) FROM identity"),
      ]
    }
    #expect(left == [3, 1])
  }
}
