// Decides which operations may be sent now, and which outcomes to ask for.

import SyncProtocol
import WireFormat

extension Outbox {
  /// The most operations of a queue that may be sent and have no outcome, since a delta asks for all of them.
  /// Operations that wait for files do not count: any number of them may wait, and no others wait with them.
  static let maximumUnderWay = 5_000

  /// The first operations of a queue that may be sent, in order. None passes an earlier one on the same object that has
  /// to wait.
  ///
  /// With an operation go all earlier ones without an outcome that share an object with it.
  func sendable(in queue: QueueID, limit: Int) -> [OutboxEntry] {
    var sendable: [OutboxEntry] = []
    forEachOperation(in: queue) { operation, obstacle in
      if obstacle == nil { sendable.append(operation) }
      return sendable.count < limit
    }
    return sendable
  }

  /// Calls `body` with each operation of a queue, in order, and with the obstacle to sending it, until `body` returns
  /// false.
  func forEachOperation(in queue: QueueID, _ body: (OutboxEntry, SendingObstacle?) -> Bool) {
    guard let own = queues[queue] else { return }
    var before = Before(
      root: queue.root, birth: birth(of: queue), underWay: own.underWay.count - own.waiting.count)
    for number in own.numbers {
      guard let operation = operations[number] else { continue }
      let obstacle = obstacle(of: operation, before)
      guard body(operation, obstacle) else { return }
      before.add(operation, isSendable: obstacle == nil)
      if before.unsentRoot == nil, obstacle != nil, !operation.isSent, before.isStuckWithRoot(operation),
        createdOnly(by: number, isConfirmed).contains(queue.root)
      {
        before.unsentRoot = number
      }
    }
  }

  /// The first operation that creates the root of the queue, or lets the user in, as long as it has no outcome. It goes
  /// before all others, because the server makes the queue for it. If it waits for files the queue is there. What lets the
  /// user in comes in its order where the user is in: to leave and come back is another thing than to come and leave.
  private func birth(of queue: QueueID) -> Int64? {
    if queues[queue]?.doors.isEmpty == false, isConfirmed(queue.root) { return nil }
    let creation = overlay[queue.root]?.changes.lazy.filter(\.change.isCreate)
      .compactMap { operations[$0.operation] }.first { $0.outcome == nil && !$0.isWaiting }
    return creation?.number ?? pendingDoor(of: queue).flatMap { $0.isWaiting ? nil : $0.number }
  }

  /// The facts about earlier operations that decide whether the next one may be sent.
  private struct Before {
    /// For each object the first earlier operation that has to wait, or has failed.
    private(set) var stuck: [UUIDValue: Int64] = [:]
    private(set) var underWay: Int
    /// The operation that creates the root of the queue and was not sent yet, if it has to wait.
    var unsentRoot: Int64?
    /// The operation that creates the root, if it goes before all others.
    let birth: Int64?
    private let root: UUIDValue

    init(root: UUIDValue, birth: Int64?, underWay: Int) {
      (self.root, self.birth, self.underWay) = (root, birth, underWay)
    }

    func isStuckWithRoot(_ operation: OutboxEntry) -> Bool { stuck[root] == operation.number }

    mutating func add(_ operation: OutboxEntry, isSendable: Bool) {
      if isSendable, !operation.isSent { underWay += 1 }
      let isStuck = !isSendable && operation.outcome?.isFailure ?? true
      guard isStuck else { return }
      for object in operation.changes.orderedObjects where stuck[object] == nil { stuck[object] = operation.number }
    }
  }

  /// The obstacle to sending an operation; nil if it may be sent. Nothing else decides that.
  private func obstacle(of operation: OutboxEntry, _ before: Before) -> SendingObstacle? {
    if operation.outcome != nil { return .decided }
    guard operation.isSaved else { return .unsaved }
    if operation.isWaiting, !operation.isVoided { return .files }
    if operation.isAside, !operation.isVoided { return .aside }
    for object in operation.changes.orderedObjects where operation.number != before.birth {
      if let earlier = before.stuck[object] { return .earlier(earlier, object: object) }
    }
    if let birth = before.birth, operation.number < birth { return .root(birth) }
    // Nothing goes into a queue before the create of its root, because cancelling that cancels all of them. Once it was
    // sent, and waits for its files, the others go on.
    if let unsentRoot = before.unsentRoot { return .root(unsentRoot) }
    // Also for sent operations: a server may have lost both. One that was taken back waits for nothing.
    if !operation.isVoided, let number = openDependency(of: operation) { return .dependency(number) }
    return operation.isSent || before.underWay < Self.maximumUnderWay ? nil : .room
  }

  /// The first dependency that is not applied yet; nil if there is none.
  private func openDependency(of operation: OutboxEntry) -> Int64? {
    operation.dependencies.lazy.compactMap(number).first { operations[$0]?.outcome?.status != .applied }
  }
}

extension Outbox {
  /// The operations whose outcomes the next delta of a queue has to ask for. First those under way, then those with an
  /// outcome, so that the device notices if the server has lost it. Last those that wait for files: the server has no
  /// outcome of them, and says so again.
  func awaited(in queue: QueueID) -> [OperationID] {
    let operations = queues[queue] ?? QueueOperations()
    let underWay = ids(operations.underWay.subtracting(operations.waiting))
    let others = ids(operations.settled) + ids(operations.waiting)
    return Array((underWay + others).prefix(ProtocolLimits.awaiting))
  }

  /// The ids of these operations, in the order in which the user acted.
  private func ids(_ numbers: Set<Int64>) -> [OperationID] { numbers.sorted().compactMap { operations[$0]?.id } }
}
