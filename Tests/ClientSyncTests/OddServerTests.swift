// Tests of answers that no server should give: sync goes on with the rest, and nothing traps.

import ModelSupport
import SampleIDs
import StoreTestSupport
import Testing

@Suite struct OddServerTests {
  private let device: TestDevice
  private var store: ModelStore { device.store }

  init() throws {
    device = try TestServer().device(1)
  }

  private func page(_ objects: [ObjectState], cursor: Int64 = 1) -> DeltaPage {
    DeltaPage(
      grant: GrantID(high: 1, low: 2), role: .owner, head: cursor, cursor: cursor, objects: objects,
      end: .init(outcomes: [], retention: .zero, digest: QueueDigest(objects)))
  }

  private func take(_ page: DeltaPage, at time: Timestamp = .zero, in queue: QueueID = .box) async throws {
    let question = DeltaQuestion(of: queue, at: store.place(of: queue), awaiting: [])
    try await store.receive(AnsweredDelta(question, at: time, .page(page)))
  }

  @Test func aMembershipThatNamesNoQueueIsPassedOver() async throws {
    let grant = GrantID(high: 5, low: 5)
    let contents = [
      try QueueMembership(queue: .box, role: .owner, grant: grant).encoded(),
      try QueueMembership(queue: .zero, role: .owner, grant: grant).encoded(), [], [0xFF],
    ]
    let home = store.homeQueueID
    let objects = contents.enumerated().map { number, content in
      ObjectState(
        id: .object(UInt64(number), in: home), revision: 1,
        live: .init(type: QueueMembership.type, content: content, system: SystemFields(createdBy: .zero, at: .zero)))
    }
    try await take(page(objects), in: home)
    #expect(try await store.memberships() == [.box: grant])
  }

  /// A page has an object whose id is bound to another queue. Without that row the device could never reach the
  /// server's digest, so it takes nothing of the page, and asks again.
  @Test(arguments: [true, false]) func aPageWithAnIDOfAnotherQueueIsRefusedAsAWhole(isDeleted: Bool) async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo(TestTime())
    anna.store.create(Card(2))
    if isDeleted { anna.store.delete(Card.id(1)) }
    try await settle(anna)
    let (right, wrong) = (isDeleted ? Card.id(1) : Card.id(2), Card.id(7, in: .other))
    ben.transport.goes { message, send in
      var answer = await send()
      if message.call == "Delta" {
        answer.body = Array(String(decoding: answer.body, as: UTF8.self).replacing("\(right)", with: "\(wrong)").utf8)
      }
      return answer
    }
    let place = ben.store.place(of: .box)
    ben.store.perform(Like(card: Card.id(1)))
    await #expect { try await ben.sync() } throws: { "\($0)".contains("not bound to the queue") }
    #expect(ben.store.place(of: .box) == place)
    #expect(try ben.card(1)?.likes == 1 && ben.card(2) == nil && ben.store.object(wrong) == nil)
    #expect(ben.store.failedOperations.isEmpty && ben.store.pending == 1, "what the user did is kept")

    ben.transport.goesStraight()
    try await settle(ben, anna, ben)
    #expect(try ben.card(1)?.likes == (isDeleted ? nil : 1) && ben.card(2) != nil && ben.store.pending == 0)
  }

  @Test(arguments: [Int64.min, .max]) func takesPageWithExtremeServerTime(milliseconds: Int64) async throws {
    try await take(page([]), at: Timestamp(millisecondsSince1970: milliseconds))
    #expect(store.place(of: .box).load == .loaded)
  }

  /// Changes of exactly the largest size can be performed and sent, because nothing is added to them later.
  @Test func changesOfLargestSizeCanBeSent() async throws {
    let card = Card(1)
    let state = ObjectState(
      id: card.id.rawValue, revision: 1,
      live: .init(type: Card.modelName, content: try card.encoded(), system: SystemFields(createdBy: .zero, at: .zero)))
    try await take(page([state]))
    store.perform(Rewrite(card: card.id, length: 100_000))
    let overhead = try #require(store.pendingOperations.last).changes.encoded().count - 100_000
    let longest = OperationChanges.maximumBytes - overhead
    store.perform(Rewrite(card: card.id, length: longest + 1))
    #expect(store.reasons == [.refused])
    store.perform(Rewrite(card: card.id, length: longest))
    try await store.waitUntilSaved()
    let sent = try await store.send(in: .box, limit: 2, bytes: 1 << 22, at: .zero)
    #expect(sent.map(\.changes.count) == [100_000 + overhead, OperationChanges.maximumBytes])
  }
}

/// Sets a title of some length, on condition that the card is unchanged.
private struct Rewrite: ModelOperation {
  var card: Card.ID
  var length: Int

  static let operationName = "card.rewrite"
  static let fieldTable = FieldTable(projection: "card.rewrite", Field(1, "card", \Self.card))

  func evaluate(in context: inout OperationContext) throws {
    var patch = PatchBuilder()
    patch.set(2, String(repeating: "x", count: length))
    try context.edit(card, patch)
    try context.requireUnchanged(card)
  }
}
