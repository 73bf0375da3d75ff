// A salvaged store loads its queues anew. It notices a restored server, and loses nothing.

import GRDB
import ModelSupport
import MomentsModels
import SampleIDs
import StoreTestSupport
import Testing

@testable import ClientStore

@Suite struct SalvagedQueueTests {
  private let moment: EndedMoment
  private var queue: QueueID { moment.queue }

  init() throws { moment = try EndedMoment() }

  /// Creates a photo in a loaded queue and has it applied and shown. Returns its operation, which is retired then.
  private func applied() async throws -> OperationID {
    let store = moment.store
    #expect(try await store.isServer(ServerID(high: 1, low: 1)))
    #expect(try await store.isHistory(ServerPages.history))
    try await moment.confirm()
    store.create(moment.photo(2))
    try await store.waitUntilSaved()
    let create = try #require(try await store.send(in: queue).first?.operation)
    try await moment.server.answer(.applied, to: create, at: 3, to: store, in: queue)
    try await moment.server.reveal([store.state(of: moment.photo(2), revision: 3)], upTo: 3, to: store, in: queue)
    #expect(store.pendingOperations.isEmpty && store.place(of: queue).history == ServerPages.history)
    return create
  }

  private func salvaged() async throws -> ModelStore {
    try await moment.store.close()
    let salvage = try ModelStore.salvage(
      at: moment.temporary.folder, schema: MomentsSchema.self, user: moment.temporary.user)
    #expect(salvage.problems == [])
    return try moment.temporary.reopen()
  }

  @Test func loadsQueueAnewAndKnowsItsServer() async throws {
    let retired = try await applied()
    let store = try await salvaged()
    #expect(store.place(of: queue) == QueuePlace())
    #expect(store.memory.withLock { $0.sync.roles[queue] } == .owner)
    #expect(try moment.retired() == [retired] && store.history == ServerPages.history)
    #expect(try await !store.isServer(ServerID(high: 2, low: 2)))
    #expect(try await store.isServer(ServerID(high: 1, low: 1)))
  }

  /// The device hears of the loss before its store is salvaged, or after.
  @Test(arguments: [true, false])
  func sendsAgainOperationLostByRestore(hearsFirst: Bool) async throws {
    let lost = try await applied()
    if hearsFirst { try await moment.hearOfALoss() }
    let store = try await salvaged()
    if !hearsFirst { try await moment.hearOfALoss() }
    #expect(store.question(of: queue).awaiting == [lost])
    #expect(try store.object(moment.photo(2).id) == nil, "it is hidden until the rows are here")
    #expect(try await store.send(in: queue).isEmpty, "the queue is read first")
    try await HandServer().reveal(moment.states(), upTo: 2, to: store, in: queue)
    #expect(try store.pendingOperations.map(\.id) == [lost] && store.object(moment.photo(2).id) != nil)
    #expect(try await store.send(in: queue).map(\.operation) == [lost])
  }

  /// The queue counts as never read if its row cannot be read.
  @Test(arguments: ["load = 99", "load = 'x'", "history = x'01'"])
  func keepsRetiredOperationsIfQueueRowIsDamaged(damage: String) async throws {
    let retired = try await applied()
    try await moment.store.close()
    let database = try DatabaseQueue(path: moment.temporary.folder + "/store.sqlite")
    try await database.write { try $0.execute(sql: "UPDATE queue SET \(damage) WHERE number > 0") }
    try database.close()
    let store = try await salvaged()
    #expect(try store.place(of: queue).load == .unread && moment.retired() == [retired])
  }
}
