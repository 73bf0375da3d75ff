// The members of a queue: those that the server has confirmed, with pending changes of the user on top.

import ModelSupport
import MomentsModels
import SampleIDs
import StoreTestSupport
import Testing

@testable import ClientStore

@Suite struct MemberListTests {
  let temporary: TemporaryStore
  let server = HandServer()
  let moment = Moment(title: "Hut to hut")
  var store: ModelStore { temporary.store }
  var queue: QueueID { moment.id.queueID }
  let anna = user(1)
  let ben = user(2)
  let cleo = user(3)

  init() throws {
    temporary = try TemporaryStore()
  }

  private static func user(_ number: UInt64) -> UserID { UserID(high: number, low: number) }

  private func state(_ user: UserID, _ role: QueueRole?, since: Int64, revision: Int64) throws -> ObjectState {
    let content = try MemberRecord(user: user, role: role, since: Timestamp(millisecondsSince1970: since))
      .encoded()
    return ObjectState(
      id: SyncID.member(user, inQueue: queue), revision: revision,
      live: .init(
        type: MemberRecord.type, content: content, newestBy: nil, system: SystemFields(createdBy: anna, at: .zero)))
  }

  private func confirm() async throws {
    let states = [
      try store.state(of: moment, revision: 1), try state(ben, .writer, since: 20, revision: 2),
      try state(anna, .owner, since: 10, revision: 3),
    ]
    try await server.reveal(states, upTo: 3, to: store, in: queue)
  }

  private func words() throws -> [String] {
    try store.members(of: queue).map { "\($0.user.rawValue.low) \($0.role) \($0.since?.millisecondsSince1970 ?? -1)" }
  }

  @Test func membersComeInTheOrderInWhichTheyJoined() async throws {
    #expect(try store.members(of: queue).isEmpty)
    try await confirm()
    #expect(try words() == ["1 owner 10", "2 writer 20"])
    try await server.reveal([state(cleo, nil, since: 15, revision: 4)], upTo: 4, to: store, in: queue)
    #expect(try words() == ["1 owner 10", "3 reader 15", "2 writer 20"], "a role that nobody knows is a reader's")
    #expect(try store.members(of: Moment(title: "").id.queueID).isEmpty, "of this queue only")
  }

  @Test func pendingMemberChangesShowAtOnce() async throws {
    try await confirm()
    let joins = store.perform(Membership(moment: moment.id, change: .follow(cleo, as: .reader)))
    store.perform(Membership(moment: moment.id, change: .follow(ben, as: .owner)))
    #expect(try words() == ["1 owner 10", "2 writer 20", "3 reader -1"], "a member stays what it is")
    store.perform(Membership(moment: moment.id, change: .role(ben, .reader)))
    store.perform(Membership(moment: moment.id, change: .unfollow(cleo)))
    #expect(try words() == ["1 owner 10", "2 reader 20"])
    try await store.waitUntilSaved()
    joins.cancel()
    #expect(try words() == ["1 owner 10", "2 writer 20"], "with it goes what came after it")
  }

  @Test func endingQueueShowsNoMembers() async throws {
    try await confirm()
    let end = store.delete(moment.id)
    #expect(try words().isEmpty)
    end.cancel()
    #expect(try words().count == 2)
  }

  @Test func observerIsToldOfEveryMemberChange() async throws {
    try await confirm()
    var lists = store.memberUpdates(of: queue).makeAsyncIterator()
    #expect(try await lists.next()?.count == 2)
    let joins = store.perform(Membership(moment: moment.id, change: .follow(cleo)))
    #expect(try await lists.next()?.count == 3)
    joins.cancel()
    #expect(try await lists.next()?.count == 2)
    try await server.reveal([state(cleo, .writer, since: 30, revision: 4)], upTo: 4, to: store, in: queue)
    #expect(try await lists.next()?.count == 3)
    let gone = ObjectState(id: SyncID.member(ben, inQueue: queue), revision: 5, live: nil)
    try await server.reveal([gone], upTo: 5, to: store, in: queue)
    #expect(try await lists.next()?.map(\.user) == [anna, cleo])
    store.delete(moment.id)
    #expect(try await lists.next()?.isEmpty == true)
  }
}

/// Changes one member of the queue.
private struct Membership: ModelOperation {
  var moment: Moment.ID
  var change: MemberChange

  static let operationName = "moment.membership"
  static let fieldTable = FieldTable(projection: "moment.membership", Field(1, "moment", \Self.moment))

  func evaluate(in context: inout OperationContext) throws {
    let user = change.user
    switch change.action {
    case .follow(let role): try context.follow(user, as: role, inQueueOf: moment)
    case .role(let role): try context.setRole(of: user, to: role, inQueueOf: moment)
    case .unfollow: try context.unfollow(user, inQueueOf: moment)
    }
  }
}
