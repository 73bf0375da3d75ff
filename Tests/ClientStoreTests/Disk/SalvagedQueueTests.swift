// A salvaged store keeps what it knew about its queues. It notices a restored server, and loses nothing.

import GRDB
import ModelSupport
import MomentsModels
import SampleIDs
import StoreTestSupport
import SyncProtocol
import Testing

@testable import ClientStore

@Suite struct SalvagedQueueTests {
  private let moment: EndedMoment
  private var queue: QueueID { moment.queue }
  private let before = HistoryID(high: 1, low: 1)
  private let after = HistoryID(high: 2, low: 2)

  init() throws { moment = try EndedMoment() }

  /// Creates a photo in a loaded queue and has it applied and shown. Returns its operation, which is retired then.
  private func applied() async throws -> OperationID {
    try await moment.confirm()
    let store = moment.store
    store.create(moment.photo(2))
    try await store.waitUntilSaved()
    let create = try #require(try await store.send(in: queue).first?.id)
    try await moment.server.answer(.applied, to: create, at: 3, to: store, in: queue)
    var page = try moment.server.page(
      [store.state(of: moment.photo(2), revision: 3)], upTo: 3, for: store, in: queue)
    page.history = before
    try await store.receive(page, in: queue)
    #expect(store.pendingOperations.isEmpty && store.place(of: queue).history == before)
    return create
  }

  private func salvaged() async throws -> ModelStore {
    try await moment.store.close()
    let salvage = try ModelStore.salvage(
      at: moment.temporary.folder, schema: MomentsSchema.self, user: moment.temporary.user)
    #expect(salvage.problems == [])
    return try moment.temporary.reopen()
  }

  private func receive(_ refusal: QueueRefusal, _ store: ModelStore) async throws {
    try await store.receive(
      ArrivedRefusal(refusal, at: Timestamp(millisecondsSince1970: 9), from: store.place(of: queue), history: after),
      in: queue)
  }

  @Test func reloadsQueueUnderKnownEpochAndGrant() async throws {
    let retired = try await applied()
    let store = try await salvaged()
    let place = store.place(of: queue)
    #expect(place.load == .reloading && place.epoch == ServerPages.epoch && place.grant == ServerPages.grant)
    #expect(place.cursor == 0 && place.position == nil && place.shown == nil && place.history == before)
    #expect(store.memory.withLock { $0.sync.roles[queue] } == .owner)
    #expect(store.awaited(in: queue, limit: 9) == [retired])
  }

  @Test func sendsAgainOperationLostByRestore() async throws {
    let lost = try await applied()
    let store = try await salvaged()
    try await receive(.epoch(.init(epoch: EpochID(high: 7, low: 7), grant: ServerPages.grant)), store)
    #expect(store.awaited(in: queue, limit: 9) == [lost])
    try await HandServer().reveal(moment.states(), upTo: 2, to: store, in: queue)
    #expect(store.pendingOperations.map(\.id) == [lost])
    #expect(try await store.send(in: queue).map(\.id) == [lost])
  }

  /// The server was restored under the same epoch. Only the confirmed rows, which salvaging dropped, would show the
  /// loss.
  @Test func sendsAgainOperationLostUnderSameEpoch() async throws {
    let lost = try await applied()
    let store = try await salvaged()
    try await HandServer().reveal(moment.states(), upTo: 2, to: store, in: queue)
    #expect(store.pendingOperations.map(\.id) == [lost])
  }

  @Test func operationOfQueueLostByRestoreReturnsToOutbox() async throws {
    let lost = try await applied()
    let store = try await salvaged()
    try await receive(.absent, store)
    #expect(store.pendingOperations.map(\.id) == [lost], "its owner gives birth to it again")
  }

  @Test func awaitsMembershipLostByRestore() async throws {
    _ = try await applied()
    var store = try await salvaged()
    store.create(moment.photo(3))
    try await store.waitUntilSaved()
    let pending = store.pendingOperations.map(\.id)
    try await receive(.revoked(outcomes: [], retention: .zero), store)
    #expect(store.place(of: queue).load == .awaitingMembership && store.failedOperations.isEmpty)
    store = try await salvaged()
    let place = store.place(of: queue)
    #expect(place.load == .awaitingMembership && place.waitingSince == Timestamp(millisecondsSince1970: 9))
    #expect(place.history == before && pending.count == 1 && store.pendingOperations.map(\.id) == pending)
    try await receive(.revoked(outcomes: [], retention: .zero), store)
    #expect(store.failedOperations.isEmpty)
  }

  /// The restored server lacks the queue. Then another owner's device creates it again, still without this user.
  @Test func awaitsMembershipInQueueCreatedAgain() async throws {
    let lost = try await applied()
    let store = try await salvaged()
    try await receive(.absent, store)
    try await receive(.revoked(outcomes: [], retention: .zero), store)
    #expect(store.place(of: queue).load == .awaitingMembership && store.failedOperations.isEmpty)
    #expect(store.pendingOperations.map(\.id) == [lost])
  }

  @Test func salvagedStoreStillKnowsItsServer() async throws {
    #expect(try await moment.store.isServer(ServerID(high: 1, low: 1)))
    let store = try await salvaged()
    #expect(try await !store.isServer(ServerID(high: 2, low: 2)))
    #expect(try await store.isServer(ServerID(high: 1, low: 1)))
  }

  /// Unreadable values in the queue's row count as never known, so the server is asked for retired operations.
  @Test(arguments: ["epoch = x'01'", "load = 99", "load = 'x'"])
  func asksForRetiredOperationsIfQueueRowIsDamaged(damage: String) async throws {
    let retired = try await applied()
    try await moment.store.close()
    let database = try DatabaseQueue(path: moment.temporary.folder + "/store.sqlite")
    try await database.write { try $0.execute(sql: "UPDATE queue SET \(damage) WHERE number > 0") }
    try database.close()
    let store = try await salvaged()
    #expect(store.place(of: queue).load == .reloading)
    #expect(store.awaited(in: queue, limit: 9) == [retired])
  }
}
