// The outbox of a store that is only looked at, judged by the rules of the one that sends.

import ModelTypes
package import WireFormat

/// Rows of the outbox, as far as they can be read; those that cannot block nothing, as they go to `attention` when the
/// store is opened.
package struct OutboxInspection {
  private var outbox = Outbox()

  package init() {}

  /// `queue` and `name` give what the numbers of a row stand for, nil where they stand for nothing. Reads no object: what
  /// may be sent does not depend on confirmed state.
  package init(_ rows: [StoredRow], queue: (Int64) -> UUIDValue?, name: (Int64) -> String?) {
    var operations: [Int64: PendingOperation] = [:]
    for row in rows {
      guard let queue = (try? row.integer("queue")).flatMap(queue),
        let name = (try? row.integer("type")).flatMap(name), (try? row.hasSum(queue: queue, name: name)) == true,
        let operation = try? PendingOperation(row, queue: QueueID(queue), name: name)
      else { continue }
      operations[operation.number] = operation
    }
    for (_, operation) in operations.sorted(by: { $0.key < $1.key }) {
      outbox.append(operation) { _ in nil }
    }
  }

  /// The obstacle that keeps the operation with a number from being sent; nil where none does, or no such operation is there.
  ///
  /// That the server lacks files is not on disk: an operation that waits for them looks as if it had no obstacle.
  package func obstacle(of number: Int64) -> SendingObstacle? {
    guard let queue = outbox.operations[number]?.queue else { return nil }
    var found: SendingObstacle?
    outbox.forEachOperation(in: queue) { operation, obstacle in
      if operation.number == number { found = obstacle }
      return operation.number != number
    }
    return found
  }

  /// Whether an operation on its way makes the root of a queue.
  package func makes(_ queue: UUIDValue) -> Bool { outbox.isMade(QueueID(queue)) }
}
