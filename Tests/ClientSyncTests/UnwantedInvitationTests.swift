// Tests that strangers, other devices and restores show the user no queue that nobody has accepted.

import ModelSupport
import SampleIDs
import SyncProtocol
import SyncServer
import TestSupport
import Testing

@testable import ClientSync

@Suite struct UnwantedInvitationTests {
  private static let (first, second) = (QueueID.queue(3), QueueID.queue(4))

  /// Another user makes Ben a member of `queues`.
  private static func stranger(_ server: TestServer, _ queues: [QueueID], invites ben: TestDevice) async throws
    -> TestDevice
  {
    let stranger = try server.device(3)
    for queue in queues {
      stranger.store.create(Box(queue))
      stranger.store.create(Card(8, in: queue, title: "Spam"))
      stranger.store.perform(Member(card: Card.id(8, in: queue), user: ben.store.user, change: .joins))
    }
    try await settle(stranger, ben)
    return stranger
  }

  @Test func declineLeavesOtherInvitationsOfItsSender() async throws {
    let server = try TestServer()
    let ben = try server.device(2, invitations: .ask)
    let stranger = try await Self.stranger(server, [Self.first, Self.second], invites: ben)
    let tablet = try server.device(2, seed: 9, invitations: .ask)
    try await tablet.sync()
    #expect(try tablet.store.invitations().count == 2)
    ben.store.decline(try #require(try ben.store.invitations().first { $0.queue == Self.first }))
    try await ben.sync()
    try await tablet.sync()
    #expect(try tablet.store.invitations().map(\.queue) == [Self.second])
    #expect(try tablet.card(8, in: Self.second) == nil)
    _ = stranger
  }

  /// The server forgets the outcome of each acceptance, and the client makes it again. It must not do so for ever (seed
  /// 1126 of the simulation).
  @Test func anAcceptanceThatIsLostIsNotMadeAgainForEver() async throws {
    let time = TestTime()
    let server = try TestServer(time: time)
    let ben = try server.device(2, invitations: .ask)
    let friend = try await Self.stranger(server, [Self.first], invites: ben)
    ben.store.accept(try #require(try ben.store.invitations().first))
    try await settle(ben)
    friend.store.create(Box(Self.second))
    friend.store.create(Card(8, in: Self.second))
    friend.store.perform(Member(card: Card.id(8, in: Self.second), user: ben.store.user, change: .joins))
    try await settle(friend, ben)
    ben.store.accept(try #require(try ben.store.invitations().first))
    let home = ben.store.homeQueueID
    let before = ben.transport.messages.count
    ben.transport.goes { message, send in
      guard ben.transport.messages.count < before + 100 else { throw TestTransport.Lost() }
      if message.call == "Commit" {
        let ahead = time.clock() + Int64(ben.transport.messages.count) * 60_000
        try await server.service.forgetOutcomes(in: home, before: Timestamp(millisecondsSince1970: ahead))
      }
      return await send()
    }
    await #expect { try await ben.sync() } throws: { "\($0)".contains("decides none") }
    #expect(ben.transport.messages.count < before + 20)

    ben.transport.goesStraight()
    try await settle(ben)
    #expect(try ben.card(8, in: Self.second) != nil && ben.store.pending == 0)
  }

  @Test func withdrawnInvitationLeavesOthersOfItsSender() async throws {
    let server = try TestServer()
    let ben = try server.device(2, invitations: .ask)
    let stranger = try await Self.stranger(server, [Self.first, Self.second], invites: ben)
    stranger.store.perform(Member(card: Card.id(8, in: Self.first), user: ben.store.user, change: .leaves))
    try await settle(stranger, ben)
    #expect(try ben.store.invitations().map(\.queue) == [Self.second])
    #expect(try ben.card(8, in: Self.second) == nil)
  }

  /// Ben leaves a queue and is made a member again while his tablet, which shows the queue, is away. The new membership
  /// is an invitation on both devices.
  @Test func deviceThatWasAwayAcceptsNoNewInvitation() async throws {
    let server = try TestServer()
    let ben = try server.device(2, invitations: .ask)
    let stranger = try await Self.stranger(server, [Self.first], invites: ben)
    let tablet = try server.device(2, seed: 9, invitations: .ask)
    ben.store.accept(try #require(try ben.store.invitations().first))
    try await settle(ben, tablet)
    #expect(try tablet.card(8, in: Self.first) != nil)
    ben.store.perform(Member(card: Card.id(8, in: Self.first), user: ben.store.user, change: .leaves))
    try await settle(ben, stranger)
    stranger.store.perform(Member(card: Card.id(8, in: Self.first), user: ben.store.user, change: .joins))
    try await settle(stranger, ben, tablet)
    #expect(try ben.store.invitations().count == 1 && ben.card(8, in: Self.first) == nil)
    #expect(try tablet.store.invitations().count == 1 && tablet.card(8, in: Self.first) == nil)
  }

  @Test func restoreDoesNotAcceptOpenInvitation() async throws {
    let (server, anna) = try await TestServer.withCard()
    let ben = try server.device(2, invitations: .ask)
    try await ben.sync()
    let backup = try server.backUp()
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    try await settle(anna, ben)
    #expect(try ben.store.invitations().count == 1)
    try server.restore(backup)
    try await settle(ben)
    #expect(ben.store.place(of: .box).load == .revoked)
    try await settle(anna, ben)
    #expect(try ben.store.invitations().count == 1 && ben.card(1) == nil)
  }

  /// The server refuses the only owner's leave: the store reports it and lists the invitation again.
  @Test func lastOwnerCannotDeclineInvitation() async throws {
    let server = try TestServer()
    let ben = try server.device(2, invitations: .ask)
    let stranger = try await Self.stranger(server, [Self.first], invites: ben)
    let nobody = UserID(high: 77, low: 77)
    for (user, change): (UserID, Member.Change) in [
      (nobody, .joins), (ben.store.user, .becomes(.owner)), (stranger.store.user, .leaves),
    ] {
      stranger.store.perform(Member(card: Card.id(8, in: Self.first), user: user, change: change))
    }
    try await settle(stranger, ben)
    ben.store.decline(try #require(try ben.store.invitations().first))
    try await settle(ben)
    #expect(ben.store.reasons == [.lastOwner])
    let invitation = try #require(try ben.store.invitations().first)
    #expect(invitation.role == .owner)
    ben.store.accept(invitation)
    ben.store.delete(Box.id(Self.first))
    try await settle(ben)
    #expect(ben.store.place(of: Self.first).load == .ended)
  }

  /// The list of invitations comes again when a preview gets its first page, and when the role changes.
  @Test(.hangGuard) func observerSeesNewPreviewAndRoleOfInvitation() async throws {
    let server = try TestServer()
    let ben = try server.device(2, invitations: .ask)
    var lists = ben.store.invitationUpdates().makeAsyncIterator()
    #expect(try await lists.next() == [])
    let stranger = try server.device(3)
    stranger.store.create(Box(Self.first))
    for number: UInt64 in 8..<11 {
      stranger.store.create(Card(number, in: Self.first, title: String(repeating: "x", count: 700_000)))
    }
    stranger.store.perform(Member(card: Card.id(8, in: Self.first), user: ben.store.user, change: .joins))
    try await settle(stranger)
    ben.transport.goes { message, send in
      // Loses the requests for the preview, so that the home queue is read and looked at first.
      if message.call == "Delta", String(decoding: message.body, as: UTF8.self).contains("\(Self.first)") {
        throw TestTransport.Lost()
      }
      return await send()
    }
    try? await ben.sync()
    let invitation = try #require(try await lists.next()?.first)
    #expect(try ben.store.preview(Card.self, of: invitation).isEmpty)
    let late = LateLists(ben.store)
    ben.transport.goes { message, send in
      // An observer that begins during the request hears only of its answer.
      if message.call == "Delta", String(decoding: message.body, as: UTF8.self).contains("\(Self.first)") {
        await late.begin()
      }
      return await send()
    }
    try await ben.sync()
    #expect(await late.next() == 1, "a page has come")
    #expect(try !ben.store.preview(Card.self, of: invitation).isEmpty)
    ben.transport.goesStraight()
    _ = try await lists.next()
    stranger.store.perform(
      Member(card: Card.id(8, in: Self.first), user: ben.store.user, change: .becomes(.reader)))
    try await settle(stranger, ben)
    #expect(try await lists.next()?.map(\.role) == [.reader])
  }
}

/// The lists of invitations of a store from `begin` on. `@unchecked Sendable`: used by one task after the other.
private final class LateLists: @unchecked Sendable {
  private let store: ModelStore
  private var lists: StoreUpdates<[QueueInvitation]>.Iterator?

  init(_ store: ModelStore) { self.store = store }

  /// Begins to observe, and reads the present list.
  func begin() async {
    guard lists == nil else { return }
    lists = store.invitationUpdates().makeAsyncIterator()
    _ = try? await lists?.next()
  }

  /// The number of invitations after the next change.
  func next() async -> Int? { try? await lists?.next()?.count }
}
