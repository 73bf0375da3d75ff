// Tests of the rights of members, and of how a user learns of a membership.

import SampleIDs
import SyncProtocol
import SyncServer
import Testing
import WireFormat

@Suite(.onEachStorage) struct MemberTests {
  let server: TestServer
  private let forbidden = OperationOutcome.Status.rejected(RejectionCode.forbidden)
  private let lastOwner = OperationOutcome.Status.rejected(RejectionCode.lastOwner)

  init() async throws {
    server = try TestServer()
    try await server.statuses([.init(1, .create(1, "a"))])
  }

  private func follow(_ user: UserID, role: QueueRole = .writer) -> OperationChanges {
    OperationChanges(members: [.follow(user, as: role)])
  }

  private func memberships(of user: UserID) async throws -> [QueueMembership] {
    let page = try await server.page(SyncID.homeQueue(ofUser: user), by: user)
    return try page?.objects.compactMap(\.live).map { try QueueMembership(content: $0.content) } ?? []
  }

  @Test func rolesDetermineWhatMembersMayDo() async throws {
    try await server.statuses([.init(2, follow(.ben)), .init(3, follow(.cleo, role: .reader))])
    let dora = UserID(high: 0xD, low: 1)
    let deeds: [(OperationChanges, writer: OperationOutcome.Status, reader: OperationOutcome.Status)] = [
      (OperationChanges(objects: [.set(1, "b")]), .applied, forbidden),
      (OperationChanges(members: [.follow(dora)]), .applied, forbidden),
      (OperationChanges(members: [.unfollow(dora)]), forbidden, forbidden),
      (OperationChanges(members: [.role(dora, .owner)]), forbidden, forbidden),
      (OperationChanges(files: [ContentHash(words: (1, 1, 1, 1))]), .applied, forbidden),
      (OperationChanges(members: [.unfollow(.anna)]), forbidden, forbidden),
    ]
    for (number, deed) in deeds.enumerated() {
      let number = UInt64(number) + 10
      #expect(try await server.statuses([.init(number, deed.0)], by: .cleo) == [deed.reader], "reader, \(number)")
      let status = try await server.statuses([.init(number + 50, deed.0)], by: .ben)
      // The operation of a writer waits for a file that has not arrived.
      #expect(status == [deed.0.files.isEmpty ? deed.writer : nil], "writer, \(number)")
    }
    #expect(
      try await server.statuses([.init(90, OperationChanges(members: [.unfollow(.cleo)]))], by: .cleo) == [.applied])
    #expect(try await server.commit([.init(91, .set(1, "c"))], by: .cleo) != server.commit([], by: .ben))
    #expect(try await server.commit([], by: .cleo).refusal?.outcomesOfRevoked != nil, "who has left is refused")
  }

  @Test func lastOwnerLeavesOnlyAsTheLastMember() async throws {
    try await server.statuses([.init(2, follow(.ben))])
    let leave = OperationChanges(members: [.unfollow(.anna)])
    let step = OperationChanges(members: [.role(.anna, .writer)])
    #expect(try await server.statuses([.init(3, leave), .init(8, step)]) == [lastOwner, nil])
    try await server.statuses([.init(4, OperationChanges(members: [.role(.ben, .owner)]))])
    // The mutation behind the leave is not decided, because its sender is no member any more.
    #expect(try await server.statuses([.init(5, leave), .init(6, .set(1, "b"))]) == [.applied, nil])
    #expect(try await server.statuses([.init(7, OperationChanges(members: [.unfollow(.ben)]))], by: .ben) == [.applied])
  }

  /// Each change of a mutation is judged by the roles after the changes before it.
  @Test func formerMemberCannotAddMembers() async throws {
    try await server.statuses([.init(2, follow(.ben, role: .owner))])
    let first = OperationChanges(members: [.unfollow(.anna), .follow(.cleo)])
    #expect(try await server.statuses([.init(3, first)]) == [.rejected(RejectionCode.forbidden)])
    let last = OperationChanges(members: [.follow(.cleo), .unfollow(.anna)])
    #expect(try await server.statuses([.init(4, last)]) == [.applied])
  }

  @Test func anAnswerSaysTheRoleAfterTheCommit() async throws {
    #expect(try await role(.init(2, follow(.ben, role: .owner))) == .owner)
    let writer = OperationChanges(members: [.role(.anna, .writer)])
    #expect(try await role(.init(3, writer)) == .writer)
    #expect(try await role(.init(3, writer)) == .writer, "it is repeated")
    #expect(try await role(.init(4, OperationChanges(members: [.unfollow(.anna)]))) == .writer, "the last one")
  }

  private func role(_ mutation: CommitRequest.Mutation) async throws -> QueueRole? {
    guard case .decided(let decided) = try await server.commit([mutation]) else { return nil }
    return decided.role
  }

  @Test func membershipsAreInTheHomeQueue() async throws {
    #expect(try await memberships(of: .anna).map(\.role) == [.owner])
    #expect(try await memberships(of: .ben) == [])
    try await server.statuses([.init(2, follow(.ben))])
    let first = try #require(try await memberships(of: .ben).first)
    #expect(first.queue == .queue && first.role == .writer)
    try await server.statuses([.init(3, OperationChanges(members: [.role(.ben, .reader)]))])
    let second = try #require(try await memberships(of: .ben).first)
    #expect(second.role == .reader && second.grant == first.grant, "another role is no other membership")
    try await server.statuses([.init(4, OperationChanges(members: [.unfollow(.ben)]))])
    #expect(try await memberships(of: .ben) == [])
    try await server.statuses([.init(5, follow(.ben))])
    #expect(try await memberships(of: .ben).first?.grant != first.grant, "who joins again has another grant")
  }

  @Test func onlyItsUserWritesToAHomeQueue() async throws {
    let home = SyncID.homeQueue(ofUser: .ben)
    #expect(try await server.commit([.init(2, .create(5, "mine now", in: home))], in: home) == .refused(.noQueue))
    #expect(try await memberships(of: .ben) == [])
    #expect(try await server.statuses([.init(3, follow(.anna))], in: home, by: .ben) == [forbidden])
    #expect(
      try await server.statuses([.init(4, .create(5, "a note", type: "settings", in: home))], in: home, by: .ben) == [
        .applied
      ])
    #expect(
      try await server.statuses([.init(5, .create(6, "", type: QueueMembership.type, in: home))], in: home, by: .ben)
        == [forbidden])
  }
}
