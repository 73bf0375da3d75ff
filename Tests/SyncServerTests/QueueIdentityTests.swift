// Tests of queues with an identity: whom the create of the root lets in, and that they never end.

import ModelTypes
import SampleIDs
import SyncProtocol
import Testing
import WireFormat

@testable import SyncServer

@Suite(.onEachStorage) struct QueueIdentityTests {
  private static let schema = "Chats"
  private static let access = ObjectAccess(delete: [], fixed: [1], identity: [[1]], users: [1])

  private func server(room: RoomLimit = .none) throws -> TestServer {
    let server = try TestServer(room: room)
    server.service.serve(AccessTables([Self.schema: AccessTable(types: ["chat": Self.access])]))
    return server
  }

  /// The chat of these users.
  private static func chat(_ users: UserID...) -> QueueID { chat(users) }

  private static func chat(_ users: [UserID], type: String = "chat", schema: String = schema) -> QueueID {
    var hasher = IdentityHasher(schema: schema, model: type)
    hasher.combine(1, SortedSet(users))
    let id: ObjectID<UserAccount> = hasher.finish()
    return QueueID(id.rawValue)
  }

  /// A mutation that creates the root of a chat and names these users, in this order.
  private static func root(
    _ number: UInt64, of chat: QueueID, naming users: [UserID], type: String = "chat", attempt: Int = 0,
    isVoid: Bool = false
  ) throws -> CommitRequest.Mutation {
    var content = RecordWriter(capacity: 64)
    for user in users { content.uuid(1, user.rawValue) }
    let change = ObjectChange(chat.root, .create(type: type, try PatchBuilder().patch(filling: content.bytes)))
    return .init(number, change, attempt: attempt, isVoid: isVoid)
  }

  private func commit(
    _ server: TestServer, _ mutations: [CommitRequest.Mutation], to chat: QueueID, by user: UserID,
    grant: GrantID? = nil, schema: String = schema
  ) async throws -> CommitAnswer.Result {
    let request = CommitRequest(queue: chat, grant: grant, mutations: mutations)
    return try await server.service.commit(request, by: Asker(user, schema: schema)).result
  }

  private func delta(
    _ server: TestServer, _ chat: QueueID, by user: UserID, awaiting: [OperationID] = []
  ) async throws -> DeltaAnswer.Result? {
    let question = DeltaRequest.Queue(queue: chat, awaiting: awaiting)
    return try await server.service.delta(DeltaRequest(queues: [question]), by: Asker(user, schema: Self.schema)).first?
      .result
  }

  private func roles(_ server: TestServer, in chat: QueueID) throws -> [UserID: QueueRole] {
    try server.storage.read { try $0.members(of: chat).mapValues(\.role) }
  }

  private static let unseen = QueueRefusal.revoked(outcomes: [], retention: .zero)
  private let users = [UserID.anna, .ben]
  private let chat = chat(.anna, .ben)

  @Test func whoComesSecondJoins() async throws {
    let server = try server()
    let born = try await commit(server, [Self.root(1, of: chat, naming: users)], to: chat, by: .anna)
    #expect(born.decided?.outcomes.map(\.status) == [.applied] && born.decided?.role == .owner)

    // Ben's device reads what is there before anything of it is decided.
    let second = try Self.root(2, of: chat, naming: users)
    guard case .refused(.stale(let grant)) = try await commit(server, [second], to: chat, by: .ben) else {
      Issue.record("Ben is not in")
      return
    }
    #expect(try roles(server, in: chat) == [.anna: .owner, .ben: .owner])
    #expect(try await delta(server, chat, by: .ben)?.page?.grant == grant)
    let decided = try await commit(server, [second], to: chat, by: .ben, grant: grant).decided
    #expect(decided?.outcomes.map(\.status) == [.applied])
    #expect(try server.storage.read { try $0.object(chat.root, in: chat)?.live?.system.createdBy } == .anna)
    // Nobody else has taken them in, so neither can take the other one out.
    let removal = CommitRequest.Mutation(3, OperationChanges(members: [.unfollow(.anna)]))
    #expect(
      try await commit(server, [removal], to: chat, by: .ben, grant: grant).decided?.outcomes.map(\.status)
        == [.rejected(RejectionCode.forbidden)])
  }

  /// Each of these is refused, and as if nothing was there.
  @Test(arguments: [false, true]) func strangersStayOut(isThere: Bool) async throws {
    let server = try server()
    if isThere { _ = try await commit(server, [Self.root(1, of: chat, naming: users)], to: chat, by: .anna) }
    let all = [UserID.anna, .ben, .cleo]
    for (name, mutation) in [
      ("another's chat", try Self.root(2, of: chat, naming: users)),
      ("a name more", try Self.root(3, of: chat, naming: all)),
      ("a chat of one's own", try Self.root(4, of: chat, naming: [.cleo])),
      ("nobody", try Self.root(5, of: chat, naming: [])),
      ("another type", try Self.root(6, of: chat, naming: users, type: "note")),
      ("a void root", try Self.root(7, of: chat, naming: users, isVoid: true)),
      ("no root", .init(8, .create(1, "a", in: chat))),
      ("a delete", .init(9, ObjectChange(chat.root, .delete))),
      ("nonsense", .init(operation: .number(10), firstSent: .zero, changes: [0xFF])),
    ] {
      #expect(try await commit(server, [mutation], to: chat, by: .cleo) == .refused(Self.unseen), "\(name)")
    }
    #expect(try await delta(server, chat, by: .cleo) == .refused(Self.unseen))
    #expect(try roles(server, in: chat) == (isThere ? [.anna: .owner] : [:]))
    // A user of the chat proves nothing in an order that no set has, nor in another app.
    let reversed = try Self.root(11, of: chat, naming: users.reversed())
    #expect(try await commit(server, [reversed], to: chat, by: .ben) == .refused(Self.unseen))
    let right = try Self.root(12, of: chat, naming: users)
    #expect(try await commit(server, [right], to: chat, by: .ben, schema: "Other") == .refused(Self.unseen))
  }

  /// Everybody chooses the ids of queues of one's own, so an id in another field of the identity proves nobody.
  @Test func onlyFieldsOfUsersNameUsers() async throws {
    let server = try TestServer()
    let access = ObjectAccess(delete: [], fixed: [1, 2], identity: [[1], [2]], users: [1])
    server.service.serve(AccessTables([Self.schema: AccessTable(types: ["chat": access])]))
    var (hasher, content) = (IdentityHasher(schema: Self.schema, model: "chat"), RecordWriter(capacity: 64))
    hasher.combine(1, SortedSet([UserID.anna]))
    hasher.combine(2, UserID.cleo)
    content.uuid(1, UserID.anna.rawValue)
    content.uuid(2, UserID.cleo.rawValue)
    let id: ObjectID<UserAccount> = hasher.finish()
    let chat = QueueID(id.rawValue)
    let change = ObjectChange(chat.root, .create(type: "chat", try PatchBuilder().patch(filling: content.bytes)))
    #expect(try await commit(server, [.init(1, change)], to: chat, by: .cleo) == .refused(Self.unseen))
    #expect(try await commit(server, [.init(2, change)], to: chat, by: .anna).decided?.role == .owner)
    #expect(try await commit(server, [.init(3, change)], to: chat, by: .cleo) == .refused(Self.unseen))
  }

  /// Neither a join nor what is forgotten tells a stranger that a chat is there.
  @Test func strangersLearnNothingLater() async throws {
    let server = try server()
    _ = try await commit(server, [Self.root(1, of: chat, naming: users)], to: chat, by: .anna)
    try await server.service.forgetOutcomes(in: chat, before: Timestamp(millisecondsSince1970: 5_000_000_000_000))
    let join = CommitRequest.Mutation(2, OperationChanges(join: LinkSecret(.zero)))
    #expect(try await commit(server, [join], to: chat, by: .cleo) == .refused(Self.unseen))
    #expect(try await delta(server, chat, by: .cleo, awaiting: [join.operation]) == .refused(Self.unseen))
  }

  /// Two types, and two apps, may each have a chat of the same people.
  @Test func identityIsOfATypeAndAnApp() async throws {
    let ids = [chat, Self.chat(users, type: "talk"), Self.chat(users, schema: "Other"), Self.chat(.anna)]
    #expect(Set(ids).count == 4 && ids.allSatisfy { $0.isDerived && !$0.isMarkedAsHome })
  }

  /// A late copy of a request finds the outcome, and takes nobody in who has left since.
  @Test(arguments: [false, true]) func decidedRootLetsNobodyInAgain(isVoid: Bool) async throws {
    let server = try server()
    let root = try Self.root(1, of: chat, naming: users, isVoid: isVoid)
    let grant = try #require(try await commit(server, [root], to: chat, by: .anna).decided?.grant)
    let leave = CommitRequest.Mutation(2, OperationChanges(members: [.unfollow(.anna)]))
    #expect(
      try await commit(server, [leave], to: chat, by: .anna, grant: grant).decided?.outcomes.map(\.status) == [.applied]
    )
    // Nor does a void one that comes when its user is out.
    let void = try await commit(server, [Self.root(9, of: chat, naming: users, isVoid: true)], to: chat, by: .ben)
    #expect(void.refusal?.outcomesOfRevoked?.map(\.status) == [.voided])
    let late = try await commit(server, [root], to: chat, by: .anna)
    #expect(late.refusal?.outcomesOfRevoked?.map(\.status) == [isVoid ? .voided : .applied])
    #expect(try roles(server, in: chat) == [:])

    // A root of one's own does, also if everybody has left.
    let again = try await commit(server, [Self.root(3, of: chat, naming: users)], to: chat, by: .anna)
    guard case .refused(.stale(let new)) = again else {
      Issue.record("Anna is not in again: \(again)")
      return
    }
    #expect(try new != grant && roles(server, in: chat) == [.anna: .owner])
  }

  /// What changed nothing may be tried again, and the attempt opens the door.
  @Test func aFurtherAttemptLetsIn() async throws {
    let server = try server()
    let refused = ObjectAccess(create: [], delete: [], fixed: [1], identity: [[1]], users: [1])
    server.service.serve(AccessTables([Self.schema: AccessTable(types: ["chat": refused])]))
    let first = try await commit(server, [Self.root(1, of: chat, naming: users)], to: chat, by: .anna)
    #expect(first.decided?.outcomes.map(\.status) == [.rejected(RejectionCode.forbidden)])
    let leave = CommitRequest.Mutation(2, OperationChanges(members: [.unfollow(.anna)]))
    _ = try await commit(server, [leave], to: chat, by: .anna, grant: first.decided?.grant)
    let same = try await commit(server, [Self.root(1, of: chat, naming: users)], to: chat, by: .anna)
    #expect(same.refusal?.outcomesOfRevoked?.count == 1)
    let next = try await commit(server, [Self.root(1, of: chat, naming: users, attempt: 1)], to: chat, by: .anna)
    guard case .refused(.stale) = next else {
      Issue.record("not in: \(next)")
      return
    }
  }

  @Test func anInvitedReaderBecomesAnOwner() async throws {
    let server = try server()
    let born = try await commit(server, [Self.root(1, of: chat, naming: users)], to: chat, by: .anna)
    let follow = CommitRequest.Mutation(
      2, OperationChanges(members: [.follow(.ben, as: .reader), .follow(.cleo, as: .reader)]))
    _ = try await commit(server, [follow], to: chat, by: .anna, grant: born.decided?.grant)
    let before = try await server.service.storage.read { try $0.membership(of: .ben, in: chat) }
    let root = try Self.root(3, of: chat, naming: users)
    let decided = try await commit(server, [root], to: chat, by: .ben, grant: before?.grant).decided
    #expect(decided?.role == .owner && decided?.grant == before?.grant && decided?.outcomes.first?.status == .applied)
    // Cleo is not named, and stays what she is.
    let grant = try await server.service.storage.read { try $0.membership(of: .cleo, in: chat)?.grant }
    let hers = try Self.root(4, of: chat, naming: users)
    #expect(
      try await commit(server, [hers], to: chat, by: .cleo, grant: grant).decided?.outcomes.map(\.status)
        == [.rejected(RejectionCode.forbidden)])
    #expect(try roles(server, in: chat) == [.anna: .owner, .ben: .owner, .cleo: .reader])
  }

  @Test func chatNeverEnds() async throws {
    let server = try server()
    let grant = try await commit(server, [Self.root(1, of: chat, naming: users, isVoid: true)], to: chat, by: .anna)
      .decided?.grant
    for (number, isThere) in [(2, false), (4, true)] as [(UInt64, Bool)] {
      let end = CommitRequest.Mutation(number, ObjectChange(chat.root, .delete))
      #expect(
        try await commit(server, [end], to: chat, by: .anna, grant: grant).decided?.outcomes.map(\.status)
          == [.rejected(RejectionCode.forbidden)], "\(isThere)")
      _ = try await commit(server, [Self.root(number + 1, of: chat, naming: users)], to: chat, by: .anna, grant: grant)
    }
    // Not even when its last member is forgotten.
    let forgetting = Forgetting(.anna, of: server.service)
    let farewells = try await forgetting.farewells()
    #expect(farewells.first == .leave(chat, newOwner: nil))
    for farewell in farewells { try await forgetting.perform(farewell, withObjects: false) }
    #expect(try roles(server, in: chat) == [:])
    #expect(try server.storage.read { try $0.queue(chat)?.isEnded } == false)
  }

  /// Its root is what its id says, whoever makes it.
  @Test func rootGivesTheID() async throws {
    let server = try server()
    let grant = try await commit(server, [Self.root(1, of: chat, naming: users, isVoid: true)], to: chat, by: .anna)
      .decided?.grant
    let wrong = [
      try Self.root(2, of: chat, naming: [.anna]), try Self.root(3, of: chat, naming: users, type: "note"),
      try Self.root(4, of: chat, naming: [.anna, .ben, .cleo]),
    ]
    for mutation in wrong {
      #expect(
        try await commit(server, [mutation], to: chat, by: .anna, grant: grant).decided?.outcomes.map(\.status)
          == [.rejected(RejectionCode.forbidden)])
    }
  }

  @Test func joiningTakesRoomForAQueue() async throws {
    // The home queue is one.
    let server = try server(room: RoomLimit(userQueues: 1))
    _ = try await delta(server, SyncID.homeQueue(ofUser: .ben, schema: Self.schema), by: .ben)
    let free = Self.chat(.anna, .ben, .cleo)
    _ = try await commit(server, [Self.root(1, of: free, naming: [.anna, .ben, .cleo])], to: free, by: .anna)
    let root = try Self.root(2, of: free, naming: [.anna, .ben, .cleo])
    let refused = try await commit(server, [root], to: free, by: .ben)
    #expect(refused.refusal?.outcomesOfRevoked?.map(\.status) == [.rejected(RejectionCode.quotaExceeded)])
    // A client asks for the outcome by a delta.
    let told = try await delta(server, free, by: .ben, awaiting: [root.operation])
    #expect(told?.refusal?.outcomesOfRevoked?.map(\.status) == [.rejected(RejectionCode.quotaExceeded)])
    #expect(try roles(server, in: free) == [.anna: .owner])
  }

  /// A former member is told what became of the operations from that time.
  @Test func whoHasNoRoomToComeBackHearsOfWhatWasDecided() async throws {
    let server = try server(room: RoomLimit(userQueues: 2))
    _ = try await delta(server, SyncID.homeQueue(ofUser: .anna, schema: Self.schema), by: .anna)
    let root = try Self.root(1, of: chat, naming: users)
    let grant = try await commit(server, [root], to: chat, by: .anna).decided?.grant
    let leave = CommitRequest.Mutation(2, OperationChanges(members: [.unfollow(.anna)]))
    _ = try await commit(server, [leave], to: chat, by: .anna, grant: grant)
    let other = Self.chat(.anna, .cleo)
    _ = try await commit(server, [Self.root(3, of: other, naming: [.anna, .cleo])], to: other, by: .anna)

    let again = try Self.root(4, of: chat, naming: users)
    let expected: [OperationOutcome.Status] = [.applied, .rejected(RejectionCode.quotaExceeded)]
    let refused = try await commit(server, [root, again], to: chat, by: .anna)
    #expect(refused.refusal?.outcomesOfRevoked?.map(\.status) == expected)
    let told = try await delta(server, chat, by: .anna, awaiting: [root.operation, again.operation])
    #expect(told?.refusal?.outcomesOfRevoked?.map(\.status) == expected)
  }
}
