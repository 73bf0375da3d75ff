// Races of objects that are deleted and created again, each driven by hand. docs/guides/sync.md has their numbers.

import ModelSupport
import SyncServer
import Testing

@Suite struct RevivalRaceTests {
  private func title(_ device: TestDevice) throws -> String? { try device.card(1)?.title }

  /// Anna deletes a card. Ben, who has seen that, creates it again, and both see it.
  @Test func race23_seenDeleteDoesNotStopCreate() async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo()
    anna.store.delete(Card.id(1))
    try await settle(anna, ben)
    #expect(try title(ben) == nil)
    ben.store.create(Card(1, title: "again"))
    #expect(try title(ben) == "again", "it is on the screen at once")
    try await settle(ben, anna)
    for device in [anna, ben] {
      #expect(try title(device) == "again" && device.store.pending == 0 && device.store.failedOperations.isEmpty)
    }
  }

  /// Anna deletes a card by mistake, and creates it again from the value that she has.
  @Test func createUndoesSyncedDelete() async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo()
    let card = try #require(try anna.card(1))
    anna.store.delete(card.id)
    try await settle(anna, ben)
    anna.store.create(card)
    try await settle(anna, ben)
    for device in [anna, ben] {
      #expect(try device.card(1) == card && device.store.pending == 0 && device.store.failedOperations.isEmpty)
    }
  }

  @Test func race23_aDeleteThatWasNotSeenWins() async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo()
    anna.store.delete(Card.id(1))
    try await anna.sync()
    let create = Card(1, title: "on top")
    ben.store.create(create)
    #expect(try title(ben) == "Lake", "a create fills what is empty")
    // The delete arrives before the create is answered. The card is not shown again, also not after a restart.
    let commit = try await ben.commit()
    try await ben.pull()
    #expect(try title(ben) == nil)
    let restarted = try ben.clone(seed: 77)
    #expect(try title(restarted) == nil && restarted.store.pending == 1)
    try await commit.serve()
    try await settle(restarted, anna)
    #expect(try title(restarted) == nil && restarted.store.reasons == [.noEffect])
    #expect(restarted.store.failedOperations.first?.changes.objects.map(\.object) == [create.id.rawValue])
  }

  /// An operation keeps what its user saw when it was performed, however late it is sent. Ben had not seen the delete,
  /// so it wins.
  @Test func race23_deleteSeenOnlyAfterCreateWins() async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo()
    ben.store.create(Card(1, title: "on top"))
    anna.store.delete(Card.id(1))
    try await anna.sync()
    try await ben.pull()
    try await settle(ben, anna)
    #expect(try title(ben) == nil && ben.store.reasons == [.noEffect])
  }

  /// A staged page is not on the screen, so Ben has not seen the delete in it. His create has no effect.
  @Test func race23_stagedPageDoesNotCountAsSeen() async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo()
    anna.store.create(Card(2, title: "more"))
    try await settle(anna, ben)
    anna.store.delete(Card.id(1))
    anna.store.delete(Card.id(2))
    try await anna.sync()
    let delta = ben.delta(limit: 1)
    try await delta.take(delta.serve())
    #expect(try title(ben) == "Lake", "the first of two pages")
    ben.store.create(Card(1, title: "on top"))
    try await settle(ben, anna)
    #expect(try title(ben) == nil && ben.store.reasons == [.noEffect])
  }

  @Test func race24_serverIsRestoredBetweenDeleteAndCreate() async throws {
    let (server, anna, ben) = try await TestServer.withCardOfTwo()
    ben.store.create(Card(1, title: "on top"))
    anna.store.delete(Card.id(1))
    try await anna.sync()
    try server.restore(try server.backUp())
    try await settle(ben, anna)
    #expect(
      try title(anna) == "on top" && ben.store.failedOperations.isEmpty, "of another history: the last intention wins")
  }

  @Test func race25_createAfterCancelledDeleteThatWasApplied() async throws {
    let (_, anna) = try await TestServer.withCard()
    let delete = anna.store.delete(Card.id(1))
    let commit = try await anna.commit()
    try await commit.serve()
    delete.cancel()
    anna.store.create(Card(1, title: "again"))
    try await settle(anna)
    #expect(try title(anna) == "again" && anna.store.pending == 0)
  }

  @Test func race26_deleteWinsOverCreateDuringFirstLoad() async throws {
    let (server, anna, ben) = try await TestServer.withCardOfTwo()
    anna.store.delete(Card.id(1))
    try await anna.sync()
    let twin = try server.device(2, seed: 9)
    twin.store.create(Card(1, title: "on top"))
    try await settle(twin, ben)
    #expect(twin.store.reasons == [.noEffect])
    #expect(try title(twin) == nil && title(ben) == nil)
  }

  @Test func userThatCreatesAgainBecomesCreator() async throws {
    let (server, anna, ben) = try await TestServer.withCardOfTwo()
    anna.store.delete(Card.id(1))
    try await settle(anna, ben)
    ben.store.create(Card(1, title: "again"))
    try await settle(ben)
    let request = ObjectsRequest(queue: .box)
    let page = try await server.service.objects(request, by: ben.store.asker)
    #expect(page.objects.first { $0.id == Card.id(1).rawValue }?.live?.system.createdBy == ben.store.user)
  }
}
