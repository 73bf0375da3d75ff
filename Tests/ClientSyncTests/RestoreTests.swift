// Tests of a device whose server has lost a part of its history, step by step.

import ModelSupport
import SampleIDs
import SyncServer
import Testing

@Suite struct RestoreTests {
  private func likes(_ device: TestDevice) throws -> Int64? { try device.card(1)?.likes }

  @Test func theRefusalOfAnEarlierEpochBeginsTheLoadAnew() async throws {
    let (server, anna) = try await TestServer.withCard()
    let before = anna.store.place(of: .box)
    try server.restore(server.backUp())
    let delta = anna.delta()
    try await delta.take(delta.serve())
    let place = anna.store.place(of: .box)
    #expect(place.load == .reloading && place.position == nil && place.epoch != before.epoch)
    #expect(try anna.card(1)?.title == "Lake", "what is shown stays until the load is complete")
  }

  @Test func nothingIsSentWhileAQueueIsLoadedAgain() async throws {
    let (server, anna) = try await TestServer.withCard()
    try server.restore(server.backUp())
    anna.store.perform(Like(card: Card.id(1)))
    let delta = anna.delta()
    try await delta.take(delta.serve())
    #expect(try await anna.commit().request.mutations.isEmpty, "what the server has lost goes first")
    #expect(anna.store.syncNeeds()[.box]?.canSend == false)
    try await settle(anna)
    #expect(try likes(anna) == 1 && anna.store.pending == 0)
  }

  @Test func operationsThatRestoreKeptAreShownOnce() async throws {
    let (server, anna) = try await TestServer.withCard()
    for number: UInt64 in 2...4 { anna.store.create(Card(number)) }
    anna.store.perform(Like(card: Card.id(1)))
    try await settle(anna)
    try server.restore(server.backUp())
    for page in 0..<9 {
      let delta = anna.delta(limit: 1)
      try await delta.take(delta.serve())
      #expect(try likes(anna) == 1, "page \(page)")
      if page > 0, anna.store.place(of: .box).load == .loaded { break }
    }
    #expect(anna.store.pending == 0, "no retired operation has to be sent again")
  }

  @Test func deviceRefillsServerThatLostWholeQueue() async throws {
    let server = try TestServer()
    let backup = try server.backUp()
    let anna = try server.device(1)
    anna.store.create(Box())
    anna.store.create(Card(1, title: "Lake"))
    anna.store.perform(Like(card: Card.id(1)))
    try await settle(anna)
    try server.restore(backup, isSilent: true)
    let delta = anna.delta()
    try await delta.take(delta.serve())
    #expect(try likes(anna) == 1 && anna.store.pending == 3)
    try await settle(anna)
    #expect(try likes(anna) == 1 && anna.store.pending == 0)
  }

  @Test func deviceSendsAndLosesNothingAtWrongServer() async throws {
    let (server, anna) = try await TestServer.withCard()
    try await settle(anna)
    let backup = try server.backUp()
    anna.store.perform(Like(card: Card.id(1)))
    try await settle(anna)
    try server.loseEverything()
    anna.store.update(Card.id(1)) { $0.title = "made meanwhile" }
    for _ in 0..<2 {
      await #expect { try await anna.sync() } throws: { "\($0)".contains("another server") }
      #expect(try likes(anna) == 1 && anna.card(1)?.title == "made meanwhile")
      #expect(anna.store.pending == 1 && anna.store.failedOperations.isEmpty)
    }
    #expect(
      anna.store.pendingOperations.allSatisfy { if case .saved = $0.state { true } else { false } },
      "nothing was sent to it")
    try server.restore(backup)
    try await settle(anna)
    #expect(try likes(anna) == 1 && anna.card(1)?.title == "made meanwhile" && anna.store.pending == 0)
  }

  /// Seed 2003188222105720: a restore loses Anna's like, and her other device brings it back eight days later. Her
  /// first device must keep the like for another week, because it is alone when the server is restored a second time.
  @Test func operationResentByOtherDeviceIsKeptForWeek() async throws {
    let time = TestTime()
    let server = try TestServer(time: time)
    let anna = try server.device(1)
    anna.store.create(Box())
    anna.store.create(Card(1, title: "Lake"))
    try await settle(anna)
    let backup = try server.backUp()
    anna.store.perform(Like(card: Card.id(1)))
    try await anna.store.waitUntilSaved()
    let twin = try anna.clone(seed: 9)
    try await settle(anna)
    try server.restore(backup)
    time.pass(8 * 86_400_000)
    try await settle(twin)
    // The second page forgets what is older than a week.
    for _ in 0..<2 { try await anna.pull() }
    #expect(try likes(anna) == 1 && anna.store.pending == 0)
    try server.restore(backup)
    try await settle(anna)
    #expect(try likes(anna) == 1 && anna.store.pending == 0 && anna.store.failedOperations.isEmpty)
  }

  @Test func aSilentRestoreIsNoticedByTheDigest() async throws {
    let (server, anna, ben) = try await TestServer.withCardOfTwo()
    let backup = try server.backUp()
    anna.store.create(Card(2, title: "lost with the server"))
    try await anna.sync()
    try server.restore(backup, isSilent: true)
    // The head passes what Anna has seen, so only the digest shows the loss.
    for _ in 0..<4 { ben.store.perform(Like(card: Card.id(1))) }
    try await settle(ben, anna, ben)
    for device in [anna, ben] {
      #expect(try device.card(2)?.title == "lost with the server")
      #expect(try likes(device) == 4 && device.store.pending == 0)
    }
  }

  /// A silent restore loses the first of two likes, and the page that shows this has the effect of the second. It must
  /// not be shown. `years`: the server's clock is ahead, or was set back as well.
  @Test(arguments: [10, -10])
  func pageThatRevealsSilentRestoreIsNotShown(years: Int64) async throws {
    let (server, anna) = try await TestServer.withCard()
    let backup = try server.backUp()
    anna.store.perform(Like(card: Card.id(1)))
    try await anna.push()
    try server.restore(backup, isSilent: true)
    anna.store.perform(Like(card: Card.id(1)))
    // The effect of the second like comes with the page that shows that the server has lost the first one.
    try await anna.commit().serve()
    for page in 0..<9 {
      let delta = anna.delta()
      var answer = try await delta.serve()
      answer.time = Timestamp(millisecondsSince1970: 1_700_000_000_000 + years * 31_557_600_000)
      try await delta.take(answer)
      #expect(try likes(anna) == 2, "page \(page)")
      if page > 0, anna.store.place(of: .box).load == .loaded { break }
    }
    try await settle(anna)
    #expect(try likes(anna) == 2 && anna.store.pending == 0)
  }

  @Test(arguments: [true, false])
  func conditionFailsIfRestoreLostSeenContent(isLost: Bool) async throws {
    let (server, anna, ben) = try await TestServer.withCardOfTwo()
    let backup = isLost ? try server.backUp() : nil
    ben.store.update(Card.id(1)) { $0.title = "Ben's" }
    try await settle(ben, anna)
    anna.store.perform(Like(card: Card.id(1), unlessChanged: true))
    _ = try await anna.commit()
    try server.restore(backup ?? server.backUp())
    // Ben, who would send the title again, stays away.
    try await settle(anna)
    #expect(anna.store.pending == 0)
    #expect(try anna.store.reasons == (isLost ? [.conditionFailed] : []) && likes(anna) == (isLost ? 0 : 1))
  }

  @Test func ignoresOutcomesOfAnotherEpoch() async throws {
    let (_, anna) = try await TestServer.withCard()
    anna.store.perform(Like(card: Card.id(1)))
    let commit = try await anna.commit()
    let outcome = OperationOutcome(
      operation: commit.request.mutations[0].operation, status: .applied, at: commit.from.cursor, time: .zero)
    let foreign = CommitAnswer.Decided(
      epoch: EpochID(high: 7, low: 7), grant: try #require(commit.from.grant), role: .owner,
      outcomes: [outcome])
    try await commit.take(CommitAnswer(time: .zero, result: .decided(foreign)))
    #expect(anna.store.pending == 1, "it was never applied")
    try await settle(anna)
    #expect(try likes(anna) == 1 && anna.store.pending == 0)
  }

  @Test func deleteWithoutEffectIsRedoneAfterRestore() async throws {
    let (server, anna, ben) = try await TestServer.withCardOfTwo()
    let backup = try server.backUp()
    for device in [anna, ben] { device.store.delete(Card.id(1)) }
    try await anna.sync()
    try await settle(ben)
    #expect(ben.store.pending == 0)
    try server.restore(backup)
    // Anna, whose delete was the one that counted, stays away.
    try await settle(ben)
    #expect(try ben.card(1) == nil, "what it found done is lost with the server's history")
  }
}
