// The end of a queue that a restored server may have lost.

import GRDB
import ModelSupport
import MomentsModels
import SampleIDs
import StoreTestSupport
import Testing

@testable import ClientStore

@Suite struct LostEndTests {
  private let ended: EndedMoment
  private var server: HandServer { ended.server }
  private var store: ModelStore { ended.store }
  private var queue: QueueID { ended.queue }
  private var moment: Moment { ended.moment }

  init() throws {
    ended = try EndedMoment()
  }

  /// The end was applied, and the refusal received. Then a restored server serves the queue again.
  private func endAndRestore() async throws -> OperationHandle {
    let end = try await ended.end()
    try await server.reveal([], upTo: 2, to: store, in: queue)
    return end
  }

  @Test func restoredQueueStaysHiddenAndIsEndedAgain() async throws {
    let end = try await endAndRestore()
    for store in [store, try ended.temporary.reopen()] {
      #expect(store.place(of: queue).load == .reloading)
      #expect(store.awaited(in: queue, limit: 9) == [end.id])
      #expect(store.memory.withLock { $0.isHidden(queue) })
      #expect(try await store.send(in: queue).isEmpty)
    }
    store.create(ended.photo(2))
    #expect(ended.reasons == [.ended])
    try await server.reveal(ended.states(), upTo: 2, to: store, in: queue)
    #expect(store.place(of: queue).load == .loaded && store.pendingOperations.map(\.id) == [end.id])
    #expect(try !ended.isShown())
    #expect(try await store.send(in: queue).map(\.id) == [end.id], "it is ended once more")
    try await ended.refuse([ended.applied(end)])
    #expect(
      store.place(of: queue).load == .ended && store.pendingOperations.isEmpty && store.failedOperations.count == 1)
  }

  @Test func restoredQueueStaysEndedIfEndWasKept() async throws {
    let end = try await endAndRestore()
    try await ended.refuse([ended.applied(end)])
    #expect(store.place(of: queue).load == .ended && store.failedOperations.isEmpty && store.pendingOperations.isEmpty)
    #expect(ended.retiredEnd == .settled)
    #expect(store.awaited(in: queue, limit: 9).isEmpty)
  }

  /// The server was restored to a time before the membership, and nobody restores the membership. The store waits for
  /// it for 7 days, and then reports the end.
  @Test func reportsEndWithoutMembershipAfterSevenDays() async throws {
    try await ended.confirm()
    let end = store.delete(moment.id)
    try await store.waitUntilSaved()
    _ = try await store.send(in: queue)
    let (before, after) = (HistoryID(high: 1, low: 1), HistoryID(high: 2, low: 2))
    #expect(store.adopt(before, asked: nil))
    try await ended.refuse([ended.applied(end)], in: before)
    #expect(store.syncNeeds().isEmpty)
    #expect(store.adopt(after, asked: before) == false)
    #expect(store.syncNeeds()[queue]?.mayHaveLostEnd == true, "the server is asked whether it still has ended")
    for (days, load): (Int64, QueuePlace.Load) in [(0, .awaitingMembership), (6, .awaitingMembership), (8, .revoked)] {
      let refusal = ArrivedRefusal(
        .revoked(outcomes: [], retention: .zero), at: Timestamp(millisecondsSince1970: 2_000 + days * 86_400_000),
        from: store.place(of: queue), history: after)
      try await store.receive(refusal, in: queue)
      #expect(store.place(of: queue).load == load, "after \(days) days")
    }
    #expect(store.failedOperations.map(\.id) == [end.id] && ended.reasons == [.revoked])
  }

  @Test func asksOncePerHistoryWhetherQueueHasEnded() async throws {
    let end = try await ended.end()
    let (before, after) = (HistoryID(high: 1, low: 1), HistoryID(high: 2, low: 2))
    _ = store.adopt(before, asked: nil)
    #expect(store.syncNeeds()[queue]?.mayHaveLostEnd == true)
    for history in [before, after] {
      _ = store.adopt(history, asked: before)
      #expect(store.syncNeeds()[queue]?.mayHaveLostEnd == true)
      try await ended.refuse(in: history)
      #expect(store.syncNeeds().isEmpty && store.place(of: queue).load == .ended)
    }
    #expect(store.failedOperations.isEmpty)
    try await end.waitUntilConfirmed()
  }

  @Test func queueAbsentAtServerStaysEnded() async throws {
    _ = try await ended.end()
    let history = HistoryID(high: 2, low: 2)
    _ = store.adopt(history, asked: nil)
    let refusal = ArrivedRefusal(.absent, at: .zero, from: store.place(of: queue), history: history)
    try await store.receive(refusal, in: queue)
    #expect(store.place(of: queue).load == .ended && store.syncNeeds().isEmpty && store.pendingOperations.isEmpty)
  }

  @Test func salvagedStoreHidesQueueItsUserEnded() async throws {
    let end = try await ended.end()
    try await store.close()
    _ = try ModelStore.salvage(at: ended.temporary.folder, schema: MomentsSchema.self, user: ended.temporary.user)
    let salvaged = try ended.temporary.reopen()
    #expect(salvaged.place(of: queue).load == .ended && ended.retiredEnd == .settled)
    // A restored server serves the queue again.
    try await server.reveal([], upTo: 2, to: salvaged, in: queue)
    #expect(salvaged.place(of: queue).load == .reloading && salvaged.awaited(in: queue, limit: 9) == [end.id])
    #expect(salvaged.memory.withLock { $0.isHidden(queue) })
  }

  @Test func salvagedStoreHidesQueueIfItsEndIsUncertain() async throws {
    let end = try await ended.end()
    try await store.close()
    let database = try DatabaseQueue(path: ended.temporary.folder + "/store.sqlite")
    try await database.write { try $0.execute(sql: "UPDATE queue SET load = 99 WHERE number > 0") }
    try database.close()
    _ = try ModelStore.salvage(at: ended.temporary.folder, schema: MomentsSchema.self, user: ended.temporary.user)
    let salvaged = try ended.temporary.reopen()
    #expect(salvaged.place(of: queue).load == .reloading && salvaged.awaited(in: queue, limit: 9) == [end.id])
    #expect(salvaged.memory.withLock { $0.isHidden(queue) })
  }
}
