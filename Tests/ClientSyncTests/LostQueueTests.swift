// Tests of memberships and queues that a restored server has lost: operations fail with their content, and may be tried
// again; the device that made the queue makes it again.

import Foundation
import ModelSupport
import SampleIDs
import SyncServer
import Testing

@Suite struct LostQueueTests {
  private func cards(_ device: TestDevice) throws -> [UInt64] { try (1...4).filter { try device.card($0) != nil } }

  private func expectCards(_ numbers: [UInt64], _ devices: TestDevice...) throws {
    for device in devices {
      #expect(try cards(device) == numbers && device.store.pending == 0 && device.store.failedOperations.isEmpty)
    }
  }

  private func retryAll(_ device: TestDevice) async throws {
    for failed in device.store.failedOperations {
      #expect(failed.canRetry)
      try await device.store.retry(failed)
    }
    #expect(device.store.failedOperations.isEmpty)
  }

  /// The owners of the box among the users 1 and 2, as the server sees them.
  private func owners(_ server: TestServer) async throws -> [UInt64] {
    let request = DeltaRequest(queues: [.init(queue: .box)])
    var owners: [UInt64] = []
    for user: UInt64 in [1, 2] {
      let asker = Asker(UserID(high: user, low: user), schema: CardsSchema.name)
      let answer = try await server.service.delta(request, by: asker)[0]
      if case .page(let page) = answer.result, page.role == .owner { owners.append(user) }
    }
    return owners
  }

  /// A server with a card of Anna's, restored to a backup. Ben has joined and created a card after that backup. `late`
  /// is a backup with all of it.
  private func joinedAfterTheBackup() async throws -> (TestServer, anna: TestDevice, ben: TestDevice, late: URL) {
    let (server, anna) = try await TestServer.withCard()
    try await settle(anna)
    let backup = try server.backUp()
    let ben = try server.device(2)
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    try await settle(anna, ben)
    ben.store.create(Card(2, title: "Ben's"))
    ben.store.perform(Like(card: Card.id(1)))
    try await settle(ben, anna)
    let late = try server.backUp()
    try server.restore(backup)
    return (server, anna, ben, late)
  }

  @Test(arguments: [true, false])
  func race32_serverIsRestoredToBeforeAMembership(memberFirst: Bool) async throws {
    let (_, anna, ben, _) = try await joinedAfterTheBackup()
    if memberFirst {
      ben.store.create(Card(3, title: "made meanwhile"))
      try await settle(ben)
      #expect(ben.store.place(of: .box).load == .revoked && ben.store.pending == 0)
      #expect(ben.store.reasons == [.membershipLost, .membershipLost, .membershipLost])
      #expect(ben.store.failedOperations.map(\.objects) == [2, 1, 3].map { [Card.id($0).rawValue] })
      #expect(try cards(ben) == [])
    }
    try await settle(anna, ben)
    if memberFirst {
      try expectCards([1], anna)
      try await retryAll(ben)
      try await settle(ben, anna)
    }
    try await settle(ben, anna)
    try expectCards(memberFirst ? [1, 2, 3] : [1, 2], anna, ben)
    for device in [anna, ben] { #expect(try device.card(1)?.likes == 1 && device.card(2)?.title == "Ben's") }
  }

  /// Ben tries again after the former server has come back, which has applied everything.
  @Test func retryOfAppliedOperationIsAppliedOnce() async throws {
    let (server, anna, ben, late) = try await joinedAfterTheBackup()
    try await settle(ben)
    #expect(ben.store.reasons == [.membershipLost, .membershipLost])
    try server.restore(late)
    try await settle(ben)
    try await retryAll(ben)
    try await settle(ben, anna, ben)
    try expectCards([1, 2], anna, ben)
    for device in [anna, ben] { #expect(try device.card(1)?.likes == 1) }
  }

  /// Crashes lose neither what has failed nor what is tried again.
  @Test func retryIsOnDisk() async throws {
    let (_, anna, ben, _) = try await joinedAfterTheBackup()
    try await settle(ben, anna)
    let before = try ben.clone(seed: 77)
    #expect(before.store.reasons == [.membershipLost, .membershipLost])
    try await retryAll(before)
    let after = try before.clone(seed: 78)
    #expect(after.store.pending == 2 && after.store.failedOperations.isEmpty)
    try await settle(after, ben, anna)
    try expectCards([1, 2], anna, after)
    #expect(try anna.card(1)?.likes == 1)
  }

  @Test(arguments: [true, false])
  func race33_serverIsRestoredToBeforeTheBirthOfAQueue(writerFirst: Bool) async throws {
    let server = try TestServer()
    let backup = try server.backUp()
    let (anna, ben) = (try server.device(1), try server.device(2))
    anna.store.create(Box())
    anna.store.create(Card(1, title: "Anna's"))
    try await anna.sync()
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    try await settle(anna, ben)
    ben.store.create(Card(2, title: "Ben's"))
    try await settle(ben, anna)
    try server.restore(backup)
    if writerFirst {
      ben.store.create(Card(3, title: "made while the queue was gone"))
      try await settle(ben)
      #expect(ben.store.place(of: .box).load == .revoked && ben.store.pending == 0)
      #expect(try ben.store.reasons == [.membershipLost, .membershipLost] && cards(ben) == [])
      #expect(try await owners(server) == [], "a writer gives birth to nothing")
    }
    try await anna.hear()
    let birth = try await anna.commit().request.mutations
    #expect(try OperationChanges(bytes: birth[0].changes).objects[0].object == Box.id().rawValue && birth.count == 3)
    try await settle(anna, ben)
    #expect(try await owners(server) == [1])
    if writerFirst { try await retryAll(ben) }
    try await settle(ben, anna)
    try expectCards(writerFirst ? [1, 2, 3] : [1, 2], anna, ben)
  }

  /// Outcomes of the lost queue are forgotten, also one that was refused. Files are waited for anew.
  @Test func race33_birthSendsAllOfItsQueueAgain() async throws {
    let (server, anna) = try await TestServer.withCard()
    let backup = try server.backUp()
    anna.store.create(Box(.other))
    anna.store.create(Card(2, in: .other))
    try await anna.push(.other)
    let waiting = anna.store.perform(Attach(card: Card.id(2, in: .other), file: TestServer.abc))
    try await anna.push(.other)
    #expect(anna.store.syncNeeds()[.other]?.waitsForFiles == true)
    try server.restore(backup, since: Timestamp(millisecondsSince1970: .max))
    try await anna.hear()
    let delta = anna.delta(.other)
    let answer = try await delta.serve()
    #expect(answer.result == .refused(.noQueue))
    try await delta.take(answer)
    let sent = try await anna.commit(.other).request.mutations
    #expect(sent.count == 3 && sent.last?.operation == waiting.id)
    try await settle(anna)
    try await server.uploadABC(to: .other, by: anna.store.user)
    try await settle(anna)
    #expect(try anna.card(2, in: .other)?.tags == ["attached"])
    #expect(anna.store.pending == 0 && anna.store.failedOperations.isEmpty)
  }

  /// Two owners: only the device that made the queue makes it again, and what the other one did fails.
  @Test func ownerThatDidNotMakeTheQueueDoesNotMakeItAgain() async throws {
    let server = try TestServer()
    let backup = try server.backUp()
    let (anna, ben) = (try server.device(1), try server.device(2))
    anna.store.create(Box())
    anna.store.create(Card(1, title: "Lake"))
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .becomes(.owner)))
    try await settle(anna, ben)
    try server.restore(backup)
    let end = ben.store.delete(Box.id())
    try await settle(ben)
    #expect(ben.store.reason(of: end) == .membershipLost && ben.store.pending == 0)
    #expect(try await owners(server) == [])
    try await settle(anna, ben)
    #expect(try await owners(server) == [1, 2])
    try expectCards([1], anna)
    #expect(try cards(ben) == [1])
  }

  /// A link leads Ben's device into a queue that it has never read, and that the restored server has lost. His commit
  /// must not make the queue.
  @Test(arguments: [true, false])
  func deviceDoesNotMakeQueueThatItHasNeverRead(isLost: Bool) async throws {
    let server = try TestServer()
    let backup = try server.backUp()
    let (anna, ben) = (try server.device(1), try server.device(2))
    anna.store.create(Box())
    anna.store.create(Card(1, title: "Anna's"))
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    try await settle(anna)
    ben.store.create(Card(2, title: "Ben's"))
    #expect(try await ben.commit().request.mutations.isEmpty, "it is read first")
    if isLost { try server.restore(backup) }
    try await settle(ben)
    #expect(ben.store.pending == 0 && ben.store.failedOperations.count == (isLost ? 1 : 0))
    if isLost { #expect(try await owners(server) == [], "nobody was born") }
    try await settle(anna, ben)
    try await retryAll(ben)
    try await settle(ben, anna)
    try expectCards([1, 2], anna, ben)
    #expect(try await owners(server) == [1])
  }

  /// Without a root there is no queue, so the card fails, and can be tried again once there is one.
  @Test(arguments: [true, false])
  func cardCreatedBeforeItsRootIsSentWithIt(isMade: Bool) async throws {
    let server = try TestServer()
    let anna = try server.device(1)
    anna.store.create(Card(1, title: "first"))
    if !isMade {
      try await settle(anna)
      #expect(anna.store.reasons == [.revoked])
      #expect(try await owners(server) == [])
    }
    anna.store.create(Box())
    try await retryAll(anna)
    try await settle(anna)
    try expectCards([1], anna)
    #expect(try await owners(server) == [1])
  }

  /// A refusal under the present history is no loss, however much Ben goes on.
  @Test func removedMemberIsToldOfEachOperation() async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo()
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .leaves))
    try await settle(anna, ben)
    #expect(ben.store.place(of: .box).load == .revoked && ben.store.failedOperations.isEmpty)
    for number: UInt64 in 2...4 {
      ben.store.create(Card(number))
      try await ben.sync()
      #expect(ben.store.failedOperations.count == Int(number) - 1 && ben.store.pending == 0)
    }
    #expect(Set(ben.store.reasons) == [.revoked])
  }

  /// The server has forgotten outcomes of the time in question, so it may have applied the like.
  @Test func operationOfLostMembershipPastRetentionIsUnknown() async throws {
    let (server, _, ben, _) = try await joinedAfterTheBackup()
    try await ben.hear()
    let later = Timestamp(millisecondsSince1970: 1_800_000_000_000)
    try await server.service.forgetOutcomes(in: .box, before: later)
    try await ben.pull()
    #expect(ben.store.reasons == [.unknownOutcome, .unknownOutcome])
    #expect(ben.store.failedOperations.allSatisfy { !$0.canRetry })
  }
}
