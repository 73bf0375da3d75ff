// Tests of an operation that does not get through: it stops only what depends on it.

import ModelSupport
import SampleIDs
import SyncProtocol
import Testing
import WireFormat

@testable import ClientStore
@testable import ClientSync

@Suite struct SteppingAsideTests {
  /// The answers of something that refuses one operation whenever it is among others.
  static let refusals: [(name: String, answer: TransportAnswer)] = [
    ("a proxy's 413", TransportAnswer(status: 413, protocolVersion: nil, body: [])),
    (
      "a 500 of the server",
      TransportAnswer(
        status: 500, protocolVersion: "1",
        body: Array(#"{"errors":[{"message":"no","extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}"#.utf8))
    ),
  ]

  @Test(arguments: refusals.indices) func othersGoOnAndWhatDependsOnItWaits(index: Int) async throws {
    let server = try TestServer()
    let anna = try server.device(1)
    anna.store.create(Box())
    try await anna.sync()
    let stuck = Card(1)
    anna.store.create(stuck)
    let poison = try #require(anna.store.pendingOperations.last?.id)
    for number in 2...20 as ClosedRange<UInt64> { anna.store.create(Card(number)) }
    // It depends on the first one: the same object.
    anna.store.update(stuck.id) { $0.title = "later" }
    try await anna.store.waitUntilSaved()
    let answer = Self.refusals[index].answer
    anna.transport.goes { message, send in
      message.call == "Commit" && message.names(poison) ? answer : await send()
    }
    // `syncOnce` ends at the first failure, so each call makes one more attempt.
    for _ in 0..<12 { try? await anna.sync() }
    #expect(anna.store.pending == 2, "the operation and the one on its object wait; the others went on")
    let status = await anna.client.status
    #expect(status.problem?.message.contains("One change does not get through") == true, "\(status)")
    anna.transport.goesStraight()
    await anna.client.retry()
    try await anna.sync()
    #expect(anna.store.pending == 0, "it is tried again, and then what depends on it")
    let twin = try server.device(1, seed: 9)
    try await twin.sync()
    #expect(try twin.store.objects(Card.self).count == 20)
  }

  /// The status must not go on telling of an operation that is not there any more.
  @Test func problemGoesWithTheOperation() throws {
    var machine = SyncMachine.tested(home: .other)
    var needs = QueueNeeds()
    (needs.canSend, needs.hasOperations) = (true, true)
    var place = QueuePlace()
    (place.load, place.position) = (.loaded, 0)
    let pending = SyncNews(places: [.box: place], needs: [.box: needs])
    machine.tell(.memberships([.box: .zero]), pending)
    machine.tell(.answered([.zero], .zero), pending)
    let turn = try #require(machine.begin(pending, at: .zero).turns.first { $0.kind == .push })
    let failure = SyncFailure(.waitWithQueue, .refused, "no")
    machine.tell(.ended(turn, [.box: .steppedAside(failure)]), pending)
    let tryAgain = SyncMachine.Action.tryAsidesAgain(.box)
    #expect(machine.problem?.message == "no" && !machine.begin(pending, at: .zero).contains(tryAgain))
    let later = Timestamp(millisecondsSince1970: SyncMachine.shortestAside)
    #expect(machine.begin(pending, at: later).contains(tryAgain) && machine.problem != nil, "it is tried, not solved")
    machine.tell(.news, SyncNews(places: [:], needs: [:]))
    #expect(machine.problem == nil)
  }
}
