// Pages, refusals and answers as a server of one queue would send them, for tests that have no server.

package import ClientStore
package import SyncProtocol
package import WireFormat

/// The state of a queue at one moment, from which pages are made.
package struct ServerPages {
  private let head: Int64
  /// The newest state of every object that ever existed, by revision.
  private let objects: [ObjectState]
  private let outcomes: [OperationID: OperationOutcome]

  package static let history = HistoryID(UUIDValue(high: 0x4157, low: 1))
  package static let grant = GrantID(UUIDValue(high: 0x92A27, low: 1))

  package init(head: Int64, objects: some Sequence<ObjectState>, outcomes: [OperationID: OperationOutcome]) {
    (self.head, self.outcomes) = (head, outcomes)
    self.objects = objects.sorted { $0.revision < $1.revision }
  }

  /// The page that a store needs next. A load is one page without deleted objects; a page of a catch-up has at most
  /// `limit` objects.
  package func next(for store: ModelStore, in queue: QueueID, atMost limit: Int = .max) -> ArrivedPage {
    let place = store.place(of: queue)
    let asked = store.awaited(in: queue, limit: 5_000)
    let missing =
      if let position = place.position { objects.filter { $0.revision > position } } else {
        objects.filter { $0.live != nil }
      }
    let part = place.load == .loaded ? Array(missing.prefix(max(limit, 1))) : missing
    var page = DeltaPage(grant: Self.grant, role: .owner, head: head, cursor: head, objects: part)
    if part.count < missing.count {
      page.cursor = part.last?.revision ?? head
    } else {
      page.end = .init(
        outcomes: asked.compactMap { outcomes[$0] }, retention: .zero, digest: QueueDigest(objects))
    }
    return ArrivedPage(page, at: .zero, from: place, asked: asked)
  }
}

extension ModelStore {
  package func receive(_ page: ArrivedPage, in queue: QueueID) async throws {
    try await receive([(queue, .page(page))])
  }

  package func receive(_ refusal: ArrivedRefusal, in queue: QueueID) async throws {
    try await receive([(queue, .refusal(refusal))])
  }

  /// Receives the answer to a commit.
  package func receive(outcomes: [OperationOutcome], in queue: QueueID) async throws {
    let decided = CommitAnswer.Decided(grant: ServerPages.grant, role: .owner, outcomes: outcomes)
    try await receive(decided, in: queue)
  }

  package func receive(_ decided: CommitAnswer.Decided, in queue: QueueID) async throws {
    try await receiveCommits([DecidedCommit(queue: queue, from: place(of: queue), decided: decided)])
  }

  /// Receives the refusal to go on from the store's cursor, so that the queue is loaded again.
  package func receiveReset(of queue: QueueID) async throws {
    let refusal = ArrivedRefusal(.reset(ServerPages.grant), at: .zero, from: place(of: queue))
    try await receive(refusal, in: queue)
  }
}
