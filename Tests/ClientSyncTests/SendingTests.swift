// Tests of when operations are sent, and of what is shown meanwhile.

import Determinism
import Foundation
import ModelSupport
import SampleIDs
import StoreTestSupport
import SyncServer
import TestSupport
import Testing
import WireFormat

@testable import ClientStore

@Suite struct SendingTests {
  /// The user does something in 200 queues before a sync. It takes fewer than 30 requests.
  @Test func manyQueuesTakeFewRequests() async throws {
    let server = try TestServer()
    let anna = try server.device(1)
    let queues = (10..<210).map { QueueID.queue($0) }
    for queue in queues { anna.store.create(Box(queue)) }
    try await anna.sync()
    let before = anna.transport.messages.count
    for queue in queues { anna.store.create(Card(1, in: queue)) }
    try await anna.sync()
    let requests = anna.transport.messages.dropFirst(before)
    #expect(anna.store.pending == 0 && anna.store.reasons.isEmpty)
    #expect(requests.count < 30, "\(requests.count) requests for \(queues.count) queues")
    let twin = try server.device(1, seed: 9)
    try await twin.sync()
    #expect(try twin.store.objects(Card.self).count == queues.count)
  }

  @Test func syncOnceSendsOperationThatIsStillBeingSaved() async throws {
    let (server, tasks, folder) = (try TestServer(), HeldTasks(), try TemporaryFolder())
    let anna = UserID(high: 1, low: 1)
    let store = try RuntimeEnvironment.$current.withValue(.seeded(1, spawning: tasks.spawn)) {
      try ModelStore(at: folder.url("store").path, schema: CardsSchema.self, user: anna)
    }
    let transport = TestTransport(server, anna)
    let client = SyncClient(store: store, transport: transport)
    store.create(Box())
    async let synced: Void = client.syncOnce()
    // The client hears that there is no news, and has nothing else to do.
    while transport.messages.isEmpty { await Task.yield() }
    for _ in 0..<10_000 { await Task.yield() }
    await tasks.run()
    try await synced
    #expect(transport.messages.contains { $0.call == "Commit" } && store.pending == 0)
  }

  @Test func failingQueueDoesNotHoldUpOthers() async throws {
    let server = try TestServer()
    let anna = try server.device(1)
    let queues = (10..<40).map { QueueID.queue($0) }
    for queue in queues { anna.store.create(Box(queue)) }
    try await anna.sync()
    for queue in queues { anna.store.create(Card(1, in: queue)) }
    let bad = "\(queues[7].rawValue)"
    anna.transport.goes { message, send in
      let text = String(decoding: message.body, as: UTF8.self)
      guard text.contains("mutation Commit"), text.contains(bad) else { return await send() }
      let error = #"{"errors":[{"message":"no","extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}"#
      return TransportAnswer(
        status: 500, protocolVersion: "1", server: server.identity, history: server.history, body: Array(error.utf8))
    }
    for _ in 1...40 where anna.store.pending > 1 { try? await anna.sync() }
    #expect(anna.store.pendingOperations.map(\.queue) == [queues[7]])
    anna.transport.goesStraight()
    try await anna.sync()
    #expect(anna.store.pending == 0 && anna.store.reasons.isEmpty)
  }

  @Test func resentOperationKeepsTimeOfFirstSending() async throws {
    let (_, anna) = try await TestServer.withCard()
    anna.store.perform(Like(card: Card.id(1)))
    try await anna.store.waitUntilSaved()
    for time: Int64 in [1_700_000_000_000, 1_700_000_900_000] {
      let operations = try await anna.store.send(
        in: .box, limit: 1, bytes: 1_000, at: Timestamp(millisecondsSince1970: time))
      #expect(
        operations.map(\.firstSent) == [Timestamp(millisecondsSince1970: 1_700_000_000_000)],
        "the server has to know by it whether it may have applied the operation and forgotten it")
    }
  }

  @Test func waitsForDependencyInAnotherQueue() async throws {
    let (_, anna) = try await TestServer.withCard()
    anna.store.create(Box(.other))
    anna.store.create(Card(2, in: .other))
    try await anna.sync()
    let first = anna.store.perform(Like(card: Card.id(1)))
    anna.store.perform(Like(card: Card.id(2, in: .other)), after: [first])
    #expect(try await anna.commit(.other).request.mutations.isEmpty, "what it depends on is not decided")
    try await anna.push()
    #expect(try await anna.commit(.other).request.mutations.count == 1)
    try await anna.sync()
    #expect(anna.store.pending == 0 && anna.store.failedOperations.isEmpty)
  }

  @Test func dependencyWithoutEffectFailsDependent() async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo()
    ben.store.create(Box(.other))
    ben.store.create(Card(2, in: .other))
    try await ben.sync()
    anna.store.delete(Card.id(1))
    try await anna.sync()
    let first = ben.store.update(Card.id(1)) { $0.title = "too late" }
    ben.store.perform(Like(card: Card.id(2, in: .other)), after: [first])
    try await ben.sync()
    #expect(ben.store.reasons == [.noEffect, .dependency])
    #expect(try ben.card(2, in: .other)?.likes == 0 && ben.store.pending == 0)
  }

  @Test func asksLastForOperationsThatWaitForFiles() async throws {
    let (_, anna) = try await TestServer.withCard()
    anna.store.create(Card(2))
    try await anna.push()
    try await anna.pull()
    let hash = ContentHash(bytes: [UInt8](repeating: 7, count: 32))!
    let waiting = anna.store.perform(Attach(card: Card.id(1), file: hash))
    try await anna.push()
    let like = anna.store.perform(Like(card: Card.id(2)))
    #expect(try await anna.commit().request.mutations.map(\.operation) == [like.id])
    #expect(anna.store.question(of: .box).awaiting == [like.id, waiting.id])
  }

  @Test func firstPageWakesOnlyObserversOfItsObjects() async throws {
    let (_, twin) = try await TestServer.withFiveCards()
    var wakes: [UUIDValue: Counter] = [:]
    for number: UInt64 in 1...5 {
      let (id, counter) = (Card.id(number).rawValue, Counter())
      wakes[id] = counter
      _ = twin.store.memory.withLock { $0.observers.add(.object(id)) { counter.add() } }
    }
    let first = twin.delta(limit: 2)
    let answer = try await first.serve()
    guard case .page(let page) = answer.result else {
      Issue.record("no page: \(answer.result)")
      return
    }
    // The user touches one of the objects while the page is on its way.
    let touched = try #require(page.objects.first).id.low
    twin.store.create(Card(touched, title: "mine"))
    try await first.take(answer)
    #expect(try twin.card(touched)?.title == "mine")
    for (id, counter) in wakes {
      #expect((counter.value > 0) == page.objects.contains { $0.id == id }, "\(id)")
    }
  }

  @Test func aPageForAnEarlierPlaceIsNotTaken() async throws {
    let (_, anna) = try await TestServer.withCard()
    let late = anna.delta()
    let page = try await late.serve()
    anna.store.perform(Like(card: Card.id(1)))
    try await anna.sync()
    let place = anna.store.place(of: .box)
    try await late.take(page)
    #expect(anna.store.place(of: .box) == place, "its answer came after that of a later request")
    #expect(try anna.card(1)?.likes == 1)
  }

  @Test func syncsNothingWithTokenOfAnotherUser() async throws {
    let (server, anna) = try await TestServer.withCard()
    let ben = try server.device(2)
    anna.store.update(Card.id(1)) { $0.title = "edited" }
    anna.store.create(Box(.other))
    anna.store.create(Card(2, in: .other))
    anna.transport.signIn(ben.store.user)
    try await anna.store.waitUntilSaved()
    await #expect(throws: SyncError.self) { try await anna.client.syncOnce() }
    #expect(try anna.card(1)?.title == "edited" && anna.card(2, in: .other) != nil)
    #expect(anna.store.pending == 3 && anna.store.failedOperations.isEmpty)
    try await ben.sync()
    #expect(try ben.store.objects(Card.self).isEmpty, "nothing was done in ben's name")

    anna.transport.signIn(anna.store.user)
    try await anna.sync()
    #expect(anna.store.pending == 0 && anna.store.failedOperations.isEmpty)
  }

  @Test func likeDuringFirstLoadIsNotShownTwice() async throws {
    let (anna, twin) = try await TestServer.withFiveCards()
    let first = twin.delta(limit: 2)
    try await first.take(first.serve())
    let shown = try #require(try twin.store.objects(Card.self).first, "the first page is shown at once")
    twin.store.perform(Like(card: shown.id))
    try await twin.commit().serve()
    // Adds cards, so that the effect of the like does not come with the last page, which brings its outcome.
    for number: UInt64 in 6...7 { anna.store.create(Card(number)) }
    try await anna.push()
    for page in 0..<12 {
      let delta = twin.delta(limit: 1)
      try await delta.take(delta.serve())
      #expect(try twin.store.object(shown.id)?.likes == 1, "page \(page)")
      if twin.store.pending == 0 { break }
    }
    #expect(twin.store.pending == 0)
  }
}

/// `@unchecked Sendable`: used under the store's lock, or by one task after the other.
final class Counter: @unchecked Sendable {
  private(set) var value = 0

  func add() { value += 1 }
}
