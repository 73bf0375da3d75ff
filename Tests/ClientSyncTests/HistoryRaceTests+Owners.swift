// Tests of queues that a restored server has lost, and of the owners who create them again.

import Foundation
import ModelSupport
import SampleIDs
import SyncServer
import Testing

extension HistoryRaceTests {
  @Test(arguments: [true, false])
  func race33_aServerIsRestoredToBeforeTheBirthOfAQueue(writerFirst: Bool) async throws {
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
      #expect(ben.store.place(of: .box).load == .awaitingMembership)
      #expect(try await owners(server, by: anna) == [], "a writer gives birth to nothing")
    }
    try await settle(anna, ben)
    for device in [anna, ben] {
      #expect(try cards(device) == (writerFirst ? [1, 2, 3] : [1, 2]))
      #expect(device.store.failedOperations.isEmpty && device.store.pending == 0)
    }
    #expect(try await owners(server, by: anna) == [anna.store.user])
  }

  /// Seeds 938000000548, 938000003933 and 938000004949: a link leads Ben's device into a queue that it has never read,
  /// and that a restored server may have lost. Ben's commit must not create the queue, though it comes first; Anna owns
  /// it afterwards.
  @Test(arguments: [true, false])
  func deviceDoesNotCreateQueueItHasNeverRead(isLost: Bool) async throws {
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
    #expect(ben.store.pending == (isLost ? 1 : 0) && ben.store.failedOperations.isEmpty)
    if isLost { #expect(try await owners(server, by: anna) == [], "nobody was born") }
    try await settle(anna, ben)
    for device in [anna, ben] { #expect(try cards(device) == [1, 2] && device.store.pending == 0) }
    #expect(try await owners(server, by: anna) == [anna.store.user])
  }

  /// A card is created in a queue before its root. It waits, stays visible and is not reported. It is sent once the
  /// root is created, or reported as revoked after eight days.
  @Test(arguments: [true, false])
  func cardCreatedBeforeItsRootWaitsForIt(isMade: Bool) async throws {
    let time = TestTime()
    let server = try TestServer(time: time)
    let anna = try server.device(1, time: time)
    anna.store.create(Card(1, title: "first"))
    try await settle(anna)
    let messages = anna.transport.messages.count
    try await settle(anna)
    #expect(anna.transport.messages.count - messages <= 6, "it is not asked for again and again")
    #expect(try anna.store.pending == 1 && anna.store.failedOperations.isEmpty && anna.card(1) != nil)
    if isMade {
      anna.store.create(Box())
    } else {
      time.pass(8 * 86_400_000)
    }
    try await settle(anna)
    #expect(anna.store.pending == 0 && anna.store.reasons == (isMade ? [] : [.revoked]))
    #expect(try await owners(server, by: anna) == (isMade ? [anna.store.user] : []))
    #expect(anna.store.place(of: .box).waitingSince == nil)
  }

  /// Seed 940000002167: an operation was declared to come after another one, which is so old that it is no longer
  /// retired, and whose queue a restore has lost. Nobody can be asked for that one, so the operation does not wait.
  @Test func doesNotWaitForForgottenDependency() async throws {
    let time = TestTime()
    let server = try TestServer(time: time)
    let anna = try server.device(1, time: time)
    anna.store.create(Box(.other))
    anna.store.create(Card(2, in: .other))
    try await settle(anna)
    let backup = try server.backUp()
    anna.store.create(Box())
    anna.store.create(Card(1))
    try await settle(anna)
    let first = anna.store.update(Card.id(1)) { $0.title = "first" }
    let second = anna.store.perform(Like(card: Card.id(2, in: .other)), after: [first])
    try await anna.push(.box)
    try await anna.pull(.box)
    #expect(anna.store.pendingOperations.map(\.id) == [second.id])
    time.pass(8 * 86_400_000)
    try await anna.pull(.box)
    try server.restore(backup)
    try await settle(anna)
    #expect(anna.store.pending == 0 && anna.store.failedOperations.isEmpty)
    #expect(try anna.card(2, in: .other)?.likes == 1)
  }

  /// Two owners hear that the queue is gone, and one of them creates it again before the other can.
  @Test func race35_anotherOwnerGivesBirthToTheQueueFirst() async throws {
    let server = try TestServer()
    let backup = try server.backUp()
    let (anna, ben) = (try server.device(1), try server.device(2))
    ben.store.create(Box())
    ben.store.create(Card(1, title: "Ben's"))
    ben.store.perform(Member(card: Card.id(1), user: anna.store.user, change: .joins))
    ben.store.perform(Member(card: Card.id(1), user: anna.store.user, change: .becomes(.owner)))
    try await settle(ben, anna)
    anna.store.create(Card(2, title: "Anna's"))
    try await settle(anna, ben)
    try server.restore(backup)
    for device in [ben, anna] {
      let delta = device.delta()
      #expect(try await delta.serve().result == .refused(.absent))
      try await delta.take(delta.serve())
    }
    try await settle(anna)
    try await settle(ben)
    #expect(ben.store.place(of: .box).load == .awaitingMembership)
    #expect(ben.store.failedOperations.isEmpty && ben.store.pending == 4, "all of it is kept for a week")
    anna.store.perform(Member(card: Card.id(2), user: ben.store.user, change: .joins))
    try await settle(anna, ben)
    for device in [anna, ben] { #expect(try cards(device).contains(2) && device.card(2)?.title == "Anna's") }
    #expect(try ben.card(1)?.title == "Ben's" && anna.card(1)?.title == "Ben's")
  }

  /// Ben takes Anna's ownership away. The answer to her earlier commit, which still calls her an owner, arrives after
  /// the news of the home queue. After a restore she must not create the queue again.
  @Test func demotedOwnerDoesNotCreateQueueAgain() async throws {
    let (server, anna, ben, backup) = try await ownersWithABackup()
    anna.store.create(Card(2))
    let commit = try await anna.commit()
    let answer = try await commit.serve()
    ben.store.perform(Member(card: Card.id(1), user: anna.store.user, change: .becomes(.writer)))
    try await settle(ben)
    try await anna.pull(anna.store.homeQueueID)
    _ = try await anna.store.memberships()
    try await commit.take(answer)
    try server.restore(backup)
    let delta = anna.delta()
    try await delta.take(delta.serve())
    #expect(anna.store.place(of: .box).load == .awaitingMembership, "a writer does not own it again")
  }

  /// Two owners of a queue, and a backup from before its creation.
  private func ownersWithABackup() async throws -> (
    server: TestServer, anna: TestDevice, ben: TestDevice, backup: URL
  ) {
    let server = try TestServer()
    let backup = try server.backUp()
    let (anna, ben) = (try server.device(1), try server.device(2))
    anna.store.create(Box())
    anna.store.create(Card(1, title: "Lake"))
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .becomes(.owner)))
    try await settle(anna, ben)
    return (server, anna, ben, backup)
  }

  /// Anna gives ownership away in the commit that creates the queue, and does not read her home queue afterwards. After
  /// a restore she must not create the queue again.
  @Test func ownerThatSteppedDownDoesNotCreateQueueAgain() async throws {
    let server = try TestServer()
    let backup = try server.backUp()
    let (anna, ben) = (try server.device(1), try server.device(2))
    anna.store.create(Box())
    anna.store.create(Card(1, title: "Lake"))
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .becomes(.owner)))
    anna.store.perform(Member(card: Card.id(1), user: anna.store.user, change: .becomes(.writer)))
    try await anna.push()
    try server.restore(backup)
    let delta = anna.delta()
    try await delta.take(delta.serve())
    #expect(anna.store.place(of: .box).load == .awaitingMembership, "who gave the queue away does not own it again")
  }

  /// Seeds 718, 789 and 1020: Ben, an owner, creates a card in a queue before his device has read anything of it. The
  /// card must come back after a restore.
  @Test func operationInUnreadQueueSurvivesRestore() async throws {
    let (server, anna) = try await TestServer.withCard()
    let ben = try server.device(2)
    let backup = try server.backUp()
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .becomes(.owner)))
    try await settle(anna)
    try await ben.pull(ben.store.homeQueueID)
    #expect(try await ben.store.memberships().keys.contains(.box))
    ben.store.create(Card(2, title: "Ben's"))
    try await ben.push()
    #expect(ben.store.place(of: .box).load == .unread)
    try server.restore(backup)
    let delta = ben.delta()
    try await delta.take(delta.serve())
    #expect(ben.store.place(of: .box).load == .awaitingMembership && ben.store.failedOperations.isEmpty)
    try await settle(ben, anna)
    for device in [anna, ben] {
      #expect(
        try device.card(2)?.title == "Ben's" && device.store.failedOperations.isEmpty && device.store.pending == 0)
    }
  }

  /// The outcome of `first` is unknown, and `second` depends on it. The restored server lacks the queue of `second`, so
  /// it cannot have applied `second`, which fails with its dependency.
  @Test(arguments: [true, false])
  func dependentSentToLostQueueFailsWithDependency(queueFirst: Bool) async throws {
    let (anna, first, second) = try await sentIntoAQueueThatIsUnborn()
    if queueFirst { try await findAbsent(.other, by: anna) } else { try await anna.pull(.box) }
    #expect(anna.store.pendingOperations.contains { $0.id == second.id }, "it may go yet, for all that is known")
    if queueFirst { try await anna.pull(.box) } else { try await findAbsent(.other, by: anna) }
    try await expectNeitherHappened(first, second, anna)
  }

  @Test func dependentSentToLostQueueFailsAfterRestart() async throws {
    let (before, first, second) = try await sentIntoAQueueThatIsUnborn()
    try await findAbsent(.other, by: before)
    try await before.store.close()
    let anna = try before.secondProcess(seed: 9)
    _ = anna.store.adopt(anna.server.history, asked: nil)
    #expect(anna.store.pendingOperations.contains { $0.id == second.id })
    try await anna.pull(.box)
    try await expectNeitherHappened(first, second, anna)
  }

  /// `second` was sent into a queue that the restored server does not have. It comes after `first`, whose outcome the
  /// server has forgotten.
  private func sentIntoAQueueThatIsUnborn() async throws -> (
    TestDevice, first: OperationHandle, second: OperationHandle
  ) {
    let (server, anna) = try await TestServer.withCard()
    let backup = try server.backUp()
    anna.store.create(Box(.other))
    anna.store.create(Card(2, in: .other))
    try await settle(anna)
    let first = anna.store.update(Card.id(1)) { $0.title = "first" }
    let second = anna.store.perform(Like(card: Card.id(2, in: .other)), after: [first])
    try await anna.push(.box)
    try await anna.pull(.box)
    #expect(try await anna.commit(.other).request.mutations.map(\.operation) == [second.id], "its answer is lost")
    try await server.restoreWithoutOutcomes(backup, heardBy: anna)
    return (anna, first, second)
  }

  private func findAbsent(_ queue: QueueID, by device: TestDevice) async throws {
    let delta = device.delta(queue)
    let answer = try await delta.serve()
    #expect(answer.result == .refused(.absent))
    try await delta.take(answer)
  }

  private func expectNeitherHappened(
    _ first: OperationHandle, _ second: OperationHandle, _ anna: TestDevice
  ) async throws {
    #expect(anna.store.reason(of: first) == .unknownOutcome && anna.store.reason(of: second) == .dependency)
    try await settle(anna)
    #expect(try anna.card(2, in: .other)?.likes == 0 && anna.store.pending == 0)
  }

  /// An operation waits for a file, in a queue that a restore has lost. The restored server lacks the file too but has
  /// not said so, so the operation is sent again.
  @Test func resendsOperationWaitingForFileInLostQueue() async throws {
    let (server, anna) = try await TestServer.withCard()
    let backup = try server.backUp()
    anna.store.create(Box(.other))
    anna.store.create(Card(2, in: .other))
    let waiting = anna.store.perform(Attach(card: Card.id(2, in: .other), file: TestServer.abc))
    try await settle(anna)
    #expect(anna.store.syncNeeds()[.other]?.waitsForFiles == true)
    try server.restore(backup)
    _ = anna.store.adopt(server.history, asked: anna.store.history)
    try await findAbsent(.other, by: anna)
    #expect(try await anna.commit(.other).request.mutations.map(\.operation).contains(waiting.id))
    try await settle(anna)
    try await server.uploadABC(to: .other, by: anna.store.user)
    try await settle(anna)
    #expect(anna.store.pending == 0 && anna.store.failedOperations.isEmpty)
  }

  /// The owners of the box among the users 1 and 2, as the server sees them.
  private func owners(_ server: TestServer, by device: TestDevice) async throws -> [UserID] {
    let request = DeltaRequest(queues: [.init(queue: .box)])
    var owners: [UserID] = []
    for user: UInt64 in [1, 2] {
      let id = UserID(high: user, low: user)
      if case .page(let page) = try await server.service.delta(
        request, by: Asker(id, schema: device.store.schema.name))[0].result, page.role == .owner
      {
        owners.append(id)
      }
    }
    return owners
  }
}
