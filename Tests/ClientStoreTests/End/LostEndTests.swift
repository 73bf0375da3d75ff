// The end of a queue that a restored server may have lost.

import GRDB
import ModelSupport
import MomentsModels
import StoreTestSupport
import Testing

@testable import ClientStore

@Suite struct LostEndTests {
  private let ended: EndedMoment
  private var store: ModelStore { ended.store }
  private var queue: QueueID { ended.queue }

  init() throws {
    ended = try EndedMoment()
  }

  private func expectEnded() {
    #expect(store.place(of: queue).load == .ended && store.pendingOperations.isEmpty)
    #expect(store.question(of: queue).awaiting.isEmpty && store.syncNeeds().isEmpty)
  }

  @Test func restoredQueueStaysHiddenAndIsEndedAgain() async throws {
    let end = try await ended.end()
    expectEnded()
    try await ended.hearOfALoss()
    for store in [store, try ended.temporary.reopen()] {
      #expect(store.place(of: queue).load == .ended && store.question(of: queue).awaiting == [end.id])
      #expect(store.memory.withLock { $0.ledger.isHidden(queue) } && store.syncNeeds()[queue]?.canSend == false)
    }
    store.create(ended.photo(2))
    #expect(ended.reasons == [.ended])
    try await ended.server.reveal(ended.states(), upTo: 2, to: store, in: queue)
    #expect(store.place(of: queue).load == .loaded && store.pendingOperations.map(\.id) == [end.id])
    #expect(try !ended.isShown())
    #expect(try await store.send(in: queue).map(\.operation) == [end.id], "it is ended once more")
    try await ended.refuse([ended.applied(end)])
    expectEnded()
    #expect(try ended.reasons == [.ended] && ended.retired() == [end.id])
  }

  @Test func restoredQueueStaysEndedIfEndWasKept() async throws {
    let end = try await ended.end()
    try await ended.hearOfALoss()
    try await ended.refuse([ended.applied(end)])
    expectEnded()
    #expect(try store.failedOperations.isEmpty && ended.retired() == [end.id])
  }

  /// The server was restored to a time before the membership.
  @Test func reportsEndWithoutMembership() async throws {
    let end = try await ended.end()
    try await ended.hearOfALoss()
    try await ended.refuse(.revoked(outcomes: [], retention: .zero))
    #expect(store.failedOperations.map(\.id) == [end.id] && store.failedOperations[0].canRetry)
    #expect(try !ended.isShown() && ended.retired().isEmpty)
  }

  @Test func reportsRetiredOperationThatIsDamaged() async throws {
    let end = try await ended.end()
    try await DatabaseQueue(path: ended.temporary.folder + "/store.sqlite").write { database in
      try database.execute(sql: "UPDATE retired SET parameters = parameters || x'00'")
    }
    try await ended.hearOfALoss()
    for store in [store, try ended.temporary.reopen()] {
      #expect(store.failedOperations.map(\.id) == [end.id] && store.failedOperations[0].reason.code == .damaged)
      #expect(store.pendingOperations.isEmpty)
    }
    #expect(try ended.retired().isEmpty)
  }

  @Test func salvagedStoreEndsItsQueueAgain() async throws {
    let end = try await ended.end()
    try await store.close()
    _ = try ModelStore.salvage(at: ended.temporary.folder, schema: MomentsSchema.self, user: ended.temporary.user)
    _ = try ended.temporary.reopen()
    expectEnded()
    try await ended.hearOfALoss()
    #expect(store.question(of: queue).awaiting == [end.id])
    #expect(store.memory.withLock { $0.ledger.isHidden(queue) })
  }
}
