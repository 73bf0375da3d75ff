// Which operations may be sent now.

import ModelTypes
import SyncProtocol
import WireFormat

extension Outbox {
  /// How many operations of a queue may be under way without an outcome: a delta asks for all of them. Those that wait
  /// for files do not count: as many may wait as there are, and nothing else waits with them.
  static let maximumUnderWay = 5_000

  /// The first operations of a queue that may be sent, in order; nothing passes one on the same object that has to wait.
  ///
  /// They are closed: with an operation go all earlier ones that share an object with it. Dependencies that
  /// a restored server may have lost are waited for.
  func sendable(
    in queue: QueueID, limit: Int, uncertain: UncertainHistory = UncertainHistory()
  ) -> [PendingOperation] {
    var sendable: [PendingOperation] = []
    forEachOperation(in: queue, uncertain: uncertain) { operation, obstacle in
      if obstacle == nil { sendable.append(operation) }
      return sendable.count < limit
    }
    return sendable
  }

  /// Calls `body` with the operations of a queue in order, and with what keeps each from being sent, until it returns
  /// false.
  func forEachOperation(
    in queue: QueueID, uncertain: UncertainHistory = UncertainHistory(),
    _ body: (PendingOperation, SendingObstacle?) -> Bool
  ) {
    guard let own = queues[queue] else { return }
    var before = Before(underWay: own.underWay.count - own.waiting.count)
    for number in own.numbers {
      guard let operation = operations[number] else { continue }
      let obstacle = obstacle(of: operation, before, uncertain)
      guard body(operation, obstacle) else { return }
      before.add(operation, isSendable: obstacle == nil)
    }
  }

  /// Notes of the operations before one that concern it.
  private struct Before {
    /// The first of those on each object that have to wait, or have failed.
    private(set) var stuck: [UUIDValue: Int64] = [:]
    private(set) var underWay: Int

    init(underWay: Int) {
      self.underWay = underWay
    }

    mutating func add(_ operation: PendingOperation, isSendable: Bool) {
      if isSendable, !operation.isSent { underWay += 1 }
      let isStuck = !isSendable && operation.outcome?.isFailure ?? true
      guard isStuck else { return }
      for object in operation.changes.orderedObjects where stuck[object] == nil { stuck[object] = operation.number }
    }
  }

  /// The one place that says what an operation waits for before it is sent.
  private func obstacle(
    of operation: PendingOperation, _ before: Before, _ uncertain: UncertainHistory
  ) -> SendingObstacle? {
    if operation.outcome != nil { return .decided }
    guard operation.isSaved else { return .unsaved }
    if operation.isWaiting, !operation.isVoided { return .files }
    for object in operation.changes.orderedObjects {
      if let earlier = before.stuck[object] { return .earlier(earlier, object: object) }
    }
    // Also of one that was sent: a restored server may have lost both. What was taken back waits for nothing.
    if !operation.isVoided {
      if let number = openDependency(of: operation, uncertain.queues) { return .dependency(number) }
      if let id = operation.dependencies.first(where: uncertain.operations.contains) { return .uncertainDependency(id) }
      if let id = uncertain.left[operation.number] { return .uncertainDependency(id) }
    }
    return operation.isSent || before.underWay < Self.maximumUnderWay ? nil : .room
  }

  /// An operation that has to be applied before this one, and is not.
  private func openDependency(of operation: PendingOperation, _ uncertain: Set<QueueID>) -> Int64? {
    for id in operation.dependencies {
      guard let number = number(of: id), let other = operations[number] else { continue }
      if other.outcome?.status != .applied || other.queue.map(uncertain.contains) ?? false { return number }
    }
    return nil
  }
}
