// Tests of the end of a queue: who may end it, and what members and strangers are told afterwards.

import SampleIDs
import SyncProtocol
import SyncServer
import Testing
import WireFormat

@Suite(.onEachStorage) struct QueueEndTests {
  let server: TestServer
  private let forbidden = OperationOutcome.Status.rejected(RejectionCode.forbidden)

  /// Anna's queue with its root and an object; Ben writes, Cleo reads.
  init() async throws {
    server = try TestServer()
    let members: [MemberChange] = [.follow(.ben), .follow(.cleo, as: .reader)]
    try await server.statuses([
      .init(1, OperationChanges(objects: [root], members: members)), .init(2, .create(2, "a")),
    ])
  }

  private var root: ObjectChange {
    ObjectChange(.root, .create(type: "list", try! PatchBuilder().patch(filling: [0x08, 1])))
  }

  private var end: OperationChanges { OperationChanges(objects: [ObjectChange(.root, .delete)]) }

  private func isEnded(_ user: UserID, _ queue: QueueID = .queue) async throws -> Bool {
    let (read, write) = (
      try await server.delta(.init(queue: queue), by: user), try await server.commit([], in: queue, by: user)
    )
    return read?.refusal?.outcomesOfEnded != nil && write.refusal?.outcomesOfEnded != nil
  }

  @Test func ownerEndsTheQueueForAllMembers() async throws {
    #expect(try await server.statuses([.init(3, end)], by: .ben) == [forbidden])
    #expect(try await server.statuses([.init(4, end)], by: .cleo) == [forbidden])
    // A mutation behind the end is not decided, as if it had come later.
    #expect(try await server.statuses([.init(5, end), .init(6, .set(2, "b"))]) == [.applied, nil])
    for user in [UserID.anna, .ben, .cleo] { #expect(try await isEnded(user)) }
    let (members, queue) = try server.storage.read { try ($0.members(of: .queue).count, $0.queue(.queue)) }
    #expect(members == 0 && queue?.digest == .empty)
  }

  /// The refusal has the outcomes of the operations, because an earlier answer may have been lost.
  @Test func refusalOfAnEndedQueueHasOutcomes() async throws {
    try await server.statuses([.init(3, .set(2, "b")), .init(4, end)])
    let outcomes = try #require(
      try await server.commit([.init(3, .set(2, "b")), .init(4, end)]).refusal?.outcomesOfEnded)
    #expect(outcomes.map(\.status) == [.applied, .applied])
  }

  /// Strangers learn nothing of the end.
  @Test func endedQueueCannotBeCreatedAgain() async throws {
    try await server.statuses([.init(3, end)])
    #expect(try await server.first([.init(9, root)]).refusal?.outcomesOfEnded != nil)
    let dora = UserID(high: 0xD, low: 1)
    #expect(try await server.first([.init(9, root)], by: dora).refusal?.outcomesOfRevoked != nil)
    #expect(try await server.delta(.init(queue: .queue), by: dora)?.refusal?.outcomesOfRevoked != nil)
  }

  @Test func homeQueuesForgetTheEndedQueue() async throws {
    try await server.statuses([.init(3, end)])
    for user in [UserID.anna, .ben, .cleo] {
      let page = try await server.page(SyncID.homeQueue(ofUser: user), by: user)
      #expect(page?.objects.compactMap(\.live).isEmpty == true)
    }
  }

  @Test func endOfAQueueMustBeTheOnlyChange() async throws {
    let mixed = OperationChanges(objects: end.objects, members: [.unfollow(.ben)])
    #expect(try await server.statuses([.init(3, mixed)]) == [.rejected(RejectionCode.invalid)])
    var guarded = end
    guarded.objects[0].condition = .content(ContentHash(words: (1, 2, 3, 4)))
    #expect(try await server.statuses([.init(4, guarded)]) == [.rejected(RejectionCode.conditionFailed)])
    #expect(try await server.statuses([.init(5, .set(2, "b"))]) == [.applied], "nothing of it was done")
  }

  /// The user who made the queue has taken the create of the root back.
  @Test func anOwnerEndsAQueueWithoutARoot() async throws {
    let other = QueueID.queue(500)
    let delete = OperationChanges(objects: [ObjectChange(other.root, .delete)])
    let members = OperationChanges(members: [.follow(.ben), .follow(.cleo, as: .reader)])
    let made = try await server.statuses([.init(3, .create(3, "a", in: other)), .init(4, members)], in: other)
    #expect(made == [.applied, .applied])
    for (number, user): (UInt64, UserID) in [(5, .ben), (6, .cleo)] {
      #expect(try await server.statuses([.init(number, delete)], in: other, by: user) == [forbidden])
    }
    let mixed = OperationChanges(objects: delete.objects, members: [.unfollow(.ben)])
    #expect(try await server.statuses([.init(7, mixed)], in: other) == [.rejected(RejectionCode.invalid)])
    #expect(
      try await server.statuses([.init(8, delete), .init(9, .create(4, "b", in: other))], in: other) == [.applied, nil])
    for user in [UserID.anna, .ben, .cleo] { #expect(try await isEnded(user, other)) }
  }

  @Test func aHomeQueueDoesNotEnd() async throws {
    let home = SyncID.homeQueue(ofUser: .anna)
    let delete = OperationChanges(objects: [ObjectChange(home.root, .delete)])
    #expect(try await server.statuses([.init(3, delete)], in: home) == [.noEffect])
    #expect(try await server.page(home, by: .anna)?.objects.isEmpty == false)
  }
}
