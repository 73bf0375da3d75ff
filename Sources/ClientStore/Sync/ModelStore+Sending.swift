// What sync asks of a store: where queues stand, and what may be sent.

package import ModelTypes
import SyncProtocol
package import WireFormat

/// What one queue needs of sync.
package struct QueueNeeds: Hashable, Sendable {
  /// An operation may be sent.
  package var canSend = false
  /// The outcome of an operation is known, and the cursor has not reached it.
  package var awaitsCursor = false
  package var hasOperations = false
  /// The queue was never read, and something may not be sent before: its user neither owns it nor makes its root, or the
  /// operation was sent in a lost history, after one that is reported now.
  package var isWithheld = false
  /// The server lacks files of an operation.
  package var waitsForFiles = false
  /// The user has ended the queue, and the server is of another history since: it is asked whether it still has.
  package var mayHaveLostEnd = false

  package init() {}
}

extension ModelStore {
  package func place(of queue: QueueID) -> QueuePlace {
    memory.withLock { $0.sync.place(of: queue) }
  }

  /// Every queue that was ever read.
  package var places: [QueueID: QueuePlace] { memory.withLock { $0.sync.places } }

  /// The queues of pending operations, and what each of them needs.
  package func syncNeeds() -> [QueueID: QueueNeeds] {
    memory.withLock { memory in
      var needs: [QueueID: QueueNeeds] = [:]
      let uncertain = memory.uncertainHistory
      for (queue, operations) in memory.outbox.queues {
        let place = memory.sync.place(of: queue)
        var need = QueueNeeds()
        need.hasOperations = true
        let mayBeSent = place.mayBeSentTo(by: memory.sync.roles[queue], isMaker: memory.outbox.isMade(queue))
        let isLeftBehind = operations.underWay.contains { uncertain.left[$0] != nil }
        need.isWithheld = place.load == .unread && (!mayBeSent || isLeftBehind)
        need.canSend =
          mayBeSent && !memory.outbox.sendable(in: queue, limit: 1, uncertain: uncertain).isEmpty
        need.awaitsCursor = !operations.settled.isEmpty
        need.waitsForFiles = !operations.waiting.isEmpty
        needs[queue] = need
      }
      for queue in memory.sync.uncertainEnds { needs[queue, default: QueueNeeds()].mayHaveLostEnd = true }
      return needs
    }
  }

  /// The first operations of a queue that may be sent, noted on disk as sent; at most `limit`, whose changes have at most
  /// `bytes` together, but at least one. `time` is the newest time of the server that is known; what was first sent later
  /// than `latest` counts as sent then.
  package func send(
    in queue: QueueID, limit: Int, bytes: Int, at time: Timestamp, noLaterThan latest: Timestamp? = nil
  ) async throws -> [OutgoingOperation] {
    let ids = memory.withLock { memory in
      let place = memory.sync.place(of: queue)
      guard place.mayBeSentTo(by: memory.sync.roles[queue], isMaker: memory.outbox.isMade(queue)) else {
        return [UUIDValue]()
      }
      var room = bytes
      let sendable = memory.outbox.sendable(in: queue, limit: limit, uncertain: memory.uncertainHistory)
      return sendable.prefix { operation in
        defer { room -= operation.bytes.count }
        return room == bytes || operation.bytes.count <= room
      }.map(\.id)
    }
    return ids.isEmpty ? [] : try await markSent(ids, in: queue) { min($0 ?? time, latest ?? $0 ?? time) }
  }

  /// Notes on disk that operations may leave the device, and returns those that may: what was taken back meanwhile
  /// has never been, and must not be sent. `firstSent` says when each was first sent, given what is noted of that.
  private func markSent(
    _ ids: [UUIDValue], in queue: QueueID, firstSent: (Timestamp?) -> Timestamp
  ) async throws -> [OutgoingOperation] {
    let (operations, history) = memory.withLock { memory in
      let operations = ids.compactMap { memory.outbox.number(of: $0) }.compactMap { memory.outbox.operations[$0] }
      return (operations, memory.sync.historyOfCommits(in: queue))
    }
    // A repetition is the same, and needs no note.
    let times = operations.map { firstSent($0.firstSent) }
    if zip(operations, times).contains(where: { $0.firstSent != $1 || $0.sentIn != history }) {
      try await writer.markSent(zip(operations, times).map { ($0.number, $1) }, in: history)
    }
    return memory.withLock { memory in
      zip(operations, times).compactMap { operation, time in
        let number = operation.number
        memory.outbox.update(number) { ($0.firstSent, $0.sentIn) = (time, history) }
        let operation = memory.outbox.operations[number]
        operation?.record.enter(.sent)
        return operation.map(OutgoingOperation.init)
      }
    }
  }

  /// Whether anything that was done in a queue is on its way.
  package func hasOperations(in queue: QueueID) -> Bool { memory.withLock { $0.outbox.hasOperations(in: queue) } }

  /// The operations whose outcomes the next delta of a queue has to ask for: those in doubt and those that are under way
  /// without one first, then those whose outcome is held, so that one that was taken back is noticed, and at last those
  /// that wait for files: the server has none of them, and says so again.
  package func awaited(in queue: QueueID, limit: Int) -> [UUIDValue] {
    memory.withLock { memory in
      let operations = memory.outbox.queues[queue] ?? QueueOperations()
      let underWay = memory.outbox.ids(operations.underWay.subtracting(operations.waiting))
      let doubtful = memory.sync.doubtful(in: queue)
      let others = memory.outbox.ids(operations.settled) + memory.outbox.ids(operations.waiting)
      return Array((underWay + doubtful + others).prefix(limit))
    }
  }

  /// Files of operations that waited for them have reached the server; nil: they may have.
  package func noteUploaded(_ files: Set<ContentHash>?, in queue: QueueID) {
    endWaiting(in: queue) { needed in files.map { !$0.isDisjoint(with: needed) } ?? true }
  }

  /// Lets operations go that wait for files, where `isThere` says so of what they need.
  func endWaiting(in queue: QueueID, where isThere: ([ContentHash]) -> Bool) {
    memory.withLock { memory in
      for number in memory.outbox.queues[queue]?.waiting ?? [] {
        guard let operation = memory.outbox.operations[number], isThere(operation.changes.files) else { continue }
        memory.outbox.update(number) { $0.isWaiting = false }
      }
      memory.sync.wake()
    }
  }

  /// How many operations are on their way, and how many did not happen.
  package var operationCounts: (pending: Int, attention: Int) {
    memory.withLock { memory in
      (memory.outbox.queues.values.reduce(0) { $0 + $1.numbers.count }, memory.attention.count)
    }
  }
}

extension Outbox {
  /// In the order in which the user acted.
  fileprivate func ids(_ numbers: Set<Int64>) -> [UUIDValue] { numbers.sorted().compactMap { operations[$0]?.id } }
}
