// Links by which people join a queue, from the app to the server and back.

import ModelSupport
import SampleIDs
import Testing

@testable import ClientSync

@Suite struct LinkInvitationTests {
  private static let far = Timestamp(millisecondsSince1970: 4_000_000_000_000)

  /// Anna has a box with a card, and has opened a link.
  private static func opened(
    uses: Int = 1, as role: QueueRole = .writer, until: Timestamp = far
  ) async throws -> (server: TestServer, anna: TestDevice, link: InvitationLink) {
    let (server, anna) = try await TestServer.withCard()
    let link = InvitationLink(to: .box)
    anna.store.open(link, as: role, uses: uses, until: until)
    try await settle(anna)
    return (server, anna, link)
  }

  private func users(_ device: TestDevice) throws -> [UInt64] {
    try device.store.members(of: .box).map(\.user.rawValue.low)
  }

  @Test func somebodyJoins() async throws {
    let (server, anna, link) = try await Self.opened(as: .reader)
    let open = try #require(try anna.store.links(of: .box).first)
    #expect(open.id == link.id && open.role == .reader && open.uses == 1 && open.by == anna.store.user)
    let ben = try server.device(2, invitations: .ask)
    let joining = ben.store.join(try #require(InvitationLink(link.text)))
    try await ben.store.waitUntilSaved()
    guard case .saved = joining.state else {
      Issue.record("not waiting for a connection: \(joining.state)")
      return
    }
    try await settle(ben, anna)
    try await joining.waitUntilConfirmed()
    #expect(try ben.card(1)?.title == "Lake" && ben.store.role(in: .box) == .reader)
    #expect(try ben.store.invitations().isEmpty, "who joins is not asked")
    #expect(try users(anna) == [1, 2] && users(ben) == [1, 2])
    #expect(try anna.store.links(of: .box).isEmpty, "it was used")

    let cleo = try server.device(3)
    cleo.store.join(link)
    try await settle(cleo)
    #expect(cleo.store.reasons == [.linkEnded] && cleo.store.pending == 0)
    #expect(try cleo.card(1) == nil)
  }

  @Test func linkOfThreeIsUsedThreeTimes() async throws {
    let (server, anna, link) = try await Self.opened(uses: 3)
    var devices: [TestDevice] = []
    for user: UInt64 in 2...5 {
      let device = try server.device(user)
      device.store.join(link)
      try await settle(device)
      devices.append(device)
    }
    try await settle(anna)
    #expect(devices.map(\.store.reasons) == [[], [], [], [.linkEnded]])
    #expect(try users(anna) == [1, 2, 3, 4])
    // Whom a link has let in may be taken out again.
    anna.store.perform(Member(card: Card.id(1), user: devices[0].store.user, change: .leaves))
    try await settle(anna, devices[0])
    #expect(try users(anna) == [1, 3, 4] && devices[0].card(1) == nil)
  }

  @Test func closedLinkLetsNobodyIn() async throws {
    let (server, anna, link) = try await Self.opened(uses: 5)
    let ben = try server.device(2)
    ben.store.join(link)
    try await settle(ben)
    ben.store.close(try #require(try ben.store.links(of: .box).first))
    #expect(try ben.store.links(of: .box).isEmpty, "at once")
    try await settle(ben, anna)
    #expect(try anna.store.links(of: .box).isEmpty)
    let cleo = try server.device(3)
    cleo.store.join(link)
    try await settle(cleo)
    #expect(cleo.store.reasons == [.linkEnded])
    // Anna opens it again, and Cleo tries once more.
    anna.store.open(link, uses: 1, until: Self.far)
    try await settle(anna)
    try await cleo.store.retry(try #require(cleo.store.failedOperations.first))
    try await settle(cleo)
    #expect(try cleo.card(1)?.title == "Lake" && cleo.store.failedOperations.isEmpty)
  }

  @Test func linkEndsByTime() async throws {
    let (server, _, link) = try await Self.opened(until: Timestamp(millisecondsSince1970: 1))
    let ben = try server.device(2)
    ben.store.join(link)
    try await settle(ben)
    #expect(ben.store.reasons == [.linkEnded])
  }

  /// A secret that somebody made up, and a queue that is not there.
  @Test func guessesLeadNowhere() async throws {
    let (server, _, link) = try await Self.opened()
    let ben = try server.device(2)
    let guess = InvitationLink(to: .box)
    #expect(guess.id != link.id)
    ben.store.join(guess)
    ben.store.join(InvitationLink(to: .other))
    try await settle(ben)
    #expect(Set(ben.store.reasons) == [.linkEnded, .revoked] && ben.store.pending == 0)
  }

  @Test func onlyWhoMayInviteOpensLinks() async throws {
    let (server, anna, link) = try await Self.opened(as: .reader)
    let ben = try server.device(2)
    ben.store.join(link)
    try await settle(ben, anna)
    ben.store.open(InvitationLink(to: .box), as: .reader, until: Self.far)
    #expect(ben.store.reasons == [.forbidden])
    anna.store.open(InvitationLink(to: .box), uses: 0, until: Self.far)
    anna.store.open(InvitationLink(to: .box), uses: 10_001, until: Self.far)
    #expect(anna.store.reasons == [.refused, .refused])
  }

  /// Joining while already in changes nothing, and uses nothing up.
  @Test func memberWhoJoinsUsesNothing() async throws {
    let (server, anna, link) = try await Self.opened()
    let ben = try server.device(2)
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    try await settle(anna, ben)
    ben.store.join(link)
    try await settle(ben, anna)
    #expect(ben.store.failedOperations.isEmpty && ben.store.pending == 0)
    #expect(try anna.store.links(of: .box).map(\.uses) == [1])
  }

  /// Ben was asked, has not answered, and uses a link.
  @Test func joiningAcceptsTheInvitation() async throws {
    let (server, anna, link) = try await Self.opened()
    let ben = try server.device(2, invitations: .ask)
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    try await settle(anna, ben)
    #expect(try ben.store.invitations().count == 1)
    ben.store.join(link)
    #expect(try ben.store.invitations().isEmpty && ben.card(1)?.title == "Lake")
    try await settle(ben)
    #expect(try ben.store.invitations().isEmpty && ben.card(1)?.title == "Lake")
  }

  /// What the restored server has lost of it comes again: the link, and who has joined by it.
  @Test func serverIsRestored() async throws {
    let (server, anna) = try await TestServer.withCard()
    let backup = try server.backUp()
    let link = InvitationLink(to: .box)
    anna.store.open(link, uses: 2, until: Self.far)
    try await settle(anna)
    let ben = try server.device(2)
    ben.store.join(link)
    try await settle(ben)
    ben.store.update(Card.id(1)) { $0.title = "Pond" }
    try await settle(ben, anna)
    try server.restore(backup)
    try await settle(anna, ben, anna)
    #expect(try anna.card(1)?.title == "Pond" && ben.card(1)?.title == "Pond")
    #expect(try users(anna) == [1, 2] && anna.store.links(of: .box).map(\.uses) == [1])
    #expect(ben.store.failedOperations.isEmpty && ben.store.pending == 0)
  }

  @Test(arguments: [
    "", "a", String(repeating: "A", count: 42), String(repeating: "A", count: 44), String(repeating: "!", count: 43),
    String(repeating: "é", count: 43), String(repeating: "=", count: 43),
  ])
  func textOfNoLinkIsNone(text: String) { #expect(InvitationLink(text) == nil) }

  @Test func textIsReadBack() throws {
    for _ in 0..<200 {
      let link = InvitationLink(to: QueueID(.random()))
      #expect(InvitationLink(link.text) == link && link.text.count == 43)
    }
  }
}
