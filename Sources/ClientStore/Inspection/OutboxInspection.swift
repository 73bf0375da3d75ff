// The outbox of a store that is only inspected, judged by the rules by which a client sends.

package import WireFormat

/// The operations of the outbox that can be read. Damaged rows block nothing, because they move to `failed` when the
/// store is opened.
package struct OutboxInspection {
  private var outbox = Outbox()

  package init() {}

  /// `queue` and `name` look up the numbers in a row, and give nil for unknown ones. Reads no objects, so
  /// the root of a queue counts as not confirmed.
  package init(_ rows: [StoredRow], queue: (Int64) -> QueueID?, name: (Int64) -> String?) {
    var operations: [Int64: OutboxEntry] = [:]
    for row in rows {
      guard let queue = (try? row.integer("queue")).flatMap(queue),
        let name = (try? row.integer("type")).flatMap(name), (try? row.hasSum(queue: queue, name: name)) == true,
        let operation = try? OutboxEntry(row, queue: queue, name: name)
      else { continue }
      operations[operation.number] = operation
    }
    for (_, operation) in operations.sorted(by: { $0.key < $1.key }) {
      outbox.append(operation) { _ in nil }
    }
  }

  /// What keeps the operation with a number from being sent; nil if nothing does, or there is no such operation.
  ///
  /// The store does not say which files the server lacks, so one that waits for files seems to have no obstacle.
  package func obstacle(of number: Int64) -> SendingObstacle? {
    guard let queue = outbox.operations[number]?.queue else { return nil }
    var found: SendingObstacle?
    outbox.forEachOperation(in: queue) { operation, obstacle in
      if operation.number == number { found = obstacle }
      return operation.number != number
    }
    return found
  }

  /// Whether a pending operation creates the root of a queue.
  package func makes(_ queue: QueueID) -> Bool { outbox.isMade(queue) }
}
