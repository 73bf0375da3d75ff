// Tests of a device that knows more than a restored server: of a membership, a queue or a dependency.

import GraphQL
import ModelSupport
import StoreTestSupport
import SyncServer
import Testing

@Suite struct HistoryRaceTests {
  func cards(_ device: TestDevice) throws -> [UInt64] { try (1...4).filter { try device.card($0) != nil } }

  /// A server with a card of Anna's, restored to a backup. Ben has joined and created a card after that backup.
  private func joinedAfterTheBackup() async throws -> (server: TestServer, anna: TestDevice, ben: TestDevice) {
    let (server, anna) = try await TestServer.withCard()
    try await settle(anna)
    let backup = try server.backUp()
    let ben = try server.device(2)
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    try await settle(anna, ben)
    ben.store.create(Card(2, title: "Ben's"))
    try await settle(ben, anna)
    try server.restore(backup)
    return (server, anna, ben)
  }

  @Test(arguments: [true, false])
  func race32_aServerIsRestoredToBeforeAMembership(memberFirst: Bool) async throws {
    let (_, anna, ben) = try await joinedAfterTheBackup()
    for device in memberFirst ? [ben, anna] : [anna, ben] {
      try await settle(device)
      #expect(device.store.failedOperations.isEmpty)
    }
    try await settle(ben, anna)
    for device in [anna, ben] {
      #expect(try cards(device) == [1, 2] && device.card(2)?.title == "Ben's")
      #expect(device.store.failedOperations.isEmpty && device.store.pending == 0)
    }
  }

  @Test func awaitingMembershipHidesQueueAndStopsSending() async throws {
    let (_, _, ben) = try await joinedAfterTheBackup()
    ben.store.perform(Like(card: Card.id(1)))
    try await settle(ben)
    #expect(ben.store.place(of: .box).load == .awaitingMembership)
    #expect(try cards(ben) == [] && ben.store.failedOperations.isEmpty && ben.store.pending == 1)
    #expect(ben.store.syncNeeds()[.box]?.canSend == false)
  }

  /// Nobody restores Ben's membership within a week of the server's time. Then his card and his like are reported.
  @Test func reportsOperationsIfMembershipStaysLostForWeek() async throws {
    let (server, _, ben) = try await joinedAfterTheBackup()
    ben.store.perform(Like(card: Card.id(1)))
    try await settle(ben)
    let place = ben.store.place(of: .box)
    let since = try #require(place.waitingSince)
    for (days, load): (Int64, QueuePlace.Load) in [(6, .awaitingMembership), (8, .revoked)] {
      let time = Timestamp(millisecondsSince1970: since.millisecondsSince1970 + days * 86_400_000)
      let refusal = ArrivedRefusal(
        .revoked(outcomes: [], retention: .zero), at: time, from: ben.store.place(of: .box), history: server.history)
      try await ben.store.receive(refusal, in: .box)
      #expect(ben.store.place(of: .box).load == load, "after \(days) days")
    }
    #expect(Set(ben.store.reasons) == [.revoked] && ben.store.failedOperations.count == 2, "the card and the like")
    #expect(ben.store.pending == 0)
  }

  @Test func loadsWholeQueueOnceMembershipIsBack() async throws {
    let (_, anna, ben) = try await joinedAfterTheBackup()
    ben.store.perform(Like(card: Card.id(1)))
    try await settle(ben)
    anna.store.create(Card(3))
    try await settle(anna)
    #expect(ben.store.place(of: .box).load == .awaitingMembership)
    let first = ben.delta(limit: 1)
    try await first.take(first.serve())
    #expect(ben.store.place(of: .box).load == .reloading)
    #expect(try cards(ben) == [], "what was kept may be part of it")
    #expect(ben.store.syncNeeds()[.box]?.canSend == false, "what was kept goes first")
    try await settle(ben, anna)
    for device in [anna, ben] {
      #expect(try cards(device) == [1, 2, 3] && device.card(1)?.likes == 1)
      #expect(device.store.failedOperations.isEmpty && device.store.pending == 0)
    }
  }

  /// The server's clock was set back while the device waited for a membership. How long it has waited is not known, so
  /// the wait ends at once.
  @Test func serverClockSetBackEndsWaitForMembership() async throws {
    let (server, _, ben) = try await joinedAfterTheBackup()
    try await settle(ben)
    let place = ben.store.place(of: .box)
    let since = try #require(place.waitingSince)
    let time = Timestamp(millisecondsSince1970: since.millisecondsSince1970 - 365 * 86_400_000)
    let refusal = ArrivedRefusal(
      .revoked(outcomes: [], retention: .zero), at: time, from: place, history: server.history)
    try await ben.store.receive(refusal, in: .box)
    #expect(ben.store.place(of: .box).load == .revoked && ben.store.reasons == [.revoked])
  }

  /// The server has forgotten outcomes of the time in question, so it may have applied the operation. Its outcome is
  /// unknown, not refused.
  @Test func reportsPossiblyAppliedOperationAsUnknown() async throws {
    let (server, _, ben) = try await joinedAfterTheBackup()
    try await settle(ben)
    let place = ben.store.place(of: .box)
    let since = try #require(place.waitingSince)
    let later = Timestamp(millisecondsSince1970: since.millisecondsSince1970 + 8 * 86_400_000)
    let refusal = ArrivedRefusal(
      .revoked(outcomes: [], retention: later), at: later, from: place, history: server.history)
    try await ben.store.receive(refusal, in: .box)
    #expect(ben.store.reasons == [.unknownOutcome])
  }

  @Test func refusalUnderSameHistoryRevokesAtOnce() async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo()
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .leaves))
    try await settle(anna, ben)
    #expect(ben.store.place(of: .box).load == .revoked && ben.store.failedOperations.isEmpty)
  }

  /// Seed 184: Ben goes on working in a queue that he was removed from. Each refusal answers a new operation, so each
  /// is reported.
  @Test func reportsEachOperationInRevokedQueue() async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo()
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .leaves))
    try await settle(anna, ben)
    for number: UInt64 in 2...6 {
      ben.store.create(Card(number))
      try await ben.sync()
      #expect(ben.store.failedOperations.count == Int(number) - 1 && ben.store.pending == 0)
    }
    #expect(Set(ben.store.reasons) == [.revoked])
  }

  @Test func appliesConditionalLikeAfterRestoreLostQueue() async throws {
    let server = try TestServer()
    let backup = try server.backUp()
    let anna = try server.device(1)
    anna.store.create(Box())
    anna.store.create(Card(1, title: "Lake"))
    try await settle(anna)
    try server.restore(backup)
    anna.store.perform(Like(card: Card.id(1), unlessChanged: true))
    try await settle(anna)
    #expect(try anna.store.pending == 0 && anna.store.failedOperations.isEmpty && anna.card(1)?.likes == 1)
  }

  @Test func aLateRequestFromBeforeARestoreIsRefused() async throws {
    let server = try TestServer()
    let backup = try server.backUp()
    let anna = try server.device(1)
    anna.store.create(Box())
    anna.store.create(Card(1))
    let commit = try await anna.commit()
    let asker = anna.store.asker
    let body = SyncCall.commit.body(
      commit.request, schema: asker.schema, of: asker.user, history: server.history)
    try server.restore(backup)
    let answer = await server.service.answer(body, by: asker.user)
    #expect(answer.status == 412 && answer.errors.first?.code == .init(.historyChanged))
    #expect(try await server.service.delta(commit.asDelta, by: asker)[0].result == .refused(.absent), "nobody was born")
  }

  /// Seed 931000001993: a restore sets the server's clock back. With a time of the lost history, a late copy of the
  /// commit passed for one under a newer membership. So the device must name times of the present history.
  @Test func firstSentTimesAreOfPresentHistory() async throws {
    let time = TestTime()
    let years: Int64 = 3_650 * 86_400_000
    let server = try TestServer(time: time)
    let backup = try server.backUp()
    time.pass(years)
    let anna = try server.device(1)
    anna.store.create(Box())
    anna.store.create(Card(1, title: "Lake"))
    try await settle(anna)
    anna.store.perform(Like(card: Card.id(1)))
    let commits = Counter()
    anna.transport.goes { message, send in
      if message.call == "Commit" { commits.add() }
      if message.call == "Commit", commits.value == 1 {
        time.pass(-years)
        try server.restore(backup)
      }
      return await send()
    }
    let before = anna.transport.messages.count
    try await settle(anna)
    let sent = anna.transport.messages.dropFirst(before).filter { $0.call == "Commit" }
    let times = sent.dropFirst().flatMap(\.firstSent)
    #expect(times.count >= 2 && times.allSatisfy { $0 <= time.clock() }, "\(times)")
    #expect(try anna.card(1)?.likes == 1 && anna.store.pending == 0 && anna.store.failedOperations.isEmpty)
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
    #expect(try anna.card(1)?.likes == 1 && ben.card(1)?.title == "Ben's")
  }

  @Test func ownEarlierEditsDoNotBreakCondition() async throws {
    let (_, anna) = try await TestServer.withCard()
    for _ in 0..<3 { anna.store.perform(Like(card: Card.id(1), unlessChanged: true)) }
    let commit = try await anna.commit()
    #expect(commit.request.mutations.count == 3, "nothing has to be waited for")
    try await commit.take(commit.serve())
    try await settle(anna)
    #expect(try anna.card(1)?.likes == 3 && anna.store.failedOperations.isEmpty)
  }

  /// A restore loses operations in two queues, of which one depends on the other. The queue of the dependent operation
  /// is loaded first, and the operation waits for its dependency.
  @Test func dependentWaitsForDependencyLostInRestore() async throws {
    let server = try TestServer()
    let anna = try server.device(1)
    anna.store.create(Box())
    anna.store.create(Card(1, in: .box))
    anna.store.create(Box(.other))
    anna.store.create(Card(2, in: .other))
    try await settle(anna)
    let backup = try server.backUp()
    let first = anna.store.update(Card.id(1)) { $0.title = "first" }
    let second = anna.store.perform(Like(card: Card.id(2, in: .other)), after: [first])
    try await settle(anna)
    try server.restore(backup)
    // The first answer tells of the new history. The other queue is still as it was.
    _ = anna.store.adopt(server.history, asked: anna.store.history)
    try await anna.pull(.other)
    #expect(anna.store.pendingOperations.map(\.id) == [second.id])
    #expect(try await anna.commit(.other).request.mutations.isEmpty, "what it comes after may be lost")
    try await anna.pull(.box)
    #expect(anna.store.pendingOperations.map(\.id) == [first.id, second.id])
    #expect(try await anna.commit(.other).request.mutations.isEmpty, "it is lost, and goes first")
    try await anna.push(.box)
    #expect(try await anna.commit(.other).request.mutations.map(\.operation) == [second.id])
    try await settle(anna)
    #expect(
      try anna.card(1)?.title == "first" && anna.card(2, in: .other)?.likes == 1 && anna.store.failedOperations.isEmpty)
  }

  /// The same, but the dependent operation was sent without an answer before the restore.
  @Test func sentDependentWaitsForDependencyLostInRestore() async throws {
    let server = try TestServer()
    let anna = try server.device(1)
    anna.store.create(Box())
    anna.store.create(Card(1, in: .box))
    anna.store.create(Box(.other))
    anna.store.create(Card(2, in: .other))
    try await settle(anna)
    let backup = try server.backUp()
    let first = anna.store.update(Card.id(1)) { $0.title = "first" }
    let second = anna.store.perform(Like(card: Card.id(2, in: .other)), after: [first])
    try await anna.push(.box)
    try await anna.pull(.box)
    let unanswered = try await anna.commit(.other)
    #expect(unanswered.request.mutations.map(\.operation) == [second.id])
    try await unanswered.serve()
    try server.restore(backup)
    _ = anna.store.adopt(server.history, asked: anna.store.history)
    try await anna.pull(.other)
    #expect(try await anna.commit(.other).request.mutations.isEmpty, "what it comes after may be lost")
    try await anna.pull(.box)
    #expect(try await anna.commit(.other).request.mutations.isEmpty, "it is lost, and goes first")
    try await anna.push(.box)
    #expect(try await anna.commit(.other).request.mutations.map(\.operation) == [second.id])
    try await settle(anna)
    #expect(
      try anna.card(1)?.title == "first" && anna.card(2, in: .other)?.likes == 1 && anna.store.failedOperations.isEmpty)
  }

  /// Ben knows of the queue only from his home queue, which does not name it any more after a restore. His card is kept
  /// for a week, and then reported.
  @Test func reportsOperationInLostUnreadQueueAfterWeek() async throws {
    let server = try TestServer()
    let (anna, ben) = (try server.device(1), try server.device(2))
    try await settle(ben)
    let backup = try server.backUp()
    anna.store.create(Box())
    anna.store.create(Card(1, title: "Lake"))
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    try await settle(anna)
    let home = ben.store.homeQueueID
    try await ben.pull(home)
    #expect(try await ben.store.memberships().keys.contains(.box))
    ben.store.create(Card(2))
    try await ben.store.waitUntilSaved()
    try server.restore(backup)
    try await ben.pull(home)
    #expect(try await ben.store.memberships().isEmpty)
    try await settle(ben)
    let place = ben.store.place(of: .box)
    #expect(place.load == .awaitingMembership && ben.store.pending == 1, "nobody else would ask for it")
    for (days, load): (Int64, QueuePlace.Load) in [(6, .awaitingMembership), (8, .revoked)] {
      let since = try #require(place.waitingSince)
      let time = Timestamp(millisecondsSince1970: since.millisecondsSince1970 + days * 86_400_000)
      let refusal = ArrivedRefusal(
        .revoked(outcomes: [], retention: .zero), at: time, from: ben.store.place(of: .box), history: server.history)
      try await ben.store.receive(refusal, in: .box)
      #expect(ben.store.place(of: .box).load == load, "after \(days) days")
    }
    #expect(ben.store.reasons == [.revoked] && ben.store.pending == 0)
  }

  /// Anna is removed from the queue before `first` can be sent again. So `second`, which depends on it, is not sent
  /// again; both are reported.
  @Test func sentDependentIsNotResentWithoutItsDependency() async throws {
    let (server, ben, anna) = try await TestServer.withCardOfTwo()
    anna.store.create(Box(.other))
    anna.store.create(Card(2, in: .other))
    try await settle(anna)
    let backup = try server.backUp()
    let first = anna.store.update(Card.id(1)) { $0.title = "first" }
    let second = anna.store.perform(Like(card: Card.id(2, in: .other)), after: [first])
    try await anna.push(.box)
    try await anna.pull(.box)
    let unanswered = try await anna.commit(.other)
    #expect(unanswered.request.mutations.map(\.operation) == [second.id])
    try await unanswered.serve()
    try server.restore(backup)
    _ = anna.store.adopt(server.history, asked: anna.store.history)
    try await anna.pull(.box)
    #expect(anna.store.pendingOperations.map(\.id) == [first.id, second.id])
    ben.store.perform(Member(card: Card.id(1), user: anna.store.user, change: .leaves))
    try await settle(ben)
    try await anna.pull(.box)
    #expect(anna.store.reasons == [.revoked, .dependency] && anna.store.pending == 0)
    try await settle(anna)
    #expect(try anna.card(2, in: .other)?.likes == 0)
  }

  /// The outcome of `first` is unknown, and `second` depends on it. The device sends `second` again before it has read
  /// its queue again, and the server refuses the epoch. When the load then shows that the server lacks `second`, it is
  /// no longer under way and fails.
  @Test func dependentRefusedForItsEpochFailsAfterLoad() async throws {
    let server = try TestServer()
    let anna = try server.device(1)
    anna.store.create(Box())
    anna.store.create(Card(1, in: .box))
    anna.store.create(Box(.other))
    anna.store.create(Card(2, in: .other))
    try await settle(anna)
    let backup = try server.backUp()
    let first = anna.store.update(Card.id(1)) { $0.title = "first" }
    let second = anna.store.perform(Like(card: Card.id(2, in: .other)), after: [first])
    try await anna.push(.box)
    try await anna.pull(.box)
    #expect(try await anna.commit(.other).request.mutations.map(\.operation) == [second.id], "its answer is lost")
    try await server.restoreWithoutOutcomes(backup, heardBy: anna)
    try await anna.pull(.box)
    #expect(anna.store.reason(of: first) == .unknownOutcome && anna.store.pendingOperations.map(\.id) == [second.id])
    let refused = try await anna.commit(.other)
    #expect(refused.request.mutations.map(\.operation) == [second.id])
    guard case .refused(.epoch) = try await refused.serve().result else {
      Issue.record("it is not refused")
      return
    }
    try await anna.pull(.other)
    #expect(anna.store.reason(of: second) == .dependency && anna.store.pending == 0)
    try await settle(anna)
    #expect(try anna.card(2, in: .other)?.likes == 0)
  }

  /// Seed 925500001095: a commit into a queue that the device has not read, then a restore. Only the end of the first
  /// load shows whether the restored server has the operation.
  @Test func dependentOfReportedOperationWaitsForFirstLoad() async throws {
    let (server, anna) = try await TestServer.withCard()
    try await settle(anna)
    let twin = try server.device(1, seed: 9)
    twin.store.create(Box(.other))
    for number in UInt64(2)...4 { twin.store.create(Card(number, in: .other)) }
    try await settle(twin)
    try await anna.pull(anna.store.homeQueueID)
    _ = try await anna.store.memberships()
    let backup = try server.backUp()
    let first = anna.store.update(Card.id(1)) { $0.title = "first" }
    let second = anna.store.perform(Put(card: Card.id(5, in: .other)), after: [first])
    try await anna.push(.box)
    try await anna.pull(.box)
    #expect(try await anna.commit(.other).request.mutations.map(\.operation) == [second.id], "it is lost")
    try await server.restoreWithoutOutcomes(backup, heardBy: anna)
    try await anna.pull(.box)
    try await anna.pull(anna.store.homeQueueID)
    #expect(try await anna.store.memberships()[.other] != nil)
    #expect(anna.store.reason(of: first) == .unknownOutcome)
    #expect(try await anna.commit(.other).request.mutations.isEmpty, "the load comes first")
    let page = anna.delta(.other, limit: 1)
    try await page.take(page.serve())
    #expect(try await anna.commit(.other).request.mutations.isEmpty, "the load is not over")
    try await anna.pull(.other)
    #expect(anna.store.reason(of: second) == .dependency && anna.store.pending == 0)
    try await settle(anna)
    #expect(try anna.card(5, in: .other) == nil && anna.card(4, in: .other) != nil)
  }

  /// Seed 936000009944: a commit into a queue that the device has created and not read, then a restore. The device asks
  /// the server for the operation before it sends it again.
  @Test func dependentOfReportedOneIsNotSentToUnreadQueue() async throws {
    let (server, anna) = try await TestServer.withCard()
    try await settle(anna)
    let backup = try server.backUp()
    let first = anna.store.update(Card.id(1)) { $0.title = "first" }
    let box = Box(.other)
    anna.store.create(box)
    let second = anna.store.perform(Put(card: Card.id(5, in: .other)), after: [first])
    try await anna.push(.box)
    try await anna.pull(.box)
    #expect(try await anna.commit(.other).request.mutations.count == 2, "it is lost")
    try await server.restoreWithoutOutcomes(backup, heardBy: anna)
    try await anna.pull(.box)
    #expect(anna.store.reason(of: first) == .unknownOutcome)
    let again = try await anna.commit(.other).request.mutations.map(\.operation)
    #expect(!again.contains(second.id), "the server is asked for it first")
    try await settle(anna)
    #expect(anna.store.reason(of: second) == .dependency && anna.store.pending == 0)
    #expect(try anna.card(5, in: .other) == nil && anna.store.object(box.id) != nil)
  }
}

extension SentCommit {
  /// A delta request for the same queue.
  fileprivate var asDelta: DeltaRequest { DeltaRequest(queues: [.init(queue: request.queue)]) }
}
