// Tests of links by which people join a queue, as the server decides about them.

import SampleIDs
import SyncProtocol
import SyncServer
import Testing
import WireFormat

@Suite(.onEachStorage) struct QueueLinkTests {
  private static let secret = LinkSecret(UUIDValue(high: 7, low: 8))
  private static let far = Timestamp(millisecondsSince1970: 4_000_000_000_000)

  private static func open(
    _ number: UInt64, as role: QueueRole = .writer, uses: Int32 = 2, until: Timestamp = far
  ) -> CommitRequest.Mutation {
    .init(number, OperationChanges(links: [LinkChange(secret.hash, .open(role, uses: uses, until: until))]))
  }

  private static func join(
    _ number: UInt64, _ secret: LinkSecret = secret, attempt: Int = 0, isVoid: Bool = false
  ) -> CommitRequest.Mutation {
    .init(number, OperationChanges(join: secret), attempt: attempt, isVoid: isVoid)
  }

  private func link(_ server: TestServer) throws -> LinkRecord? {
    let id = SyncID.link(Self.secret.hash, inQueue: .queue)
    return try server.storage.read { try $0.object(id, in: .queue)?.live }.map { try LinkRecord(content: $0.content) }
  }

  private func roles(_ server: TestServer) throws -> [UserID: QueueRole] {
    try server.storage.read { try $0.members(of: .queue).mapValues(\.role) }
  }

  @Test func whoHasTheSecretJoins() async throws {
    let server = try TestServer()
    #expect(try await server.statuses([Self.open(1, as: .reader)]) == [.applied])
    #expect(try link(server) == LinkRecord(Self.secret.hash, role: .reader, uses: 2, until: Self.far))
    guard case .refused(.stale(let grant)) = try await server.first([Self.join(2)], by: .ben) else {
      Issue.record("not in")
      return
    }
    #expect(try roles(server) == [.anna: .owner, .ben: .reader] && link(server)?.uses == 1)
    let decided = try await server.commit([Self.join(2)], by: .ben, grant: grant).decided
    #expect(decided?.outcomes.map(\.status) == [.applied] && decided?.role == .reader)
    // Taken in by who made the link, so no founder.
    #expect(try server.storage.read { try $0.membership(of: .ben, in: .queue)?.by } == .anna)
    // Its last use takes it away.
    _ = try await server.first([Self.join(3)], by: .cleo)
    #expect(try link(server) == nil && roles(server)[.cleo] == .reader)
  }

  /// What was refused stays refused, in each attempt; a late copy lets nobody in.
  @Test func refusalIsTheOutcome() async throws {
    let server = try TestServer()
    let ended = OperationOutcome.Status.rejected(RejectionCode.linkEnded)
    try await server.statuses([.init(1, .create(1, "a"))])
    let refused = try await server.first([Self.join(2)], by: .ben)
    #expect(refused.refusal?.outcomesOfRevoked?.map(\.status) == [ended])
    let told = try await server.delta(.init(queue: .queue, awaiting: [.number(2)]), by: .ben)
    #expect(told?.refusal?.outcomesOfRevoked?.map(\.status) == [ended])
    try await server.statuses([Self.open(3)])
    let late = try await server.first([Self.join(2)], by: .ben)
    #expect(late.refusal?.outcomesOfRevoked?.map(\.status) == [ended])
    #expect(try roles(server) == [.anna: .owner])
    let again = try await server.first([Self.join(2, attempt: 1)], by: .ben)
    #expect(try again.refusal != nil && roles(server)[.ben] == .writer)
  }

  @Test(arguments: [
    ("another secret", join(9, LinkSecret(UUIDValue(high: 7, low: 9)))), ("nothing", .init(9, OperationChanges())),
  ])
  func nobodyElseJoins(name: String, mutation: CommitRequest.Mutation) async throws {
    let server = try TestServer()
    try await server.statuses([Self.open(1)])
    #expect(try await server.first([mutation], by: .ben).refusal?.outcomesOfRevoked != nil)
    #expect(try roles(server) == [.anna: .owner] && link(server)?.uses == 2)
  }

  /// Nobody comes back by a link of one's own, and what is taken back lets nobody in.
  @Test func linkWorksWhileItsMakerIsIn() async throws {
    let server = try TestServer()
    try await server.statuses([.init(1, OperationChanges(members: [.follow(.ben)]))])
    #expect(try await server.statuses([Self.open(2)], by: .ben) == [.applied])
    let void = try await server.first([Self.join(3, isVoid: true)], by: .cleo)
    #expect(void.refusal?.outcomesOfRevoked?.map(\.status) == [.voided])
    try await server.statuses([.init(4, OperationChanges(members: [.unfollow(.ben)]))])
    for (number, user) in [(5, UserID.ben), (6, .cleo)] as [(UInt64, UserID)] {
      let refused = try await server.first([Self.join(number)], by: user)
      #expect(refused.refusal?.outcomesOfRevoked?.map(\.status) == [.rejected(RejectionCode.linkEnded)])
    }
    #expect(try roles(server) == [.anna: .owner])
  }

  @Test func linkIsOverAfterItsTime() async throws {
    let server = try TestServer()
    try await server.statuses([Self.open(1, until: Timestamp(millisecondsSince1970: 1))])
    _ = try await server.first([Self.join(2)], by: .ben)
    #expect(try roles(server) == [.anna: .owner])
  }

  /// A right to invite, no higher role than one's own, and a member after all changes of members.
  @Test func openingNeedsTheRightToInvite() async throws {
    let server = try TestServer()
    try await server.statuses([
      .init(1, OperationChanges(members: [.follow(.ben), .follow(.cleo, as: .reader)]))
    ])
    let forbidden = OperationOutcome.Status.rejected(RejectionCode.forbidden)
    #expect(try await server.statuses([Self.open(2, as: .reader)], by: .cleo) == [forbidden])
    #expect(try await server.statuses([Self.open(3, as: .owner)], by: .ben) == [forbidden])
    #expect(try await server.statuses([Self.open(4)], by: .ben) == [.applied])
    #expect(try await server.statuses([Self.open(5)], by: .anna) == [.noEffect], "it is open")
    let close = OperationChanges(links: [LinkChange(Self.secret.hash, .close)])
    #expect(try await server.statuses([.init(6, close)], by: .cleo) == [forbidden])
    var leaving = close
    leaving.members = [.unfollow(.ben)]
    #expect(try await server.statuses([.init(7, leaving)], by: .ben) == [forbidden], "a last word that nobody gives")
    #expect(try await server.statuses([.init(8, close)], by: .ben) == [.applied])
    #expect(try await server.statuses([.init(9, close)], by: .ben) == [.noEffect])
    let home = SyncID.homeQueue(ofUser: .anna)
    #expect(try await server.statuses([Self.open(10)], in: home) == [forbidden])
  }

  @Test func memberWhoJoinsUsesNothing() async throws {
    let server = try TestServer()
    try await server.statuses([Self.open(1)])
    #expect(try await server.statuses([Self.join(2), Self.join(3, LinkSecret(.zero))]) == [.applied, .applied])
    #expect(try link(server)?.uses == 2)
  }

  @Test func whoIsInTooManyQueuesCannotJoin() async throws {
    let server = try TestServer(room: RoomLimit(userQueues: 1))
    try await server.statuses([Self.open(1)])
    let other = QueueID.queue(2)
    try await server.statuses(
      [.init(2, OperationChanges(members: [.follow(.ben)]))], in: other, by: .cleo)
    let refused = try await server.first([Self.join(3)], by: .ben)
    #expect(
      refused.refusal?.outcomesOfRevoked?.map(\.status) == [.rejected(RejectionCode.quotaExceeded)])
  }

  /// Neither a link nor a join is anything else, and no bytes are both.
  @Test func malformedLinksAreRefused() throws {
    let hash = Self.secret.hash
    func encoded(_ changes: OperationChanges) throws -> [UInt8] { try changes.encoded() }
    for uses: Int32 in [0, -1, 10_001] {
      let changes = OperationChanges(links: [LinkChange(hash, .open(.writer, uses: uses, until: Self.far))])
      #expect(throws: WireError.self) { try OperationChanges(bytes: encoded(changes)) }
    }
    let both = OperationChanges(members: [.follow(.ben)], join: Self.secret)
    #expect(throws: WireError.self) { try OperationChanges(bytes: encoded(both)) }
    for short in [[0x32, 1, 0], [0x2A, 2, 0x0A, 0], [0x2A, 0]] as [[UInt8]] {
      #expect(throws: WireError.self) { try OperationChanges(bytes: short) }
    }
  }
}
