// Races with refusals, forgotten outcomes, clocks and clones, each driven by hand. docs/guides/sync.md has their numbers.

import Foundation
import JSON
import ModelSupport
import SyncServer
import TestSupport
import Testing

extension TestServer {
  /// Lets the server forget outcomes up to now, and tombstones up to the device's cursor.
  fileprivate func forgetsAll(upTo device: TestDevice, _ time: TestTime) async throws {
    let now = Timestamp(millisecondsSince1970: time.clock())
    try await service.forgetOutcomes(in: .box, before: now)
    try await service.collectTombstones(in: .box, upTo: device.store.place(of: .box).cursor)
  }
}

@Suite struct LossRaceTests {
  /// A server, and two devices of Anna that both have a card.
  private func annaTwice() async throws -> (TestTime, TestServer, TestDevice, TestDevice) {
    let time = TestTime()
    let server = try TestServer(time: time)
    let (anna, twin) = (try server.device(1), try server.device(1, seed: 9))
    anna.store.create(Box())
    anna.store.create(Card(1))
    try await settle(anna, twin)
    return (time, server, anna, twin)
  }

  private func likes(_ device: TestDevice, _ number: UInt64 = 1) throws -> Int64? { try device.card(number)?.likes }

  @Test func race9_aDeviceIsCloned() async throws {
    let (_, anna) = try await TestServer.withCard()
    anna.store.perform(Like(card: Card.id(1)))
    try await anna.store.waitUntilSaved()
    let clone = try anna.clone(seed: 77)
    #expect(clone.store.pendingOperations.map(\.id) == anna.store.pendingOperations.map(\.id))
    for device in [anna, clone] { device.store.perform(Like(card: Card.id(1))) }
    #expect(clone.store.pendingOperations.last?.id != anna.store.pendingOperations.last?.id)
    try await settle(anna, clone)
    for device in [anna, clone] {
      #expect(try likes(device) == 3 && device.store.pending == 0 && device.store.failedOperations.isEmpty)
    }
  }

  @Test func race11_theCursorIsBelowTheFloor() async throws {
    let (server, anna) = try await TestServer.withCard()
    let twin = try server.device(1, seed: 9)
    anna.store.create(Card(2))
    try await anna.push()
    try await anna.pull()
    try await twin.sync()
    anna.store.delete(Card.id(2))
    try await anna.push()
    try await anna.pull()
    try await server.service.collectTombstones(in: .box, upTo: 3)
    #expect(try twin.card(2) != nil)
    try await twin.sync()
    #expect(try twin.card(2) == nil && twin.card(1) != nil, "the tombstone is gone; the load has swept the object")
  }

  /// The device loads a year later, and the server has forgotten outcomes that it had told. Nothing is reported.
  /// `hasRead`: the device had also read the effect.
  @Test(arguments: [true, false])
  func race11_deviceAwayForYearReportsNothing(hasRead: Bool) async throws {
    let (time, server, anna, twin) = try await annaTwice()
    anna.store.perform(Like(card: Card.id(1)))
    try await anna.push()
    try await settle(twin)
    if hasRead { try await settle(anna) }
    time.pass(366 * 86_400_000)
    twin.store.create(Card(2))
    twin.store.delete(Card.id(2))
    try await settle(twin)
    try await server.forgetsAll(upTo: twin, time)
    try await settle(anna)
    #expect(try likes(anna) == 1 && anna.store.failedOperations.isEmpty && anna.store.pending == 0)
  }

  @Test func race11_aLoopOfResetsIsSlowed() async throws {
    let (_, anna) = try await TestServer.withCard()
    let refusal = DeltaAnswer(
      queue: .box, time: .zero, result: .refused(.reset(.zero)))
    let body = Array(#"{"data":{"delta":["#.utf8) + refusal.json.encoded + Array("]}}".utf8)
    let history = anna.server.history
    anna.transport.goes { message, send in
      guard message.call == "Delta", String(decoding: message.body, as: UTF8.self).contains("\(QueueID.box)")
      else { return await send() }
      return TransportAnswer(status: 200, protocolVersion: "1", history: history, body: body)
    }
    anna.store.perform(Like(card: Card.id(1)))
    try await anna.store.waitUntilSaved()
    await #expect { try await anna.client.syncOnce() } throws: { "\($0)".contains("again and again") }
    #expect(anna.transport.messages.count < 12)
    anna.transport.goesStraight()
    try await anna.sync()
    #expect(try likes(anna) == 1 && anna.store.pending == 0)
  }

  @Test func race13_memberIsRemovedWithPendingOperations() async throws {
    let (server, anna) = try await TestServer.withCard()
    let ben = try server.device(2)
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    try await settle(anna, ben)
    ben.store.perform(Like(card: Card.id(1)))
    let inFlight = try await ben.commit()
    try await inFlight.serve()
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .leaves))
    try await anna.sync()
    ben.store.update(Card.id(1)) { $0.title = "too late" }
    try await ben.sync()
    #expect(try ben.card(1) == nil, "the rows have left the device")
    #expect(ben.store.reasons == [.revoked], "the like was applied; the edit is told")
    #expect(ben.store.pending == 0)
    try await anna.sync()
    #expect(try likes(anna) == 1 && anna.card(1)?.title == "Lake")
  }

  @Test func race14_memberThatReturnsLoadsAnew() async throws {
    let (server, anna) = try await TestServer.withCard()
    let ben = try server.device(2)
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    try await settle(anna, ben)
    ben.store.perform(Like(card: Card.id(1)))
    let delayed = try await ben.commit()
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .leaves))
    try await anna.sync()
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    anna.store.create(Card(2))
    try await anna.sync()
    guard case .refused(.stale) = try await delayed.serve().result else {
      Issue.record("a request of the earlier membership is stale")
      return
    }
    try await settle(ben, anna)
    #expect(try ben.card(2) != nil && likes(anna) == 1 && ben.store.pending == 0)
  }

  @Test func race15_theFileIsMissingWhenTheCommitComes() async throws {
    let (server, anna) = try await TestServer.withCard()
    let handle = anna.store.perform(Attach(card: Card.id(1), file: TestServer.abc))
    anna.store.update(Card.id(1)) { $0.title = "behind it" }
    anna.store.create(Card(2, title: "not behind it"))
    try await anna.sync()
    #expect(anna.transport.commits(of: handle) == 1, "it is sent: the server says what it lacks")
    #expect(anna.store.pending == 2, "what builds on it waits, nothing else")
    #expect(anna.store.failedOperations.isEmpty)
    anna.store.takeUploaded([TestServer.abc], in: .box)
    try await anna.sync()
    #expect(anna.transport.commits(of: handle) == 2 && anna.store.pending == 2, "the server still lacks it")
    try await server.uploadABC(to: .box, by: anna.store.user)
    anna.store.takeUploaded([TestServer.abc], in: .box)
    try await anna.sync()
    #expect(anna.store.pending == 0 && anna.store.failedOperations.isEmpty)
    let card = try anna.card(1)
    #expect(card?.tags == ["attached"] && card?.title == "behind it")
  }

  @Test func race17_objectIsDeletedAndCreatedAgainOffline() async throws {
    let (server, anna) = try await TestServer.withCard()
    anna.store.delete(Card.id(1))
    anna.store.create(Card(1, title: "again"))
    #expect(try anna.card(1)?.title == "again")
    let twin = try server.device(1, seed: 9)
    try await settle(anna, twin)
    for device in [anna, twin] { #expect(try device.card(1)?.title == "again") }
    #expect(anna.store.failedOperations.isEmpty && anna.store.pending == 0)
  }

  @Test func race18_theBatchIsTooLarge() async throws {
    let (_, anna) = try await TestServer.withCard()
    for _ in 0..<20 { anna.store.perform(Like(card: Card.id(1))) }
    anna.transport.goes { message, send in
      guard anna.transport.messages.count < 200 else {
        Issue.record("the batch never becomes small enough")
        return await send()
      }
      let count = String(decoding: message.body, as: UTF8.self).components(separatedBy: "\"operation\"").count - 1
      return count > 3 ? TransportAnswer(status: 413, protocolVersion: nil, body: []) : await send()
    }
    try await anna.sync()
    #expect(try likes(anna) == 20 && anna.store.pending == 0)
  }

  @Test func race19_refusesAnswerOfOlderServerDatabase() async throws {
    let (_, anna) = try await TestServer.withCard()
    let place = anna.store.place(of: .box)
    let page = try DeltaPage(
      grant: #require(place.grant), role: .owner, head: place.cursor - 1, cursor: place.cursor - 1, objects: [],
      end: .init(outcomes: [], retention: .zero, digest: .empty))
    let older = DeltaAnswer(queue: .box, time: .zero, result: .page(page))
    let body = Array(#"{"data":{"delta":["#.utf8) + older.json.encoded + Array("]}}".utf8)
    let history = anna.server.history
    anna.transport.goes { message, send in
      message.call == "Delta" && String(decoding: message.body, as: UTF8.self).contains("\(QueueID.box)")
        ? TransportAnswer(status: 200, protocolVersion: "1", history: history, body: body) : await send()
    }
    anna.store.perform(Like(card: Card.id(1)))
    try await anna.store.waitUntilSaved()
    await #expect(throws: SyncError.self) { try await anna.client.syncOnce() }
    #expect(anna.store.place(of: .box).cursor == place.cursor)
    #expect(try likes(anna) == 1 && anna.store.pending == 1)
  }

  @Test(arguments: [10, -10])
  func race20_clocksAreYearsApart(years: Int64) async throws {
    let (server, anna) = try await TestServer.withCard()
    let wrong = try TestDevice(
      server, 1, 9, folder: TemporaryFolder(), clock: { 1_700_000_000_000 + years * 31_557_600_000 })
    try await wrong.sync()
    wrong.store.update(Card.id(1)) { $0.title = "first" }
    try await wrong.sync()
    anna.store.update(Card.id(1)) { $0.title = "second" }
    try await settle(anna, wrong)
    for device in [anna, wrong] { #expect(try device.card(1)?.title == "second" && device.store.pending == 0) }
  }

  @Test func race21_delayedCopyGetsStoredRefusal() async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo()
    ben.store.update(Card.id(1)) { $0.title = "not allowed" }
    ben.store.update(Card.id(1)) { $0.title = "behind it" }
    try await anna.gives(ben, .reader)
    let request = try await ben.commit()
    try await request.serve()
    try await anna.gives(ben, .writer)
    guard case .decided(let decided) = try await request.serve().result else {
      Issue.record("the copy is answered")
      return
    }
    #expect(
      decided.outcomes.map(\.status) == [.rejected("forbidden")], "the stored outcome, and what follows is skipped")
    try await settle(ben, anna)
    #expect(ben.store.reasons == [.forbidden] && ben.store.pending == 0)
    #expect(try anna.card(1)?.title == "behind it")
  }

  @Test(arguments: [true, false])
  func race22_deviceIsAwayForLongerThanOutcomesAreKept(sendsFirst: Bool) async throws {
    let (server, anna) = try await TestServer.withCard()
    anna.store.perform(Like(card: Card.id(1)))
    let commit = try await anna.commit()
    try await commit.serve()
    let later = Timestamp(millisecondsSince1970: 1_800_000_000_000)
    try await server.service.forgetOutcomes(in: .box, before: later)
    if sendsFirst { try await anna.push() }
    try await anna.pull()
    #expect(anna.store.reasons == [.unknownOutcome] && anna.store.pending == 0)
    #expect(try likes(anna) == 1, "never applied twice")
  }

  @Test func dependentsOfRefusedCreateFail() async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo()
    let create = try await {
      ben.store.create(Card(7))
      try await anna.gives(ben, .reader)
      return try await ben.commit()
    }()
    ben.store.perform(Like(card: Card.id(7)))
    let told = ben.store.perform(Like(card: Card.id(1)), after: [create.request.mutations[0].operation])
    try await ben.store.waitUntilSaved()
    try await create.take(create.serve())
    try await ben.pull()
    #expect(ben.store.reasons == [.forbidden, .dependency, .dependency] && ben.store.pending == 0)
    #expect(ben.store.failedOperations.contains { $0.id == told.id })
  }
}
