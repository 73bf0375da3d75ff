// Tests of queues that are ended while messages are lost, others are at work, and servers are restored.

import ModelSupport
import SyncServer
import Testing

@Suite struct EndRaceTests {
  /// Anna's box with a card. Ben is a member with `role`, and both devices show the box.
  private func boxOfTwo(_ role: QueueRole = .writer) async throws -> (TestServer, anna: TestDevice, ben: TestDevice) {
    let server = try TestServer()
    let (anna, ben) = try await boxOfTwo(role, on: server)
    return (server, anna, ben)
  }

  private func boxOfTwo(_ role: QueueRole, on server: TestServer) async throws -> (anna: TestDevice, ben: TestDevice) {
    let anna = try server.device(1)
    anna.store.create(Box())
    anna.store.create(Card(1, title: "Lake"))
    try await settle(anna)
    let ben = try server.device(2)
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .becomes(role)))
    try await settle(anna, ben)
    #expect(try isShown(anna) && isShown(ben))
    return (anna, ben)
  }

  /// The server lets a user have no queue, not even the home queue: what made one is reported, and nothing of it is shown.
  @Test func refusedQueueIsReported() async throws {
    let anna = try TestServer(room: RoomLimit(userQueues: 0)).device(1)
    anna.store.create(Box())
    anna.store.create(Card(1, title: "Lake"))
    await #expect(throws: SyncError.self) { try await settle(anna) }
    #expect(try anna.store.pending == 0 && !isShown(anna))
    #expect(anna.store.reasons == [.rejected, .rejected], "\(anna.store.reasons)")
    #expect(anna.store.place(of: .box).load == .revoked)
  }

  private func end(_ device: TestDevice) -> OperationHandle { device.store.delete(Box.id()) }

  /// Whether a device shows the box. Expects that it shows all of the box, or nothing.
  private func isShown(_ device: TestDevice) throws -> Bool {
    let hasCards = try device.store.objects(Card.self).contains { $0.box == .box }
    let found = try [device.store.object(Box.id()) != nil, device.card(1) != nil, hasCards]
    #expect(Set(found).count == 1, "\(found)")
    return found[0]
  }

  private func expectEnded(_ devices: TestDevice..., failedOperations: [StoreError.Code] = []) throws {
    for device in devices {
      #expect(device.store.place(of: .box).load == .ended)
      #expect(try !isShown(device))
      #expect(device.store.pending == 0 && device.store.reasons == failedOperations)
      #expect(device.store.question(of: .box).awaiting.isEmpty)
    }
  }

  @Test func race27_theAnswerOfTheEndIsLost() async throws {
    let (_, anna, ben) = try await boxOfTwo()
    let end = end(anna)
    let commit = try await anna.commit()
    let answer = try await commit.serve()
    #expect(try !isShown(anna))
    try await settle(anna, ben)
    try await end.waitUntilConfirmed()
    try expectEnded(anna, ben)
    try await commit.take(answer)
    try expectEnded(anna)
    let again = try await commit.serve()
    guard case .refused(.ended(let outcomes, _)) = again.result else {
      Issue.record("\(again)")
      return
    }
    #expect(outcomes.map(\.operation) == [end.id], "a late copy is told the same")
  }

  @Test func race28_twoOwnersEndTheQueue() async throws {
    let (_, anna, ben) = try await boxOfTwo(.owner)
    let ends = [end(anna), end(ben)]
    try await settle(anna, ben)
    for end in ends { try await end.waitUntilConfirmed() }
    try expectEnded(anna, ben)
  }

  @Test func race28_aFollowAndAnEditRaceTheEnd() async throws {
    let (server, anna, ben) = try await boxOfTwo()
    let cleo = try server.device(3)
    ben.store.perform(Member(card: Card.id(1), user: cleo.store.user, change: .joins))
    ben.store.perform(Like(card: Card.id(1)))
    let end = end(anna)
    try await settle(anna, ben)
    try await end.waitUntilConfirmed()
    try expectEnded(anna)
    try expectEnded(ben, failedOperations: [.ended, .ended])
    try await settle(cleo)
    #expect(try !isShown(cleo) && cleo.store.place(of: .box).load == .unread, "nobody has taken Cleo in")
  }

  @Test(arguments: [true, false])
  func race29_aServerIsRestoredToBeforeTheEnd(memberFirst: Bool) async throws {
    let (server, anna, ben) = try await boxOfTwo()
    let backup = try server.backUp()
    let end = end(anna)
    try await settle(anna, ben)
    try await end.waitUntilConfirmed()
    try server.restore(backup)
    if memberFirst {
      try await settle(ben)
      #expect(try isShown(ben), "a member has not ended it")
      ben.store.perform(Like(card: Card.id(1)))
      try await settle(ben)
    }
    for _ in 0..<4 {
      try await anna.sync()
      #expect(try !isShown(anna))
    }
    try await settle(ben, anna)
    try expectEnded(anna, ben)
  }

  /// A restore loses the end of Anna's box. Ben, who does not know of the end, creates the queue again and adds her. As
  /// an owner she ends it again. As a writer she sees it, and her end is reported as forbidden.
  @Test(arguments: [QueueRole.owner, .writer])
  func endLostInRestoreIsRepeatedOnlyByOwner(role: QueueRole) async throws {
    let server = try TestServer()
    let backup = try server.backUp()
    let (anna, ben) = try await boxOfTwo(.owner, on: server)
    let end = end(anna)
    try await settle(anna)
    try await end.waitUntilConfirmed()
    try server.restore(backup)
    ben.store.create(Box())
    ben.store.create(Card(2, title: "Ben's"))
    ben.store.perform(Member(card: Card.id(2), user: anna.store.user, change: .joins))
    ben.store.perform(Member(card: Card.id(2), user: anna.store.user, change: .becomes(role)))
    try await settle(ben, anna)
    try await settle(ben)
    if role == .owner { return try expectEnded(anna, ben) }
    #expect(Set(anna.store.reasons) == [.forbidden] && anna.store.reason(of: end) == .forbidden, "she is told")
    for device in [anna, ben] { #expect(try device.card(2)?.title == "Ben's" && device.store.pending == 0) }
  }

  /// The restored server still knows the end, so both devices stay at it.
  @Test func aRestoreToAfterTheEndChangesNothing() async throws {
    let (server, anna, ben) = try await boxOfTwo()
    _ = end(anna)
    try await settle(anna, ben)
    let backup = try server.backUp()
    try server.restore(backup)
    try await settle(anna, ben)
    try expectEnded(anna, ben)
  }

  /// A restore loses a like of Ben's that was applied. Anna ends the queue, so his device hears of the end before it
  /// could ask for the like. The like must be reported.
  @Test(arguments: [true, false])
  func reportsLostOperationIfQueueEndsAfterRestore(wasShown: Bool) async throws {
    let (server, anna, ben) = try await boxOfTwo()
    ben.store.perform(Like(card: Card.id(1)))
    try await settle(ben)
    let backup = try server.backUp()
    let lost = ben.store.perform(Like(card: Card.id(1)))
    try await ben.push()
    if wasShown { try await ben.pull() }
    #expect(ben.store.pending == (wasShown ? 0 : 1))
    try server.restore(backup)
    _ = end(anna)
    try await settle(anna, ben)
    try expectEnded(anna)
    try expectEnded(ben, failedOperations: [.ended])
    #expect(ben.store.failedOperations.map(\.id) == [lost.id], "the other one is in the history that there is")
  }

  @Test func race30_aRoleIsLoweredWhileTheEndIsOnItsWay() async throws {
    let (_, anna, ben) = try await boxOfTwo(.owner)
    let end = end(ben)
    #expect(try !isShown(ben))
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .becomes(.writer)))
    try await anna.sync()
    try await settle(ben, anna)
    #expect(try isShown(ben) && isShown(anna))
    #expect(ben.store.failedOperations.map(\.id) == [end.id] && ben.store.pending == 0)
    _ = self.end(ben)
    #expect(try isShown(ben), "refused at once: the device knows better by now")
    #expect(ben.store.failedOperations.count == 2 && ben.store.pending == 0)
  }

  @Test func race31_ownerPromotesAnotherAndLeaves() async throws {
    let (_, anna, ben) = try await boxOfTwo()
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .becomes(.owner)))
    anna.store.perform(Member(card: Card.id(1), user: anna.store.user, change: .leaves))
    try await settle(anna, ben)
    #expect(anna.store.place(of: .box).load == .revoked && anna.store.failedOperations.isEmpty)
    let end = end(ben)
    try await settle(ben, anna)
    try await end.waitUntilConfirmed()
    try expectEnded(ben)
    #expect(anna.store.place(of: .box).load == .revoked, "who has left before learns nothing of the end")
  }

  @Test func appliesOfflineOperationsBeforeTheEnd() async throws {
    let (_, anna, ben) = try await boxOfTwo()
    let like = anna.store.perform(Like(card: Card.id(1)))
    anna.store.create(Card(2))
    let end = end(anna)
    try await settle(anna, ben)
    try await like.waitUntilConfirmed()
    try await end.waitUntilConfirmed()
    try expectEnded(anna, ben)
  }

  @Test func aQueueIsMadeFilledAndEndedInOneOfflineStretch() async throws {
    let server = try TestServer()
    let anna = try server.device(1)
    anna.store.create(Box())
    anna.store.create(Card(1))
    let end = end(anna)
    try await settle(anna)
    try await end.waitUntilConfirmed()
    try expectEnded(anna)
  }

  @Test(arguments: [true, false])
  func sentEndCanBeCancelledUntilItIsApplied(inTime: Bool) async throws {
    let (_, anna, ben) = try await boxOfTwo()
    let end = end(anna)
    let commit = try await anna.commit()
    if !inTime { try await commit.serve() }
    end.cancel()
    #expect(try isShown(anna))
    try await settle(anna, ben)
    if inTime {
      #expect(try isShown(anna) && isShown(ben))
      #expect(anna.store.reasons == [.cancelled] && anna.store.pending == 0)
      try await commit.serve()
      try await settle(anna, ben)
      #expect(try isShown(anna), "a late copy ends nothing")
    } else {
      try await end.waitUntilConfirmed()
      try expectEnded(anna, ben)
    }
  }

  @Test func sendsDependentInAnotherQueueOnceEndIsApplied() async throws {
    let (_, anna, _) = try await boxOfTwo()
    anna.store.create(Box(.other))
    anna.store.create(Card(5, in: .other, title: "elsewhere"))
    try await settle(anna)
    let end = end(anna)
    let like = anna.store.perform(Like(card: Card.id(5, in: .other)), after: [end])
    try await settle(anna)
    try await like.waitUntilConfirmed()
    #expect(try anna.card(5, in: .other)?.likes == 1)
    try expectEnded(anna)
  }

  @Test func aNewDeviceOfAFormerMemberLoadsNothing() async throws {
    let (server, anna, ben) = try await boxOfTwo()
    _ = end(anna)
    try await settle(anna, ben)
    let twin = try server.device(2, seed: 9)
    try await settle(twin)
    #expect(try !isShown(twin) && twin.store.failedOperations.isEmpty)
  }
}
