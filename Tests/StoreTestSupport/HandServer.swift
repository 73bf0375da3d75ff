// A fake server for tests of a store: it answers with the objects and outcomes that the test gives it.

package import ClientStore
package import SyncProtocol
import Synchronization
package import WireFormat

/// Keeps the rows that it has sent, so that its digests are right: a wrong digest makes the store load the queue again.
package final class HandServer: Sendable {
  private let queues = Mutex<[QueueID: Queue]>([:])

  private struct Queue {
    var objects: [UUIDValue: ObjectState] = [:]
    var outcomes: [OperationID: OperationOutcome] = [:]

    /// Keeps rows as a device does: a deleted object leaves no row that would remember its revision.
    mutating func put(_ object: ObjectState) {
      if let old = objects[object.id], old.revision > object.revision { return }
      objects[object.id] = object.live == nil ? nil : object
    }
  }

  package init() {}

  /// Makes the last page of a delta: it brings these objects and moves the cursor to `cursor`. It carries the known
  /// outcomes of the operations that the store awaits, of which it looks at `limit` at most.
  package func page(
    _ objects: [ObjectState] = [], upTo cursor: Int64, outcomes: [OperationOutcome] = [], asking limit: Int = 5_000,
    for store: ModelStore, in queue: QueueID
  ) -> AnsweredDelta {
    var question = store.question(of: queue)
    question.awaiting = Array(question.awaiting.prefix(limit))
    var page = DeltaPage(
      grant: ServerPages.grant, role: .owner, head: cursor, cursor: cursor, objects: objects)
    page.end = queues.withLock { queues in
      var rows = queues[queue] ?? Queue()
      for object in objects { rows.put(object) }
      for outcome in outcomes { rows.outcomes[outcome.operation] = outcome }
      queues[queue] = rows
      return .init(
        outcomes: question.asked.compactMap { rows.outcomes[$0] }, retention: .zero,
        digest: QueueDigest(rows.objects.values))
    }
    return AnsweredDelta(question, at: .zero, .page(page))
  }

  /// Makes such a page and gives it to the store.
  package func reveal(
    _ objects: [ObjectState] = [], upTo cursor: Int64, outcomes: [OperationOutcome] = [], asking limit: Int = 5_000,
    to store: ModelStore, in queue: QueueID
  ) async throws {
    let page = page(objects, upTo: cursor, outcomes: outcomes, asking: limit, for: store, in: queue)
    try await store.receive(page)
  }

  /// Gives the store the answer to a commit.
  package func answer(
    _ status: OperationOutcome.Status, to operation: OperationID, at cursor: Int64, to store: ModelStore,
    in queue: QueueID
  ) async throws {
    try await answer([OperationOutcome(operation: operation, status: status, at: cursor)], to: store, in: queue)
  }

  package func answer(_ outcomes: [OperationOutcome], to store: ModelStore, in queue: QueueID) async throws {
    queues.withLock { queues in
      for outcome in outcomes { queues[queue, default: Queue()].outcomes[outcome.operation] = outcome }
    }
    try await store.receive(outcomes: outcomes, in: queue)
  }
}

extension ModelStore {
  /// Takes what sync would send now, and marks it as sent.
  package func send(in queue: QueueID, limit: Int = .max) async throws -> [CommitRequest.Mutation] {
    try await send(in: queue, limit: limit, bytes: .max, at: .zero)
  }
}
