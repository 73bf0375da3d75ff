// A store with a moment that its owner ends, and a fake server that answers as a test tells it.

import ModelSupport
import MomentsModels
import SampleIDs
import StoreTestSupport
import Testing

@testable import ClientStore

final class EndedMoment: @unchecked Sendable {
  let temporary: TemporaryStore
  let server = HandServer()
  let moment = Moment(title: "Hut to hut")
  let other = Moment(title: "Another one")
  var store: ModelStore { temporary.store }
  var queue: QueueID { moment.id.queueID }

  init() throws {
    temporary = try TemporaryStore()
  }

  func photo(_ number: UInt64) -> Photo {
    Photo(
      moment: moment.id, owner: .zero,
      file: FileReference(hash: ContentHash(words: (number, 2, 3, 4)), size: 1, mime: "image/jpeg", name: "a.jpg"),
      takenAt: Timestamp(millisecondsSince1970: 5))
  }

  /// Brings the moment with a photo, and the other moment, as confirmed objects.
  func confirm(as role: QueueRole = .owner) async throws {
    var page = server.page(try states(), upTo: 2, for: store, in: queue)
    page.page.role = role
    try await store.receive(page)
    try await server.reveal([store.state(of: other, revision: 1)], upTo: 1, to: store, in: other.id.queueID)
  }

  func states() throws -> [ObjectState] {
    [try store.state(of: moment, revision: 1), try store.state(of: photo(1), revision: 2)]
  }

  func refuse(_ outcomes: [OperationOutcome] = [], retention: Timestamp = .zero) async throws {
    try await refuse(.ended(outcomes: outcomes, retention: retention))
  }

  func refuse(_ refusal: QueueRefusal) async throws {
    try await store.receive(refusal, at: Timestamp(millisecondsSince1970: 1_000), in: queue)
  }

  /// Hears that the server may have lost all that it has acknowledged.
  func hearOfALoss() async throws {
    _ = try await store.isHistory(ServerPages.history)
    try await store.hear(HistoryID(high: 2, low: 2), since: .zero, after: ServerPages.history)
  }

  func applied(_ handle: OperationHandle) -> OperationOutcome {
    OperationOutcome(operation: handle.id, status: .applied, at: 3)
  }

  /// Ends the confirmed moment. The end is sent and applied, and the server refuses the queue from then on.
  func end() async throws -> OperationHandle {
    try await confirm()
    let end = store.delete(moment.id)
    try await store.waitUntilSaved()
    _ = try await store.send(in: queue)
    try await refuse([applied(end)])
    return end
  }

  /// What is sent again once the server has another history.
  func retired() throws -> [OperationID] { try StoreImage(folder: temporary.folder).retired }
  var reasons: [StoreError.Code] { store.failedOperations.map(\.reason.code) }
  func titles() throws -> [String] { try store.objects(Moment.self).map(\.title).sorted() }

  /// Whether the queue is shown. Fails the test if only a part of it is.
  func isShown() throws -> Bool {
    let found = try [
      store.object(moment.id) != nil, store.object(photo(1).id) != nil, !store.objects(Photo.self).isEmpty,
      titles().contains("Hut to hut"),
    ]
    #expect(Set(found).count == 1, "all of a queue is shown, or nothing of it: \(found)")
    return found[0]
  }
}
