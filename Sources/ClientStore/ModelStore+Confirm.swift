// What sync does to a store: it sends what is pending, and brings back what became of it.

public import ModelTypes
public import SyncProtocol
public import WireFormat

/// A pending operation, as it is sent.
public struct OutgoingOperation: Hashable, Sendable {
  public var id: UUIDValue
  public var changes: [UInt8]
  /// The newest time of the server that was known when it was first sent.
  public var firstSent: Timestamp?
  /// Taken back after it was sent: the same id, to be voided.
  public var isVoided: Bool
}

extension OutgoingOperation {
  init(_ operation: PendingOperation) {
    self.init(
      id: operation.id, changes: operation.bytes, firstSent: operation.firstSent,
      isVoided: operation.isVoided)
  }
}

extension ModelStore {
  /// The first operations of a queue that have no outcome yet, in order; only what is on disk is ever sent.
  public func outgoing(in queue: QueueID, limit: Int = 500) -> [OutgoingOperation] {
    memory.withLock { memory in
      var outgoing: [OutgoingOperation] = []
      for number in memory.outbox.numbers where outgoing.count < limit {
        guard let operation = memory.outbox.operations[number], operation.queue == queue, operation.isSaved,
          operation.outcome == nil
        else { continue }
        outgoing.append(OutgoingOperation(operation))
      }
      return outgoing
    }
  }

  /// Notes on disk that operations may leave the device, and returns those that may: what was taken back meanwhile
  /// has never been, and must not be sent.
  ///
  /// `time` is the newest time of the server that is known.
  @discardableResult
  public func markSent(_ ids: [UUIDValue], at time: Timestamp = .zero) async throws -> [OutgoingOperation] {
    let operations = memory.withLock { memory in
      ids.compactMap { memory.outbox.number(of: $0) }.compactMap { memory.outbox.operations[$0] }
    }
    // A repetition is the same, and needs no note.
    if operations.contains(where: { !$0.isSent }) { try await writer.markSent(operations, at: time) }
    return memory.withLock { memory in
      operations.compactMap { operation in
        let number = operation.number
        memory.outbox.update(number) { $0.firstSent = $0.firstSent ?? time }
        let operation = memory.outbox.operations[number]
        operation?.record.enter(.sent)
        return operation.map(OutgoingOperation.init)
      }
    }
  }

  /// Takes the outcomes that an answer to a commit brought. Operations leave when the delta has come as well.
  public func take(_ outcomes: [OperationOutcome], in queue: QueueID) async throws {
    try await settle(queue, nil, outcomes, cursor: await writer.cursor(of: queue))
  }

  /// Takes a catch-up of a queue: shown, and on disk, as a whole. One that is older than what was revealed already
  /// brings its outcomes only.
  public func reveal(_ delta: QueueDelta) async throws {
    let queue = QueueID(delta.queue)
    let cursor = max(delta.cursor, try await writer.cursor(of: queue))
    try await settle(queue, delta, delta.outcomes, cursor: cursor)
  }

  /// How far a queue has been read.
  public func cursor(of queue: QueueID) async throws -> Int64 {
    try await writer.cursor(of: queue)
  }

  private func settle(
    _ queue: QueueID, _ delta: QueueDelta?, _ outcomes: [OperationOutcome], cursor: Int64, isSecond: Bool = false
  ) async throws {
    guard queue != .zero else {
      throw StoreError(.refused, "No queue has the id zero: it stands for what never leaves the device.")
    }
    var settlement = Settlement(delta)
    if memory.withLock({ $0.looksForObjects }) { settlement.arrived.index() }
    memory.withLock { $0.outbox.decide(&settlement, in: queue, outcomes: outcomes, cursor: cursor) }
    let isNews = try await writer.settle(settlement)
    // Somebody may have begun to look meanwhile.
    if memory.withLock({ $0.looksForObjects }) { settlement.arrived.index() }
    let reached = memory.withLock { memory in
      if !isNews || !memory.isNews(settlement.delta, in: queue) { settlement.arrived = ArrivedObjects([]) }
      if isNews, let delta = settlement.delta { memory.didReveal(queue, upTo: delta.cursor) }
      memory.didSettle(settlement, in: queue)
      // An outcome and a delta that came side by side have not seen each other.
      let reached = max(cursor, memory.cursors[queue] ?? 0)
      return memory.outbox.canLeave(in: queue, cursor: reached) ? reached : nil
    }
    startSaving()
    if let reached, !isSecond { try await settle(queue, nil, [], cursor: reached, isSecond: true) }
  }
}

extension StoreMemory {
  /// Whether a delta is not older than what was revealed: two that were written one after the other may come back in
  /// the other order.
  fileprivate mutating func isNews(_ delta: QueueDelta?, in queue: QueueID) -> Bool {
    guard let cursor = delta?.cursor else { return true }
    if let revealed = cursors[queue], cursor < revealed { return false }
    cursors[queue] = cursor
    return true
  }

  fileprivate mutating func didReveal(_ queue: QueueID, upTo cursor: Int64) {
    var place = places[queue] ?? QueuePlace()
    place.load = .loaded
    place.cursor = max(place.cursor, cursor)
    place.position = place.cursor
    place.scan = nil
    places[queue] = place
  }

  mutating func didSettle(_ settlement: Settlement, in queue: QueueID) {
    var changed: Set<UUIDValue> = []
    let outcomes = settlement.outcomesByNumber
    changed.formUnion(outbox.update(outcomes.keys) { $0.outcome = outcomes[$0.number] })
    let failures = Dictionary(settlement.attention.map { ($0.id, $0.reason) }) { first, _ in first }
    attention += settlement.attention
    var arrived = settlement.arrived
    if looksForObjects { arrived.index() }
    changed.formUnion(failWhatWasBuiltMeanwhile(on: settlement, failures, arrived))
    for number in settlement.leaving {
      guard let operation = outbox.operations[number] else { continue }
      if let reason = failures[operation.id] {
        operation.record.enter(.failed(reason))
      } else {
        operation.record.enter(.confirmed(hadEffect: operation.outcome?.status == .applied))
      }
    }
    changed.formUnion(outbox.remove(settlement.leaving))
    // After what has left: an object without an operation is not replayed.
    for id in touched(by: arrived) {
      let live = arrived[id]?.live
      let state = live.map { Outbox.Confirmed(queue: queue, type: $0.type, content: $0.content) }
      outbox.confirm(id, state, in: queue)
    }
    observers.wake { changed.contains($0) || arrived.contains($0) }
  }

  /// Whether somebody looks for single objects of what arrives. A delta may be large: what makes it quick to find them is
  /// made before the lock is taken, where that is known.
  var looksForObjects: Bool { !outbox.objects.isEmpty || !observers.isEmpty }

  /// The objects of a delta that pending operations touch. Walks along the fewer of both: nothing else may run.
  private func touched(by arrived: ArrivedObjects) -> [UUIDValue] {
    arrived.count < outbox.objects.count
      ? arrived.ids.filter { outbox.objects[$0] != nil } : outbox.objects.keys.filter(arrived.contains)
  }
}
