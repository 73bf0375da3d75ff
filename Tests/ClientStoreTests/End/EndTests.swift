// The end of a queue on the device: it hides the whole queue at once, until it is cancelled or refused.

import ModelSupport
import MomentsModels
import StoreTestSupport
import Testing

@testable import ClientStore

@Suite struct EndTests {
  private let ended: EndedMoment
  private var server: HandServer { ended.server }
  private var store: ModelStore { ended.store }
  private var queue: QueueID { ended.queue }
  private var moment: Moment { ended.moment }
  private var other: Moment { ended.other }

  init() throws {
    ended = try EndedMoment()
  }

  @Test func theEndHidesAllOfAQueueAtOnceAndNothingElse() async throws {
    try await ended.confirm()
    store.update(ended.photo(1).id) { $0.caption = "edited before" }
    var captions = store.updates(of: ended.photo(1).id).makeAsyncIterator()
    #expect(try await captions.next()??.caption == "edited before")
    #expect(try ended.isShown())
    store.delete(moment.id)
    #expect(try !ended.isShown() && ended.titles() == ["Another one"])
    #expect(try await captions.next() == .some(nil), "who observes a photo of it is told")
    try await store.waitUntilSaved()
    let reopened = try ended.temporary.reopen()
    #expect(try reopened.object(ended.photo(1).id) == nil && ended.titles() == ["Another one"])
  }

  @MainActor @Test func aLiveObjectIsGoneWithItsQueue() async throws {
    try await ended.confirm()
    let live = store.live(ended.photo(1).id)
    #expect(live.value != nil)
    let end = store.delete(moment.id)
    #expect(live.value == nil)
    end.cancel()
    #expect(live.value != nil)
  }

  @Test(arguments: [true, false])
  func cancelledEndShowsItsQueueAgain(isSent: Bool) async throws {
    try await ended.confirm()
    var captions = store.updates(of: ended.photo(1).id).makeAsyncIterator()
    let end = store.delete(moment.id)
    #expect(try !ended.isShown())
    try await store.waitUntilSaved()
    if isSent { #expect(try await store.send(in: queue).map(\.operation) == [end.id]) }
    #expect(try await captions.next() == .some(nil))
    end.cancel()
    #expect(try ended.isShown())
    #expect(try await captions.next()??.id == ended.photo(1).id, "who observes a photo of it is told")
    store.update(ended.photo(1).id) { $0.caption = "goes on" }
    #expect(try store.object(ended.photo(1).id)?.caption == "goes on")
  }

  @Test func refusedEndShowsItsQueueAgain() async throws {
    try await ended.confirm()
    let end = store.delete(moment.id)
    try await store.waitUntilSaved()
    _ = try await store.send(in: queue)
    try await server.answer(.rejected("forbidden"), to: end.id, at: 2, to: store, in: queue)
    #expect(try ended.isShown())
    #expect(store.failedOperations.map(\.id) == [end.id] && store.place(of: queue).load == .loaded)
  }

  @Test func refusesOperationsInEndingQueue() async throws {
    try await ended.confirm()
    let end = store.delete(moment.id)
    store.update(ended.photo(1).id) { $0.caption = "late" }
    store.create(ended.photo(2))
    store.delete(moment.id)
    store.delete(ended.photo(1).id)
    #expect(ended.reasons == [.ended, .ended, .refused, .ended], "what is deleted already is not there")
    #expect(store.pendingOperations.map(\.id) == [end.id])
    store.update(other.id) { $0.title = "goes on" }
    #expect(try ended.titles() == ["goes on"])
  }

  @Test(arguments: [QueueRole.writer, .reader])
  func onlyAnOwnerEndsAQueue(role: QueueRole) async throws {
    try await ended.confirm(as: role)
    let end = store.delete(moment.id)
    #expect(store.failedOperations.map(\.id) == [end.id] && store.pendingOperations.isEmpty)
    #expect(try ended.isShown())
  }

  @Test func aQueueMayBeMadeAndEndedWithoutAConnection() async throws {
    store.create(moment)
    store.create(ended.photo(1))
    let end = store.delete(moment.id)
    #expect(try !ended.isShown())
    try await store.waitUntilSaved()
    let sent = try await store.send(in: queue)
    #expect(sent.count == 3 && sent.last?.operation == end.id, "they go in their order")
    try await ended.refuse(store.pendingOperations.map { OperationOutcome(operation: $0.id, status: .applied, at: 3) })
    #expect(store.failedOperations.isEmpty && store.pendingOperations.isEmpty && store.place(of: queue).load == .ended)
  }
}
