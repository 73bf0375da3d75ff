// Tests of forged objects, which lie in one queue and claim to be in another.

import ModelSupport
import SyncServer
import Testing

@Suite struct ForgedObjectTests {
  /// Makes a card claim to be in another box than the one in which it lies. No generated operation can do that.
  private struct Forge: ModelOperation {
    var card: Card.ID
    var box: QueueID

    static let operationName = "card.forge"
    static let fieldTable = FieldTable(projection: "card.forge", Field(1, "card", \Self.card))

    func evaluate(in context: inout OperationContext) throws {
      var patch = PatchBuilder()
      patch.set(1, box)
      try context.edit(card, patch)
    }
  }

  /// Anna has a card in her box. Mallory makes her a member of another box, where a card names Anna's box.
  private func forged() async throws -> (anna: TestDevice, mallory: TestDevice, forged: Card.ID) {
    let (server, anna) = try await TestServer.withCard()
    let mallory = try server.device(2)
    mallory.store.create(Box(.other))
    mallory.store.create(Card(7, in: .other, title: "Write your PIN here"))
    let id = Card.id(7, in: .other)
    mallory.store.perform(Member(card: id, user: anna.store.user, change: .joins))
    mallory.store.perform(Forge(card: id, box: .box))
    try await settle(mallory, anna)
    return (anna, mallory, id)
  }

  @Test func forgedObjectIsShownNowhere() async throws {
    let (anna, _, id) = try await forged()
    #expect(anna.store.place(of: .other).load == .loaded, "the rest of the queue is")
    #expect(try anna.store.objects(Card.self).map(\.id) == [Card.id(1)])
    #expect(try anna.store.object(id) == nil)
    for try await value in anna.store.updates(of: id) {
      #expect(value == nil)
      break
    }
  }

  @Test func refusesEditOfForgedObject() async throws {
    let (anna, mallory, id) = try await forged()
    let edit = anna.store.update(id) { $0.title = "My PIN is 4711" }
    await #expect(throws: StoreError.self) { try await edit.waitUntilConfirmed() }
    try await settle(anna, mallory)
    let card = try #require(try await stored(id, by: mallory))
    #expect(card.box == .box && card.title == "Write your PIN here")
    #expect(anna.store.pending == 0 && anna.transport.commits(of: edit) == 0)
  }

  /// The card as the server has it. No device shows it.
  private func stored(_ id: Card.ID, by device: TestDevice) async throws -> Card? {
    let request = DeltaRequest(queues: [.init(queue: .other)])
    let answers = try await device.server.service.delta(request, by: device.store.asker)
    guard case .page(let page)? = answers.first?.result else { return nil }
    let content = page.objects.first { $0.id == id.rawValue }?.live?.content
    return try content.map { try Card(id: id, blob: $0) }
  }
}
