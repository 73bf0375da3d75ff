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
  package func next(for store: ModelStore, in queue: QueueID, atMost limit: Int = .max) -> AnsweredDelta {
    let question = store.question(of: queue)
    let place = question.place
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
        outcomes: question.asked.compactMap { outcomes[$0] }, retention: .zero, digest: QueueDigest(objects))
    }
    return AnsweredDelta(question, at: .zero, .page(page))
  }
}

extension AnsweredDelta {
  /// The page of an answer that is known to have one.
  package var page: DeltaPage {
    get {
      guard case .page(let page) = result else { preconditionFailure("The answer is a refusal.") }
      return page
    }
    set { result = .page(newValue) }
  }
}

extension ModelStore {
  package func receive(_ answer: AnsweredDelta) async throws { try await receive([answer]) }

  /// Receives a refusal of the queue as it is now.
  package func receive(_ refusal: QueueRefusal, at time: Timestamp = .zero, in queue: QueueID) async throws {
    try await receive(AnsweredDelta(question(of: queue), at: time, .refused(refusal)))
  }

  /// Receives the answer to a commit.
  package func receive(outcomes: [OperationOutcome], in queue: QueueID) async throws {
    let decided = CommitAnswer.Decided(grant: ServerPages.grant, role: .owner, outcomes: outcomes)
    try await receive(decided, in: queue)
  }

  package func receive(_ decided: CommitAnswer.Decided, in queue: QueueID) async throws {
    try await receiveCommits([AnsweredCommit(of: queue, at: place(of: queue), decided)])
  }

  /// Receives the refusal to go on from the store's cursor, so that the queue is loaded again.
  package func receiveReset(of queue: QueueID) async throws {
    try await receive(.reset(ServerPages.grant), in: queue)
  }
}
