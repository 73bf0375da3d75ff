// Tests of a server that has another history after a restore or a failover, step by step. docs/guides/sync.md has the
// numbers of the races.

import GraphQL
import ModelSupport
import SyncServer
import Testing

@Suite struct HistoryRaceTests {
  private func likes(_ device: TestDevice) throws -> Int64? { try device.card(1)?.likes }

  private func expectLikes(_ count: Int64, _ devices: TestDevice...) throws {
    for device in devices {
      #expect(try likes(device) == count && device.store.pending == 0 && device.store.failedOperations.isEmpty)
    }
  }

  /// Takes pages until one is revealed in the server's history. Before, the rows stay as they were, with one like.
  /// Returns whether the queue was loaded again.
  private func reveal(by device: TestDevice) async throws -> Bool {
    var wasReloaded = false
    for _ in 0..<60 {
      #expect(try likes(device) == 1 && device.card(2) == nil)
      let delta = device.delta(limit: 1)
      try await delta.take(delta.serve())
      let place = device.store.place(of: .box)
      wasReloaded = wasReloaded || place.load == .reloading
      if place.load == .loaded, place.position == place.cursor, place.history == device.server.history { break }
    }
    return wasReloaded
  }

  /// What another device does in the new history, before the device comes back that had the lost like.
  enum Meanwhile: CaseIterable {
    /// The device's cursor is above the server's head.
    case nothing
    /// The digest differs.
    case creates
    /// The page brings the server's card, so the digest agrees.
    case likes
  }

  /// `copy` is the device after a crash.
  @Test(arguments: Meanwhile.allCases)
  func race10_lostOperationComesBackHiddenAndIsShownOnce(meanwhile: Meanwhile) async throws {
    let (server, anna, ben) = try await TestServer.withCardOfTwo()
    let backup = try server.backUp()
    let like = anna.store.perform(Like(card: Card.id(1)))
    try await settle(anna)
    try server.restore(backup)
    for number: UInt64 in 2...9 {
      if meanwhile == .creates { ben.store.create(Card(number)) }
      if meanwhile == .likes { ben.store.perform(Like(card: Card.id(1))) }
    }
    try await settle(ben)
    try await anna.hear()
    let copy = try anna.clone(seed: 77)
    #expect(copy.store.history == server.history)
    let expected: Int64 = meanwhile == .likes ? 9 : 1
    for device in [anna, copy] {
      #expect(device.store.pendingOperations.contains { $0.id == like.id })
      #expect(try await reveal(by: device) == (meanwhile != .likes))
      #expect(try device.store.pendingOperations.map(\.id) == [like.id] && likes(device) == expected)
    }
    try await settle(anna, copy, ben)
    try expectLikes(expected, anna, copy, ben)
  }

  @Test func race10_knownOperationRetiresAgainWithoutAReload() async throws {
    let (server, anna, ben) = try await TestServer.withCardOfTwo()
    let like = anna.store.perform(Like(card: Card.id(1)))
    try await settle(anna)
    let early = try server.backUp()
    try server.restore(early)
    try await anna.hear()
    #expect(anna.store.pendingOperations.contains { $0.id == like.id })
    #expect(try await !reveal(by: anna))
    try expectLikes(1, anna)
    // It is kept, for the next history.
    try server.restore(early)
    try await anna.hear()
    #expect(anna.store.pendingOperations.contains { $0.id == like.id })
    try await settle(anna, ben)
    try expectLikes(1, anna, ben)
  }

  /// Also back to a former server, which has applied the like.
  @Test func race10_severalHistoriesInARow() async throws {
    let (server, anna, ben) = try await TestServer.withCardOfTwo()
    let early = try server.backUp()
    anna.store.perform(Like(card: Card.id(1)))
    try await settle(anna, ben)
    let late = try server.backUp()
    for backup in [early, late, early, early, late] {
      try server.restore(backup)
      anna.store.perform(Like(card: Card.id(1)))
      let expected = try #require(try likes(anna))
      try await settle(anna)
      try expectLikes(expected, anna)
    }
    try await settle(ben, anna)
    try expectLikes(6, anna, ben)
  }

  /// The device is away during both, and the later one has lost nothing of it.
  @Test func race10_twoHistoriesAreHeardAtOnce() async throws {
    let time = TestTime()
    let server = try TestServer(time: time)
    let anna = try server.device(1, time: time)
    anna.store.create(Box())
    anna.store.create(Card(1))
    try await settle(anna)
    let backup = try server.backUp()
    time.pass(3_600_000)
    anna.store.perform(Like(card: Card.id(1)))
    try await settle(anna)
    try server.restore(backup)
    time.pass(86_400_000)
    try server.restore(server.backUp(), since: Timestamp(millisecondsSince1970: time.clock()))
    try await settle(anna)
    try expectLikes(1, anna)
  }

  /// The tail reaches 7 days back. An older like is gone with the backup.
  @Test(arguments: [(6, 1), (8, 0)] as [(Int64, Int64)])
  func race10_sevenDaysAreSentAgain(days: Int64, expected: Int64) async throws {
    let time = TestTime()
    let server = try TestServer(time: time)
    let anna = try server.device(1, time: time)
    anna.store.create(Box())
    anna.store.create(Card(1))
    try await settle(anna)
    let backup = try server.backUp()
    anna.store.perform(Like(card: Card.id(1)))
    try await settle(anna)
    time.pass(days * 86_400_000)
    try await anna.pull()
    try server.restore(backup)
    try await settle(anna)
    try expectLikes(expected, anna)
  }

  /// Another device brings the like back eight days later. The first one keeps it for another week, because it may be
  /// alone when the server is restored a second time.
  @Test func race10_operationThatAnotherDeviceResentIsKept() async throws {
    let time = TestTime()
    let server = try TestServer(time: time)
    let anna = try server.device(1, time: time)
    anna.store.create(Box())
    anna.store.create(Card(1))
    try await settle(anna)
    let backup = try server.backUp()
    anna.store.perform(Like(card: Card.id(1)))
    try await anna.store.waitUntilSaved()
    let twin = try anna.clone(seed: 9)
    try await settle(anna)
    try server.restore(backup)
    time.pass(8 * 86_400_000)
    try await settle(twin)
    try await settle(anna)
    try await anna.pull()
    try expectLikes(1, anna)
    try server.restore(backup)
    try await settle(anna)
    try expectLikes(1, anna)
  }

  /// The server has answered, and the device has not seen the effect.
  @Test(arguments: [true, false])
  func forgetsHeldOutcomeOnlyOfTimeInQuestion(isInQuestion: Bool) async throws {
    let (server, anna) = try await TestServer.withCard()
    let backup = try server.backUp()
    let like = anna.store.perform(Like(card: Card.id(1)))
    try await anna.push()
    let outcome = try #require(anna.store.pendingOperations.first?.outcome)
    let since = Timestamp(millisecondsSince1970: outcome.time.millisecondsSince1970 + (isInQuestion ? 0 : 1))
    try server.restore(isInQuestion ? backup : server.backUp(), since: since)
    try await anna.hear()
    let held = anna.store.pendingOperations.first { $0.id == like.id }?.outcome
    #expect(held == (isInQuestion ? nil : outcome))
    let resent = try await anna.commit().request.mutations.contains { $0.operation == like.id }
    #expect(resent == isInQuestion)
    try await settle(anna)
    try expectLikes(1, anna)
  }

  @Test func answersOfAFormerHistoryAreIgnored() async throws {
    let (server, anna) = try await TestServer.withCard()
    let backup = try server.backUp()
    let like = anna.store.perform(Like(card: Card.id(1)))
    let commit = try await anna.commit()
    let decided = try await commit.serve()
    let delta = anna.delta()
    let page = try await delta.serve()
    try server.restore(backup)
    try await anna.hear()
    let place = anna.store.place(of: .box)
    try await commit.take(decided)
    try await delta.take(page)
    #expect(anna.store.place(of: .box) == place && anna.store.pendingOperations.last?.id == like.id)
    #expect(anna.store.pendingOperations.allSatisfy { $0.outcome == nil })
    try await settle(anna)
    try expectLikes(1, anna)
  }

  @Test func aLateRequestOfAFormerHistoryIsRefused() async throws {
    let server = try TestServer()
    let backup = try server.backUp()
    let anna = try server.device(1)
    anna.store.create(Box())
    anna.store.create(Card(1))
    let commit = try await anna.commit()
    let asker = anna.store.asker
    let body = SyncCall.commit.body(commit.request, schema: asker.schema, of: asker.user, history: server.history)
    try server.restore(backup)
    let answer = await server.service.answer(body, by: asker.user)
    #expect(answer.status == 412 && answer.errors.first?.code == .init(RequestError.Code.historyChanged))
    let delta = DeltaRequest(queues: [.init(queue: .box)])
    #expect(try await server.service.delta(delta, by: asker)[0].result == .refused(.noQueue), "nobody was born")
  }

  /// A restore loses operations in two queues, of which one depends on the other. It waits, whether the device had
  /// retired it or had only sent it.
  @Test(arguments: [true, false])
  func dependentWaitsForLostDependencyInAnotherQueue(wasRetired: Bool) async throws {
    let server = try TestServer()
    let anna = try server.device(1)
    anna.store.create(Box())
    anna.store.create(Card(1))
    anna.store.create(Box(.other))
    anna.store.create(Card(2, in: .other))
    try await settle(anna)
    let backup = try server.backUp()
    let first = anna.store.update(Card.id(1)) { $0.title = "first" }
    let second = anna.store.perform(Like(card: Card.id(2, in: .other)), after: [first])
    try await anna.push(.box)
    try await anna.pull(.box)
    let sent = try await anna.commit(.other)
    #expect(sent.request.mutations.map(\.operation) == [second.id])
    try await sent.serve()
    if wasRetired { try await settle(anna) }
    try server.restore(backup)
    try await anna.hear()
    try await anna.pull(.other)
    func sends() async throws -> Bool {
      try await anna.commit(.other).request.mutations.contains { $0.operation == second.id }
    }
    #expect(try await !sends(), "what it comes after may be lost")
    try await anna.pull(.box)
    #expect(anna.store.pendingOperations.map(\.id) == [first.id, second.id])
    #expect(try await !sends(), "it is lost, and goes first")
    try await anna.push(.box)
    #expect(try await sends())
    try await settle(anna)
    #expect(try anna.card(1)?.title == "first" && anna.card(2, in: .other)?.likes == 1)
    #expect(anna.store.pending == 0 && anna.store.failedOperations.isEmpty)
  }

  /// Two devices have deleted a card, and the one whose delete counted stays away.
  @Test func deleteWithoutEffectIsRedoneAfterRestore() async throws {
    let (server, anna, ben) = try await TestServer.withCardOfTwo()
    let backup = try server.backUp()
    for device in [anna, ben] { device.store.delete(Card.id(1)) }
    try await settle(anna, ben)
    #expect(ben.store.pending == 0)
    try server.restore(backup)
    try await settle(ben)
    #expect(try ben.card(1) == nil, "what it found done is lost")
  }

  @Test func deviceSendsAndLosesNothingAtWrongServer() async throws {
    let (server, anna) = try await TestServer.withCard()
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
    let isUnsent = anna.store.pendingOperations.allSatisfy { if case .saved = $0.state { true } else { false } }
    #expect(isUnsent, "nothing was sent to it")
    try server.restore(backup)
    try await settle(anna)
    try expectLikes(1, anna)
    #expect(try anna.card(1)?.title == "made meanwhile")
  }
}
