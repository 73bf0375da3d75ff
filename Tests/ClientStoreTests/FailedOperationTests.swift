// Operations that did not happen, made again of their reports.

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

  private func item(_ operation: some ModelOperation) throws -> FailedOperation {
    FailedOperation(
      id: .zero, name: type(of: operation).operationName, parameters: try operation.encodedFields(),
      changes: OperationChanges(), queue: nil, performedAt: .zero, reason: StoreError(.refused, ""))
  }
}
