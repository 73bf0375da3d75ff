// The races between a device and a server, each driven by hand. docs/guides/sync.md has their numbers.

import ModelSupport
import Testing

@Suite struct RaceTests {
  private func likes(_ device: TestDevice, _ number: UInt64 = 1) throws -> Int64? { try device.card(number)?.likes }

  @Test func race1_answerIsLostThoughOperationWasApplied() async throws {
    let (_, anna) = try await TestServer.withCard()
    anna.store.perform(Like(card: Card.id(1)))
    try await anna.commit().serve()
    let again = try await anna.commit()
    try await again.take(again.serve())
    try await anna.pull()
    #expect(try likes(anna) == 1 && anna.store.pending == 0)
  }

  @Test func race2_theDeltaShowsTheEffectBeforeTheAnswer() async throws {
    let (_, anna) = try await TestServer.withCard()
    anna.store.perform(Like(card: Card.id(1)))
    let commit = try await anna.commit()
    let answer = try await commit.serve()
    try await anna.pull()
    #expect(try likes(anna) == 1 && anna.store.pending == 0)
    try await commit.take(answer)
    #expect(try likes(anna) == 1)
  }

  @Test func race3_theAnswerComesBeforeTheDelta() async throws {
    let (_, anna) = try await TestServer.withCard()
    anna.store.perform(Like(card: Card.id(1)))
    try await anna.push()
    #expect(try likes(anna) == 1 && anna.store.pending == 1, "it stays until the cursor has reached it")
    try await anna.pull()
    #expect(try likes(anna) == 1 && anna.store.pending == 0)
  }

  @Test func race4_anObjectChangesAgainBetweenThePages() async throws {
    let (server, anna) = try await TestServer.withCard()
    anna.store.create(Card(2))
    try await anna.push()
    try await anna.pull()
    for number: UInt64 in [1, 2] { anna.store.perform(Like(card: Card.id(number))) }
    try await anna.commit().serve()
    let twin = try server.device(1, seed: 9)
    try await twin.pull()
    for page in 0..<9 {
      let delta = anna.delta(limit: 1)
      try await delta.take(delta.serve())
      #expect(try likes(anna, 2) == 1, "page \(page)")
      if anna.store.pending == 0 { break }
      if page == 0 {
        twin.store.perform(Like(card: Card.id(1)))
        try await twin.push()
      }
    }
    #expect(try likes(anna) == 2 && anna.store.pending == 0)
  }

  @Test func race5_anObjectIsDeletedWhileADeviceLoads() async throws {
    let (anna, twin) = try await TestServer.withFiveCards()
    let first = twin.delta(limit: 2)
    try await first.take(first.serve())
    for number: UInt64 in 1...5 where number % 2 == 1 { anna.store.delete(Card.id(number)) }
    try await anna.push()
    try await anna.pull()
    try await twin.pull(limit: 2)
    for device in [anna, twin] {
      #expect(
        try device.store.objects(Card.self).map(\.id).sorted() == [2, 4].map(Card.id))
    }
  }

  /// A load brings objects while operations touch them, so its pages are staged. The operations are
  /// cancelled, and then the deletes of the objects arrive. The objects must go, without another load.
  @Test func race5_anObjectIsDeletedAfterAnOperationOnItIsCancelled() async throws {
    let (anna, twin) = try await TestServer.withFiveCards()
    let operations = (1...5).map { twin.store.create(Card($0)) }
    for _ in 1...4 {
      let page = twin.delta(limit: 1)
      try await page.take(page.serve())
    }
    for operation in operations { operation.cancel() }
    for number: UInt64 in 1...5 { anna.store.delete(Card.id(number)) }
    try await anna.push()
    try await anna.pull()
    while twin.store.place(of: .box).load != .loaded {
      let page = twin.delta(limit: 1)
      try await page.take(page.serve())
      try #require(twin.store.place(of: .box).load != .reloading, "the rows are the server's")
    }
    #expect(try twin.store.objects(Card.self).isEmpty)
  }

  @Test func race6_objectIsEditedAgainWhileEditIsInFlight() async throws {
    let (_, anna) = try await TestServer.withCard()
    anna.store.update(Card.id(1)) { $0.title = "one" }
    let first = try await anna.commit()
    anna.store.update(Card.id(1)) { $0.title = "two" }
    let second = try await anna.commit()
    #expect(second.request.mutations.count == 2, "the first goes along until its outcome is known")
    try await second.serve()
    try await first.serve()
    try await anna.pull()
    #expect(try anna.card(1)?.title == "two" && anna.store.pending == 0)
  }

  @Test(arguments: [true, false])
  func race7_operationIsCancelledInFlight(isApplied: Bool) async throws {
    let (_, anna) = try await TestServer.withCard()
    let handle = anna.store.perform(Like(card: Card.id(1)))
    let commit = try await anna.commit()
    if isApplied { try await commit.serve() }
    handle.cancel()
    #expect(try likes(anna) == 0)
    let void = try await anna.commit()
    #expect(void.request.mutations.map(\.isVoid) == [true])
    try await void.serve()
    if !isApplied { try await commit.serve() }
    try await anna.pull()
    #expect(try likes(anna) == (isApplied ? 1 : 0) && anna.store.pending == 0)
    #expect(anna.store.reasons == (isApplied ? [] : [.cancelled]))
  }

  @Test func race8_twoProcessesHaveTheSameStore() async throws {
    let (_, anna) = try await TestServer.withCard()
    try await anna.store.takeSync()
    anna.store.perform(Like(card: Card.id(1)))
    try await anna.store.waitUntilSaved()
    for _ in 0..<2 {
      #expect { _ = try anna.secondProcess(seed: 9) } throws: { ($0 as? StoreError)?.code == .busy }
    }
    // The first process dies, and the second has everything that was saved.
    anna.store.abandon()
    let other = try anna.secondProcess(seed: 9)
    #expect(try likes(other) == 1 && other.store.pending == 1)
    try await other.sync()
    #expect(try likes(other) == 1 && other.store.pending == 0)
    // If its lock was taken away, the first process fails at the latest when it sends.
    await #expect { _ = try await anna.commit() } throws: { ($0 as? StoreError)?.code == .busy }
  }

  @Test func race34_aConditionIsAboutWhatItsUserSaw() async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo()
    // Anna is offline: an earlier edit of hers, then a conditional one.
    anna.store.perform(Like(card: Card.id(1)))
    anna.store.perform(Like(card: Card.id(1), unlessChanged: true))
    ben.store.update(Card.id(1)) { $0.title = "Ben's" }
    try await settle(ben)
    try await settle(anna, ben)
    #expect(anna.store.reasons == [.conditionFailed], "it would have been done to what she had not seen")
    #expect(try likes(anna) == 1 && ben.card(1)?.title == "Ben's")
  }

  @Test func ownEarlierEditsDoNotBreakCondition() async throws {
    let (_, anna) = try await TestServer.withCard()
    for _ in 0..<3 { anna.store.perform(Like(card: Card.id(1), unlessChanged: true)) }
    let commit = try await anna.commit()
    #expect(commit.request.mutations.count == 3, "nothing has to be waited for")
    try await commit.take(commit.serve())
    try await settle(anna)
    #expect(try likes(anna) == 3 && anna.store.pending == 0 && anna.store.failedOperations.isEmpty)
  }
}
