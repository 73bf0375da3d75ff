// Which operations may be sent now.

import ModelTypes
import SyncProtocol
import WireFormat

extension Outbox {
  /// How many operations of a queue may be under way without an outcome: a delta asks for all of them.
  static let maximumUnderWay = 5_000

  /// The first operations of a queue that may be sent, in order; nothing passes one on the same object that has to wait.
  ///
  /// They are closed: with an operation go all earlier ones that share an object with it.
  func sendable(in queue: QueueID, isLoaded: Bool, limit: Int) -> [PendingOperation] {
    guard let own = queues[queue] else { return [] }
    var sendable: [PendingOperation] = []
    // Objects of operations that have to wait, and of all earlier ones.
    var stuck: Set<UUIDValue> = []
    var earlier: Set<UUIDValue> = []
    var underWay = own.underWay.count
    for number in own.numbers {
      guard sendable.count < limit else { break }
      guard let operation = operations[number] else { continue }
      let objects = operation.changes.objects.lazy.map(\.object)
      if operation.outcome != nil || !mayGo(operation, earlier, isLoaded: isLoaded)
        || objects.contains(where: stuck.contains) || !operation.isSent && underWay >= Self.maximumUnderWay
      {
        if operation.outcome?.isFailure ?? true { stuck.formUnion(objects) }
      } else {
        if !operation.isSent { underWay += 1 }
        sendable.append(operation)
      }
      earlier.formUnion(objects)
    }
    return sendable
  }

  /// `earlier` are the objects of the operations before it.
  private func mayGo(_ operation: PendingOperation, _ earlier: Set<UUIDValue>, isLoaded: Bool) -> Bool {
    guard operation.isSaved, !operation.isWaiting || operation.isVoided else { return false }
    if operation.isConditional, operation.sentBytes == nil {
      // The revision to name is the one that the earlier operations will make.
      guard isLoaded, !operation.changes.objects.contains(where: { earlier.contains($0.object) }) else { return false }
    }
    return operation.isSent || !isBlocked(operation)
  }

  /// Whether an operation that has to be applied before this one is not.
  func isBlocked(_ operation: PendingOperation) -> Bool {
    operation.dependencies.contains { id in
      guard let number = number(of: id), let other = operations[number] else { return false }
      return other.outcome?.status != .applied
    }
  }
}
