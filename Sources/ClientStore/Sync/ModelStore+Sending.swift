// Answers the questions of sync about a store, and notes what is sent: places, needs, and operations to send.

package import SyncProtocol
package import WireFormat

extension ModelStore {
  package func place(of queue: QueueID) -> QueuePlace {
    memory.withLock { $0.sync.place(of: queue) }
  }

  /// The places of all queues that are known here, unread ones among them.
  package var places: [QueueID: QueuePlace] { memory.withLock { $0.sync.places } }

  /// The queues of pending operations, and what each of them needs.
  package func syncNeeds() -> [QueueID: QueueNeeds] { memory.withLock(\.ledger.needs) }

  /// Takes the first operations of queues that may be sent, and notes on disk that they are sent, in one transaction.
  ///
  /// Of each queue it takes at most `limit`; of all at most `ProtocolLimits.mutations`, which take at most `bytes` of a
  /// body (`ProtocolLimits.bodyBytes(ofChanges:)`) and change at most `ProtocolLimits.objectChanges` objects, but at
  /// least one. `time` is the newest server time that is known. A queue without an operation to send is absent.
  package func send(
    in queues: [QueueID], limit: (QueueID) -> Int, bytes: Int, at time: Timestamp
  ) async throws -> [QueueID: [CommitRequest.Mutation]] {
    let leaving = memory.withLock { memory in
      var room = SendingRoom(bytes: bytes)
      return queues.map { queue in
        let sendable = memory.ledger.sendable(in: queue, limit: min(limit(queue), room.mutations))
        return (queue: queue, operations: Array(sendable.prefix { room.take($0) }))
      }
    }
    let new = leaving.flatMap(\.operations).filter { !$0.isSent }.map(\.number)
    if !new.isEmpty { try await writer.markSent(new, at: time) }
    // Operations that the user has cancelled meanwhile must not be sent.
    let sent = memory.withLock { memory in leaving.map { ($0.queue, memory.markSent($0.operations, at: time)) } }
    return Dictionary(uniqueKeysWithValues: sent.filter { !$0.1.isEmpty })
  }

  /// Takes operations of one queue, as the method for several does.
  package func send(
    in queue: QueueID, limit: Int, bytes: Int, at time: Timestamp
  ) async throws -> [CommitRequest.Mutation] {
    try await send(in: [queue], limit: { _ in limit }, bytes: bytes, at: time)[queue] ?? []
  }

  /// Whether a queue has pending operations.
  package func hasOperations(in queue: QueueID) -> Bool { memory.withLock { $0.outbox.hasOperations(in: queue) } }

  /// The question about a queue that is going to be at a place; nil for where it is now.
  package func question(
    of queue: QueueID, at place: QueuePlace? = nil, membership: GrantID? = nil
  ) -> DeltaQuestion {
    memory.withLock { $0.ledger.question(of: queue, at: place, membership: membership) }
  }

  /// Lets operations go that wait for one of these files, which the server has now. Nil: it may have any of them.
  package func takeUploaded(_ files: Set<ContentHash>?, in queue: QueueID) {
    endWaiting(in: queue) { needed in files.map { !$0.isDisjoint(with: needed) } ?? true }
  }

  /// Lets operations go that wait for files, if `isThere` says so of the files that they require. Wakes sync.
  func endWaiting(in queue: QueueID, where isThere: ([ContentHash]) -> Bool) {
    memory.withLock { memory in
      for number in memory.outbox.queues[queue]?.waiting ?? [] {
        guard let operation = memory.outbox.operations[number], isThere(operation.changes.files) else { continue }
        memory.outbox.update(number) { $0.isWaiting = false }
      }
      memory.wakeSync()
    }
  }

  /// About how many bytes of requests the pending operations take that have no outcome.
  package var bytesToSend: Int {
    memory.withLock { memory in
      memory.outbox.operations.values.reduce(0) { sum, operation in
        guard operation.queue != nil, operation.outcome == nil else { return sum }
        return sum + ProtocolLimits.bodyBytes(ofChanges: operation.bytes.count)
      }
    }
  }

  /// The number of pending operations that are to be sent, and of reported ones.
  package var operationCounts: (pending: Int, failed: Int) {
    memory.withLock { memory in
      (memory.outbox.queues.values.reduce(0) { $0 + $1.numbers.count }, memory.failedOperations.count)
    }
  }
}

/// The room that is left in a request.
private struct SendingRoom {
  private(set) var mutations = ProtocolLimits.mutations
  /// A server skips what changes more objects than that.
  private var objects = ProtocolLimits.objectChanges
  private var bytes: Int
  private var isFresh = true

  init(bytes: Int) { self.bytes = bytes }

  mutating func take(_ operation: OutboxEntry) -> Bool {
    let changed = operation.changes.objects.count
    let size = ProtocolLimits.bodyBytes(ofChanges: operation.bytes.count)
    guard mutations > 0, isFresh || !operation.goesAlone && size <= bytes && changed <= objects else {
      // Nothing more is taken after an operation without room, so that later queues do not pass it.
      mutations = 0
      return false
    }
    isFresh = false
    mutations = operation.goesAlone ? 0 : mutations - 1
    bytes -= size
    objects -= changed
    return true
  }
}

extension StoreMemory {
  fileprivate mutating func markSent(_ leaving: [OutboxEntry], at time: Timestamp) -> [CommitRequest.Mutation] {
    leaving.compactMap { operation in
      outbox.update(operation.number) { if $0.firstSent == nil { $0.firstSent = time } }
      guard let sent = outbox.operations[operation.number] else { return nil }
      records[sent.number]?.enter(.sent, &effects)
      return CommitRequest.Mutation(sent, firstSent: sent.firstSent ?? time)
    }
  }
}

extension CommitRequest.Mutation {
  fileprivate init(_ operation: OutboxEntry, firstSent: Timestamp) {
    self.init(
      operation: operation.id, firstSent: firstSent, attempt: operation.attempt, changes: operation.bytes,
      isVoid: operation.isVoided)
  }
}
