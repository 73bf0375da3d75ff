// Tests of how many rows and bytes users and queues may take.

import GRDB
import SampleIDs
import SyncProtocol
import SyncServer
import Testing
import WireFormat

@Suite(.onEachStorage) struct RoomLimitTests {
  private let full = OperationOutcome.Status.rejected(RejectionCode.quotaExceeded)

  @Test func queueTakesSoManyRows() async throws {
    // One is the member's.
    let server = try TestServer(room: RoomLimit(queueRows: 3))
    #expect(
      try await server.statuses([.init(1, .create(1, "a")), .init(2, .create(2, "b")), .init(3, .create(3, "c"))])
        == [.applied, .applied, full])
    // Deletes and edits have room, and a tombstone is a row.
    #expect(try await server.statuses([.init(4, .set(1, "aa")), .init(5, .delete(2))]) == [.applied, .applied])
    #expect(try await server.statuses([.init(6, .create(3, "c"))]) == [full])
    #expect(try await server.statuses([.init(7, .create(9, "c", in: .queue(2)))], in: .queue(2)) == [.applied])
  }

  @Test func queueTakesSoManyBytes() async throws {
    let server = try TestServer()
    try await server.statuses([.init(1, .create(1, "0123456789"))])
    let used = try server.storage.read { try $0.usage(in: .queue) }
    let limited = try TestServer(room: RoomLimit(queueBytes: used.bytes))
    #expect(try await limited.statuses([.init(1, .create(1, "0123456789"))]) == [.applied])
    #expect(try await limited.statuses([.init(2, .set(1, "0123456789a"))]) == [full])
    #expect(try await limited.statuses([.init(3, .set(1, "01"))]) == [.applied], "what adds nothing has room")
  }

  /// Objects and outcomes of a user count together, in all queues, and those of rejections have as much room again.
  @Test func userTakesSoManyRows() async throws {
    let server = try TestServer(room: RoomLimit(userRows: 10))
    // The member objects of both queues, the user's place in each, and two roots and two notes with their outcomes.
    for queue in [QueueID.queue(1), .queue(2)] {
      try await server.statuses(
        [.init(1, .create(id: queue.root, "a")), .init(2, .create(1, "a", in: queue))], in: queue)
    }
    #expect(try server.storage.read { try $0.usage(of: .anna).rows } == 12)
    #expect(try await server.statuses([.init(3, .create(3, "a"))]) == [full])
    #expect(try await server.statuses([.init(4, .set(1, "b")), .init(5, .delete(1))]) == [.applied, .applied])
    // Outcomes of further attempts take the room of the first ones.
    for (number, attempt) in [(6, 0), (6, 1), (7, 0), (7, 2), (8, 0), (9, 0), (10, 0), (11, 0)] as [(UInt64, Int)] {
      try await server.statuses([.init(number, .set(9, "b", if: .content("z")), attempt: attempt)])
    }
    #expect(try server.storage.read { try $0.usage(of: .anna).rows } == 20)
    await #expect(throws: RequestError.self) { try await server.statuses([.init(12, .set(9, "b"))]) }
    #expect(
      try await server.statuses([.init(9, .create(1, "a", in: .queue(3)))], in: .queue(3), by: .ben) == [.applied])
  }

  /// A reader's operations are refused, and their outcomes are bounded too.
  @Test func readersOutcomesAreBounded() async throws {
    let server = try TestServer(room: RoomLimit(userRows: 10))
    try await server.statuses([.init(1, OperationChanges(members: [.follow(.ben, as: .reader)]))])
    await #expect(throws: RequestError.self) {
      for number: UInt64 in 100..<130 {
        _ = try await server.statuses([.init(number, .create(number, "a"))], by: .ben)
      }
    }
    #expect(try server.storage.read { try $0.usage(of: .ben).rows } == 20)
  }

  /// Each queue is looked at by every poll of its members.
  @Test func userMakesSoManyQueues() async throws {
    // One is the home queue.
    let server = try TestServer(room: RoomLimit(userQueues: 3))
    for number: UInt64 in 1...2 {
      #expect(
        try await server.statuses([.init(number, .create(1, "a", in: .queue(number)))], in: .queue(number)) == [
          .applied
        ])
    }
    let third: [CommitRequest.Mutation] = [
      .init(3, .create(id: QueueID.queue(3).root, "a")), .init(4, OperationChanges(), attempt: 2, isVoid: true),
    ]
    let outcomes = try #require(try await server.first(third, in: .queue(3)).refusal?.outcomesOfRevoked)
    #expect(outcomes.map(\.status) == [full, full] && outcomes.map(\.attempt) == [0, 2])
    #expect(try server.storage.read { try $0.queue(.queue(3)) } == nil, "nothing of it is stored")
    let asked = DeltaRequest.Queue(queue: .queue(3), awaiting: [.number(3)])
    let told = try #require(try await server.delta(asked)?.refusal?.outcomesOfRevoked)
    #expect(told.map(\.status) == [full] && told.map(\.attempt) == [ProtocolLimits.attempts], "whatever it has sent")
    #expect(try await server.delta(.init(queue: .queue(4), awaiting: [])) == .refused(.noQueue))
    // A queue that has ended, or that the user has left, makes room. The refusal was stored nowhere.
    try await server.statuses(
      [.init(5, OperationChanges(objects: [ObjectChange(QueueID.queue(2).root, .delete)]))], in: .queue(2))
    #expect(try await server.statuses(third, in: .queue(3)) == [.applied, .voided])
  }

  /// Others take a user into as many, and keep nobody from making queues.
  @Test func othersTakeAUserIntoSoManyQueues() async throws {
    let server = try TestServer(room: RoomLimit(userQueues: 3))
    let follow = OperationChanges(members: [.follow(.ben)])
    for (number, user) in zip(1... as PartialRangeFrom<UInt64>, [UserID.anna, .anna, .number(8), .cleo]) {
      let status = try await server.statuses([.init(number, follow)], in: .queue(number), by: user)
      #expect(status == [number < 4 ? .applied : full])
    }
    #expect(
      try await server.statuses([.init(8, .create(1, "a", in: .queue(8)))], in: .queue(8), by: .ben) == [.applied])
    // Another role is no new membership; who leaves makes room.
    let role = OperationChanges(members: [.role(.ben, .reader)])
    #expect(try await server.statuses([.init(5, role)]) == [.applied])
    try await server.statuses([.init(6, OperationChanges(members: [.unfollow(.ben)]))], by: .ben)
    #expect(try await server.statuses([.init(7, follow)], in: .queue(4), by: .cleo) == [.applied])
  }

  /// The sums stay those of the rows, whatever removes them.
  @Test func sumsAreThoseOfTheRows() async throws {
    let server = try TestServer()
    try await server.statuses([
      .init(1, OperationChanges(members: [.follow(.ben)])), .init(2, .create(1, "a")), .init(3, .create(2, "bb")),
      .init(4, .set(1, "ccc")), .init(5, .delete(2)),
    ])
    try await server.statuses([.init(6, .create(3, "d")), .init(7, .set(1, "e"))], by: .ben)
    try await server.service.collectTombstones(in: .queue, upTo: 6)
    try await server.service.forgetOutcomes(in: .queue, before: Timestamp(millisecondsSince1970: 1 << 52))
    let sums = """
      SELECT count(*) FROM (
        SELECT queue, count(*), sum(ifnull(length(content), 0)) FROM object GROUP BY queue
        EXCEPT SELECT queue, rows, bytes FROM queueUsage) AS differing
      """
    #expect(try server.number(sums) == 0)
    let ofUsers = """
      SELECT count(*) FROM (
        SELECT createdBy, count(*), sum(length(content)) FROM object WHERE type IS NOT NULL GROUP BY createdBy
        EXCEPT SELECT account, sum(rows), sum(bytes)
        FROM \(StorageKind.current == .sqlite ? "accountUsage" : "usage") GROUP BY account) AS differing
      """
    #expect(try server.number(ofUsers) == 0)
  }

  /// A queue without rows has no sum either, however often upkeep finds nothing to remove.
  @Test func aQueueThatHasEndedLeavesNoSum() async throws {
    guard StorageKind.current == .sqlite else { return }
    let server = try TestServer()
    try await server.statuses([.init(1, .create(1, "a")), .init(2, ObjectChange(.root, .delete))])
    for _ in 1...2 { try await server.service.performUpkeep(UpkeepRules()) }
    #expect(try server.number("SELECT count(*) FROM queueUsage WHERE rows = 0") == 0)
    #expect(try server.number("SELECT count(*) FROM queueUsage WHERE queue NOT IN (SELECT queue FROM object)") == 0)
  }
}
