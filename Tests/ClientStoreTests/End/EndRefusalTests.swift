// The end of a queue: the server's refusal settles all that is pending in the queue, as the end of a delta does.

import ModelSupport
import MomentsModels
import StoreTestSupport
import Testing

@testable import ClientStore

@Suite struct EndRefusalTests {
  private let ended: EndedMoment
  private var store: ModelStore { ended.store }
  private var queue: QueueID { ended.queue }
  private var moment: Moment { ended.moment }
  private var other: Moment { ended.other }

  init() throws {
    ended = try EndedMoment()
  }

  @Test func refusalSettlesAllPendingOperations() async throws {
    try await ended.confirm()
    let edit = store.update(ended.photo(1).id) { $0.caption = "applied" }
    store.create(ended.photo(2))
    let late = store.update(ended.photo(2).id) { $0.caption = "not applied" }
    let end = store.delete(moment.id)
    try await store.waitUntilSaved()
    _ = try await store.send(in: queue)
    try await ended.refuse([ended.applied(edit), ended.applied(end)])
    try await edit.waitUntilConfirmed()
    try await end.waitUntilConfirmed()
    await #expect { try await late.waitUntilConfirmed() } throws: { ($0 as? StoreError)?.code == .ended }
    #expect(ended.reasons == [.ended, .ended] && store.pendingOperations.isEmpty)
    #expect(store.failedOperations.allSatisfy { !$0.reason.message.isEmpty })
    for store in [store, try ended.temporary.reopen()] {
      #expect(store.place(of: queue).load == .ended && store.place(of: queue).cursor == 0)
      #expect(store.place(of: queue).mayBeSentTo(isMaker: true) == false && store.syncNeeds().isEmpty)
      #expect(try ended.retired() == [edit.id, end.id], "for a server that loses them")
      #expect(try store.object(ended.photo(1).id) == nil && ended.titles() == ["Another one"])
    }
    store.create(ended.photo(3))
    #expect(store.failedOperations.last?.reason.code == .ended, "nobody gives birth to it again")
    try await ended.refuse()
    #expect(
      store.failedOperations.count == 3 && store.place(of: queue).load == .ended, "a second refusal says nothing new")
  }

  @Test func pendingEndSucceedsIfAnotherUserEndedQueue() async throws {
    try await ended.confirm()
    let end = store.delete(moment.id)
    try await store.waitUntilSaved()
    try await ended.refuse()
    try await end.waitUntilConfirmed()
    #expect(store.failedOperations.isEmpty && store.pendingOperations.isEmpty)
    #expect(try ended.retired() == [end.id])
  }

  @Test func cancelledEndIsReportedIfAnotherUserEndedQueue() async throws {
    try await ended.confirm()
    let end = store.delete(moment.id)
    try await store.waitUntilSaved()
    _ = try await store.send(in: queue)
    end.cancel()
    try await ended.refuse()
    #expect(ended.reasons == [.ended])
    #expect(try ended.retired().isEmpty, "nobody wants it sent again")
  }

  @Test func operationPastRetentionHasUnknownOutcome() async throws {
    try await ended.confirm()
    store.update(ended.photo(1).id) { $0.caption = "sent long ago" }
    try await store.waitUntilSaved()
    _ = try await store.send(in: queue)
    try await ended.refuse(retention: Timestamp(millisecondsSince1970: 1))
    #expect(ended.reasons == [.unknownOutcome])
  }

  @Test func dependentOfEndIsSentDependentOfEditFails() async throws {
    try await ended.confirm()
    let edit = store.update(ended.photo(1).id) { $0.caption = "not applied" }
    let end = store.delete(moment.id)
    store.perform(Rename(moment: other.id, title: "after the edit"), after: [edit.id])
    let after = store.perform(Rename(moment: other.id, title: "after the end"), after: [end])
    try await store.waitUntilSaved()
    #expect(try await store.send(in: other.id.queueID).isEmpty)
    _ = try await store.send(in: queue)
    try await ended.refuse([ended.applied(end)])
    #expect(ended.reasons == [.ended, .dependency])
    #expect(try await store.send(in: other.id.queueID).map(\.operation) == [after.id])
  }
}

/// Sets another title. Unlike `update`, an operation can be declared to come after others.
private struct Rename: ModelOperation {
  var moment: Moment.ID
  var title: String

  static let operationName = "moment.rename"
  static let fieldTable = FieldTable(
    projection: "moment.rename", Field(1, "moment", \Self.moment), Field(2, "title", \Self.title))

  func evaluate(in context: inout OperationContext) throws { try context.update(moment) { $0.title = title } }
}
