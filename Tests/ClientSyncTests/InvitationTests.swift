// Invitations: the store hides a queue of others until its user accepts.

import ModelSupport
import SampleIDs
import Testing

@testable import ClientSync

@Suite struct InvitationTests {
  /// Anna has a box with a card and makes Ben a member. Ben's device has synced.
  private static func invitation(
    _ policy: InvitationPolicy
  ) async throws -> (server: TestServer, anna: TestDevice, ben: TestDevice) {
    let (server, anna) = try await TestServer.withCard()
    let ben = try server.device(2, invitations: policy)
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    try await settle(anna, ben)
    return (server, anna, ben)
  }

  @Test func anAppThatDoesNotAskShowsTheQueueAtOnce() async throws {
    let (_, _, ben) = try await Self.invitation(.all)
    #expect(try ben.store.invitations().isEmpty)
    #expect(try ben.card(1)?.title == "Lake")
  }

  @Test func queueIsHiddenUntilInvitationIsAccepted() async throws {
    let (_, anna, ben) = try await Self.invitation(.ask)
    let invitation = try #require(try ben.store.invitations().first)
    #expect(invitation.queue == .box && invitation.by == anna.store.user && invitation.role == .writer)
    #expect(invitation.since > .zero)
    #expect(try ben.card(1) == nil)
    #expect(try ben.store.objects(Card.self).isEmpty)
    #expect(try ben.store.preview(Card.self, of: invitation).map(\.title) == ["Lake"])
    #expect(try ben.store.members(of: .box).map(\.user) == [anna.store.user, ben.store.user])
    ben.store.create(Card(2))
    #expect(ben.store.reasons == [.refused], "nothing is done in it either")

    ben.store.accept(invitation)
    #expect(try ben.store.invitations().isEmpty)
    #expect(try ben.card(1)?.title == "Lake", "at once, and without a connection")
    try await settle(ben, anna)
    #expect(try ben.store.invitations().isEmpty)
    ben.store.update(Card.id(1)) { $0.title = "Pond" }
    try await settle(ben, anna)
    #expect(try anna.card(1)?.title == "Pond")
  }

  @Test func otherDevicesOfUserLearnOfAcceptance() async throws {
    let (server, anna, ben) = try await Self.invitation(.ask)
    let tablet = try server.device(2, seed: 9, invitations: .ask)
    try await tablet.sync()
    let invitation = try #require(try tablet.store.invitations().first)
    tablet.store.accept(invitation)
    try await settle(tablet, ben)
    #expect(try ben.store.invitations().isEmpty)
    #expect(try ben.card(1)?.title == "Lake")
    // A new device does not ask about an invitation that was answered before.
    let new = try server.device(2, seed: 10, invitations: .ask)
    try await new.sync()
    #expect(try new.store.invitations().isEmpty && new.card(1)?.title == "Lake")
    _ = anna
  }

  @Test func declinedQueueLeavesAllDevices() async throws {
    let (server, anna, ben) = try await Self.invitation(.ask)
    let tablet = try server.device(2, seed: 9, invitations: .ask)
    try await tablet.sync()
    ben.store.decline(try #require(try ben.store.invitations().first))
    #expect(try ben.store.invitations().isEmpty, "at once")
    try await settle(ben, tablet, anna)
    #expect(try tablet.store.invitations().isEmpty)
    for device in [ben, tablet] {
      #expect(device.store.place(of: .box).load == .revoked && device.store.reasons.isEmpty)
    }
    #expect(try anna.store.members(of: .box).map(\.user) == [anna.store.user])

    // A new membership is a new invitation.
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    try await settle(anna, ben)
    #expect(try ben.store.invitations().map(\.queue) == [.box])
    #expect(try ben.card(1) == nil)
  }

  @Test func earlierAcceptanceDoesNotAnswerNewInvitation() async throws {
    let (_, anna, ben) = try await Self.invitation(.ask)
    ben.store.accept(try #require(try ben.store.invitations().first))
    try await settle(ben, anna)
    ben.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .leaves))
    try await settle(ben, anna)
    #expect(try ben.store.invitations().isEmpty && ben.card(1) == nil)
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    try await settle(anna, ben)
    #expect(try ben.store.invitations().count == 1 && ben.card(1) == nil)
    ben.store.accept(try #require(try ben.store.invitations().first))
    try await settle(ben, anna)
    #expect(try ben.store.invitations().isEmpty && ben.card(1)?.title == "Lake")
  }

  @Test func queueShownBeforeAppBeganToAskStaysShown() async throws {
    let (server, _, ben) = try await Self.invitation(.all)
    try await ben.store.close()
    let careful = try ben.secondProcess(seed: 7, invitations: .ask)
    #expect(try careful.card(1)?.title == "Lake")
    try await settle(careful)
    #expect(try careful.store.invitations().isEmpty && careful.card(1)?.title == "Lake")
    // The acceptance is stored, for the user's other devices.
    let new = try server.device(2, seed: 9, invitations: .ask)
    try await new.sync()
    #expect(try new.store.invitations().isEmpty && new.card(1)?.title == "Lake")
  }

  @Test func invitedQueueStaysHiddenAfterOfflineRestart() async throws {
    let (_, _, ben) = try await Self.invitation(.ask)
    try await ben.store.close()
    let again = try ben.secondProcess(seed: 7, invitations: .ask)
    #expect(try again.card(1) == nil)
    #expect(try again.store.invitations().map(\.queue) == [.box])
    // After an acceptance just before the app ends, the next start shows the queue.
    again.store.accept(try #require(try again.store.invitations().first))
    try await again.store.close()
    let last = try again.secondProcess(seed: 8, invitations: .ask)
    #expect(try last.store.invitations().isEmpty)
    #expect(try last.card(1)?.title == "Lake")
  }

  /// The app no longer asks. A screen that is open from the start sees the queue that was hidden.
  @Test func appThatStopsAskingShowsHiddenQueue() async throws {
    let (_, _, ben) = try await Self.invitation(.ask)
    try await ben.store.close()
    let again = try ben.secondProcess(seed: 7)
    var values = again.store.updates(of: Card.id(1)).makeAsyncIterator()
    #expect(try await values.next() == .some(nil))
    try await again.sync()
    #expect(try await values.next()??.title == "Lake")
  }

  /// The restored server has lost the membership that Ben accepted, and Anna's device brings it back. The app must not
  /// ask again.
  @Test func doesNotAskAgainAboutAcceptedQueueAfterRestore() async throws {
    let (server, anna) = try await TestServer.withCard()
    let backup = try server.backUp()
    let ben = try server.device(2, invitations: .ask)
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    try await settle(anna, ben)
    ben.store.accept(try #require(try ben.store.invitations().first))
    try await settle(ben, anna)
    ben.store.update(Card.id(1)) { $0.title = "Pond" }
    try await settle(ben, anna)
    try server.restore(backup)
    try await settle(ben, anna, ben)
    #expect(try ben.store.invitations().isEmpty && ben.card(1) != nil)
    #expect(ben.store.reasons == [.membershipLost])
    for failed in ben.store.failedOperations { try await ben.store.retry(failed) }
    try await settle(ben, anna)
    #expect(try ben.card(1)?.title == "Pond" && anna.card(1)?.title == "Pond")
  }

  @Test func fewInvitationsArePreviewedAndNoneIsPolled() async throws {
    let server = try TestServer()
    let stranger = try server.device(3)
    let ben = try server.device(2, invitations: .ask, previews: 2)
    for number: UInt64 in 10..<16 {
      stranger.store.create(Box(.queue(number)))
      stranger.store.create(Card(1, in: .queue(number)))
      stranger.store.perform(Member(card: Card.id(1, in: .queue(number)), user: ben.store.user, change: .joins))
    }
    try await settle(stranger, ben)
    let invitations = try ben.store.invitations()
    #expect(invitations.count == 6)
    let previews = try invitations.filter { try !ben.store.preview(Card.self, of: $0).isEmpty }
    #expect(previews.count == 2)
    #expect(
      ben.transport.messages.filter { $0.call == "Changed" }.allSatisfy { message in
        let text = String(decoding: message.body, as: UTF8.self)
        return invitations.allSatisfy { !text.contains("\($0.queue)") }
      })
    // New objects in invitations are not fetched either.
    for number: UInt64 in 10..<16 { stranger.store.create(Card(2, in: .queue(number))) }
    try await settle(stranger, ben)
    for preview in previews { #expect(try ben.store.preview(Card.self, of: preview).count == 1) }
    // One answer makes room for another preview.
    ben.store.accept(previews[0])
    try await settle(ben)
    #expect(try ben.store.objects(Card.self).count == 2)
    let others = try ben.store.invitations().filter { try !ben.store.preview(Card.self, of: $0).isEmpty }
    #expect(others.count == 2)
  }

  /// The tablet has room for one preview. Its invitation is declined elsewhere, and its rows go at once.
  @Test(.hangGuard) func previewDeclinedElsewhereGoesThoughRoomIsFull() async throws {
    let (server, anna, ben) = try await Self.invitation(.ask)
    let tablet = try server.device(2, seed: 9, invitations: .ask, previews: 1)
    try await tablet.sync()
    #expect(tablet.store.place(of: .box).load == .loaded)
    ben.store.decline(try #require(try ben.store.invitations().first))
    try await settle(ben, tablet, anna)
    #expect(tablet.store.place(of: .box).load == .revoked)
  }

  /// The tablet's home queue no longer names a declined queue, but its rows are still there. They must not be shown.
  @Test func declinedQueueIsHiddenWhileItsRowsRemain() async throws {
    let (server, _, ben) = try await Self.invitation(.ask)
    let tablet = try server.device(2, seed: 9, invitations: .ask)
    try await tablet.sync()
    ben.store.decline(try #require(try ben.store.invitations().first))
    try await ben.sync()
    tablet.transport.goes { message, send in
      guard message.call == "Delta", String(decoding: message.body, as: UTF8.self).contains("\(QueueID.box)")
      else { return await send() }
      throw TestTransport.Lost()
    }
    try? await tablet.sync()
    #expect(try tablet.store.invitations().isEmpty)
    #expect(tablet.store.place(of: .box).load == .loaded, "its rows are still here")
    #expect(try tablet.card(1) == nil)
  }

  @Test func previewsOnePageOfLargeInvitation() async throws {
    let (server, anna) = try await TestServer.withCard()
    for number: UInt64 in 100..<103 {
      anna.store.create(Card(number, title: String(repeating: "x", count: 700_000)))
    }
    let ben = try server.device(2, invitations: .ask)
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    try await settle(anna, ben)
    let invitation = try #require(try ben.store.invitations().first)
    #expect(try ben.store.preview(Card.self, of: invitation).count < 4)
    #expect(ben.store.place(of: .box).load == .loading)
    ben.store.accept(invitation)
    try await settle(ben)
    #expect(try ben.store.objects(Card.self).count == 4 && ben.store.place(of: .box).load == .loaded)
  }

  @Test func observerSeesEachChangeOfInvitations() async throws {
    let (server, anna) = try await TestServer.withCard()
    let ben = try server.device(2, invitations: .ask)
    var lists = ben.store.invitationUpdates().makeAsyncIterator()
    #expect(try await lists.next() == [])
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    try await settle(anna, ben)
    let invitations = try #require(try await lists.next())
    #expect(invitations.map(\.queue) == [.box])
    let decline = ben.store.decline(invitations[0])
    #expect(try await lists.next() == [])
    decline.cancel()
    #expect(try await lists.next() == invitations)
    ben.store.accept(invitations[0])
    #expect(try await lists.next() == [])
  }
}
