// Operations that did not happen, made again of their reports.

import Foundation
import ModelSupport
import MomentsModels
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
