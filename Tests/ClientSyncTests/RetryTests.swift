// Tests of operations that were refused and are tried again, each driven by hand.

import ModelSupport
import SyncServer
import Testing

@Suite struct RetryTests {
  private func likes(_ device: TestDevice) throws -> Int64? { try device.card(1)?.likes }

  /// Ben's like, on condition that the card has the title that he saw, is refused: Anna has changed the title.
  private func refusedLike() async throws -> (anna: TestDevice, ben: TestDevice, OperationHandle, SentCommit) {
    let (_, anna, ben) = try await TestServer.withCardOfTwo()
    let like = ben.store.perform(Like(card: Card.id(1), unlessChanged: true))
    anna.store.update(Card.id(1)) { $0.title = "Anna's" }
    try await settle(anna)
    let commit = try await ben.commit()
    try await settle(ben)
    #expect(ben.store.reason(of: like) == .conditionFailed && ben.store.pending == 0)
    return (anna, ben, like, commit)
  }

  @Test(arguments: [true, false])
  func refusedOperationIsDecidedAgain(isAsSeen: Bool) async throws {
    let (anna, ben, like, _) = try await refusedLike()
    if isAsSeen { anna.store.update(Card.id(1)) { $0.title = "Lake" } }
    try await settle(anna, ben)
    try await ben.store.retry(#require(ben.store.failedOperations.first))
    #expect(try ben.store.pendingOperations.map(\.id) == [like.id] && likes(ben) == 1, "it is shown again")
    let sent = try await ben.commit().request.mutations
    #expect(sent.map(\.operation) == [like.id] && sent.map(\.attempt) == [1])
    try await settle(ben, anna)
    #expect(ben.store.reasons == (isAsSeen ? [] : [.conditionFailed]) && ben.store.pending == 0)
    for device in [anna, ben] { #expect(try likes(device) == (isAsSeen ? 1 : 0)) }
    guard !isAsSeen else { return }
    // Once more, now that it is as he saw it.
    anna.store.update(Card.id(1)) { $0.title = "Lake" }
    try await settle(anna, ben)
    try await ben.store.retry(#require(ben.store.failedOperations.first))
    #expect(try await ben.commit().request.mutations.map(\.attempt) == [2])
    try await settle(ben, anna)
    for device in [anna, ben] { #expect(try likes(device) == 1 && device.store.failedOperations.isEmpty) }
  }

  /// Copies of the first request, and their answers, arrive during the second attempt.
  @Test func lateRefusalOfAnEarlierAttemptIsIgnored() async throws {
    let (anna, ben, like, commit) = try await refusedLike()
    anna.store.update(Card.id(1)) { $0.title = "Lake" }
    try await settle(anna, ben)
    try await ben.store.retry(#require(ben.store.failedOperations.first))
    var late = commit
    late.from = ben.store.place(of: .box)
    late.request.grant = late.from.grant
    try await late.take(late.serve())
    // A page tells that outcome too, because the server has decided nothing since.
    try await ben.pull()
    #expect(ben.store.pendingOperations.map(\.id) == [like.id] && ben.store.failedOperations.isEmpty)
    try await ben.push()
    try await late.take(late.serve())
    try await settle(ben, anna)
    for device in [anna, ben] { #expect(try likes(device) == 1 && device.store.pending == 0) }
    #expect(ben.store.failedOperations.isEmpty)
  }

  /// It was sent without what it was declared to come after.
  @Test func declaredDependencyIsTriedWithIt() async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo()
    ben.store.create(Box(.other))
    ben.store.create(Card(2, in: .other))
    try await settle(ben)
    let first = ben.store.perform(Like(card: Card.id(1)))
    let second = ben.store.perform(Like(card: Card.id(2, in: .other)), after: [first])
    try await anna.gives(ben, .reader)
    try await settle(ben)
    #expect(ben.store.reason(of: first) == .forbidden && ben.store.reason(of: second) == .dependency)
    try await anna.gives(ben, .writer)
    for failed in ben.store.failedOperations.reversed() { try await ben.store.retry(failed) }
    #expect(ben.store.pendingOperations.map(\.id) == [first.id, second.id])
    #expect(try await ben.commit(.other).request.mutations.isEmpty)
    try await settle(ben)
    #expect(try likes(ben) == 1 && ben.card(2, in: .other)?.likes == 1)
    #expect(ben.store.pending == 0 && ben.store.failedOperations.isEmpty)
  }

  /// It was sent without the create of its object, and then could not be tried again: it changed nothing.
  @Test func createIsTriedWithWhatIsBuiltOnIt() async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo()
    ben.store.create(Card(2))
    try await anna.gives(ben, .reader)
    let commit = try await ben.commit()
    ben.store.perform(Like(card: Card.id(2)))
    ben.store.update(Card.id(2)) { $0.title = "Ben's" }
    try await commit.take(commit.serve())
    try await settle(ben)
    #expect(ben.store.reasons == [.forbidden, .dependency, .dependency])
    try await anna.gives(ben, .writer)
    let (create, edit) = (ben.store.failedOperations[0].id, ben.store.failedOperations[2].id)
    // Twice at once is once.
    async let other: Void = ben.store.retry(edit)
    try await ben.store.retry(edit)
    try await other
    #expect(ben.store.pendingOperations.map(\.id) == [create, edit], "nothing else goes along")
    try await settle(ben, anna)
    for device in [anna, ben] { #expect(try device.card(2)?.title == "Ben's" && device.card(2)?.likes == 0) }
    #expect(ben.store.reasons == [.dependency])
  }

  /// What was sent together with a create that was rejected had no effect, and that was final: the edit was lost.
  @Test func editIsTriedAgainWithTheCreateThatItWasSentWith() async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo()
    ben.store.create(Card(2))
    ben.store.update(Card.id(2)) { $0.title = "Ben's" }
    try await anna.gives(ben, .reader)
    try await settle(ben)
    #expect(ben.store.reasons == [.forbidden, .noEffect])
    try await anna.gives(ben, .writer)
    try await ben.store.retry(#require(ben.store.failedOperations.last))
    try await settle(ben, anna)
    for device in [anna, ben] { #expect(try device.card(2)?.title == "Ben's") }
    #expect(ben.store.reasons.isEmpty && ben.store.pending == 0)
  }

  @Test func editOfADeletedObjectHasNoEffectAgain() async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo()
    anna.store.delete(Card.id(1))
    try await settle(anna)
    ben.store.update(Card.id(1)) { $0.title = "too late" }
    try await settle(ben)
    #expect(ben.store.reasons == [.noEffect])
    try await ben.store.retry(#require(ben.store.failedOperations.first))
    try await settle(ben, anna)
    #expect(ben.store.reasons == [.noEffect] && ben.store.pending == 0)
    for device in [anna, ben] { #expect(try device.card(1) == nil) }
  }

  @Test func whatHasEndedCannotBeRetried() async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo()
    anna.store.delete(Box.id())
    try await settle(anna)
    ben.store.update(Card.id(1)) { $0.title = "too late" }
    try await settle(ben)
    #expect(ben.store.reasons == [.ended])
    let failed = try #require(ben.store.failedOperations.first)
    #expect(!failed.canRetry)
    await #expect { try await ben.store.retry(failed) } throws: { ($0 as? StoreError)?.code == .refused }
    #expect(ben.store.failedOperations.count == 1 && ben.store.pending == 0)
  }

  /// It was shown in a queue that the user had ended.
  @Test func operationOfAnEndedQueueIsNotTriedAgain() async throws {
    let (anna, ben, _, _) = try await refusedLike()
    anna.store.delete(Box.id())
    try await settle(anna, ben)
    let failed = try #require(ben.store.failedOperations.first)
    await #expect { try await ben.store.retry(failed) } throws: { ($0 as? StoreError)?.code == .ended }
    #expect(try ben.store.failedOperations.map(\.id) == [failed.id] && ben.store.pending == 0 && ben.card(1) == nil)
  }

  /// A restore has lost what the user saw, so the condition fails. Once the other device has brought it back, the
  /// operation can be tried again.
  @Test(arguments: [true, false])
  func conditionFailsIfRestoreLostSeenContent(isLost: Bool) async throws {
    let (server, anna, ben) = try await TestServer.withCardOfTwo()
    let backup = try server.backUp()
    ben.store.update(Card.id(1)) { $0.title = "Ben's" }
    try await settle(ben, anna)
    anna.store.perform(Like(card: Card.id(1), unlessChanged: true))
    _ = try await anna.commit()
    try server.restore(isLost ? backup : server.backUp())
    try await settle(anna)
    #expect(try anna.store.reasons == (isLost ? [.conditionFailed] : []) && likes(anna) == (isLost ? 0 : 1))
    try await settle(ben, anna)
    for failed in anna.store.failedOperations { try await anna.store.retry(failed) }
    try await settle(anna, ben)
    for device in [anna, ben] { #expect(try likes(device) == 1 && device.card(1)?.title == "Ben's") }
    #expect(anna.store.failedOperations.isEmpty)
  }
}
