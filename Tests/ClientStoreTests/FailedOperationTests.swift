// Operations that did not happen, made again of their reports.

import Foundation
import ModelSupport
import MomentsModels
import StoreTestSupport
import SyncProtocol
import Testing
import TypeMatrix

@testable import ClientStore

@Suite struct FailedOperationTests {
  @Test func failedOperationIsMadeAgainFromItsReport() async throws {
    let temporary = try TemporaryStore()
    let moment = Moment(title: "Summer")
    let absent = Photo.ID.new(in: moment.id.queueID)
    temporary.store.perform(Photo.Label(absent, tag: "summit"))
    try await temporary.store.waitUntilSaved()
    let store = try temporary.reopen()
    let item = try #require(store.failedOperations.first)
    let label = try #require(Photo.Label(item))
    #expect(label.target == absent && label.tag == "summit")
    #expect(Photo.Hide(item) == nil, "another operation of the same model")
    store.perform(label)
    #expect(store.failedOperations.map(\.parameters) == [item.parameters, item.parameters])
  }

  /// The one queue took it along because of what it was to come after, the other because it was its own.
  @Test func operationOfQueuesThatGoTogetherIsReportedOnce() async throws {
    let (temporary, server) = (try TemporaryStore(), HandServer())
    let (store, moments) = (temporary.store, [Moment(title: "Summer"), Moment(title: "Winter")])
    for moment in moments {
      try await server.reveal([store.state(of: moment, revision: 1)], upTo: 1, to: store, in: moment.id.queueID)
    }
    let file = FileReference(hash: ContentHash(of: [1]), size: 1, mime: "image/jpeg", name: "a.jpg")
    let photo = Photo(moment: moments[1].id, owner: .zero, file: file, takenAt: .now)
    let first = store.update(moments[0].id) { $0.title = "Autumn" }
    let created = store.create(photo)
    let second = store.perform(Photo.Label(photo.id, tag: "summit"), after: [first])
    try await store.waitUntilSaved()
    let refusal = DeltaAnswer.Result.refused(.revoked(outcomes: [], retention: .zero))
    try await store.receive(moments.map { AnsweredDelta(store.question(of: $0.id.queueID), at: .zero, refusal) })
    let reports = store.failedOperations.map { ($0.id, $0.reason.code) }
    #expect(Set(reports.map(\.0)) == [first.id, created.id, second.id] && reports.count == 3)
    let saved = try temporary.reopen().failedOperations.map { ($0.id, $0.reason.code) }
    #expect(saved.elementsEqual(reports, by: ==))
  }

  @Test func optionalParameterStaysAbsent() throws {
    let rename = Card.Rename(Card.ID.new(in: nil), title: "a")
    var item = try item(rename)
    #expect(Card.Rename(item).map { [$0.title, $0.note] } == ["a", nil])
    item.parameters = [0xFF]
    #expect(Card.Rename(item) == nil, "bytes that are none of parameters")
  }

  @Test func updatesTellOfEachFailureAndOfItsDismissal() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    var updates = store.failedOperationUpdates().makeAsyncIterator()
    #expect(try await updates.next()?.isEmpty == true)
    store.perform(Photo.Label(Photo.ID.new(in: Moment.ID.new().queueID), tag: "summit"))
    let failed = try #require(try await updates.next())
    #expect(failed.map(\.name) == ["photo.label"])
    try await store.dismiss(failed[0])
    #expect(try await updates.next()?.isEmpty == true)
  }

  @Test func wordsOfAnOperationByHandAreShown() throws {
    struct Full: LocalizedError {
      var errorDescription: String? { "The list is full." }
    }
    struct Add: ModelOperation {
      static let operationName = "moment.add"
      var unknownFields = UnknownFields.none
      static let fieldTable = FieldTable("moment.add", unknownFields: \Self.unknownFields)
      func evaluate(in context: inout OperationContext) throws { throw Full() }
    }
    let temporary = try TemporaryStore()
    temporary.store.perform(Add())
    let reason = try #require(temporary.store.failedOperations.first?.reason)
    #expect(reason.localizedDescription == "The list is full." && reason.code == .refused)
    #expect(reason.recovery == nil)
  }

  private func item(_ operation: some ModelOperation) throws -> FailedOperation {
    FailedOperation(
      id: .zero, name: type(of: operation).operationName, parameters: try operation.encodedFields(),
      changes: OperationChanges(), queue: nil, performedAt: .zero, reason: StoreError(.refused, ""))
  }
}
