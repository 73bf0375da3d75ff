// Retired operations that end a queue. They stay when everything else of the queue goes.

import GRDB
import WireFormat

extension RetiredOperations {
  /// The retired end of every queue that has one.
  static func ends(_ transaction: StoreTransaction) throws -> [QueueID: RetiredEnd] {
    var ends: [QueueID: RetiredEnd] = [:]
    for end in try endRows(of: nil, transaction) { ends[end.queue] = end.state }
    return ends
  }

  static func end(of queue: QueueID, _ transaction: StoreTransaction) throws -> RetiredEnd? {
    try endRows(of: queue, transaction).last?.state
  }

  /// Marks the ends of a queue as not in doubt. Returns their numbers.
  static func settleEnds(of queue: QueueID, _ transaction: StoreTransaction) throws -> [Int64] {
    let ends = try endRows(of: queue, transaction).map(\.number)
    for number in ends { try settle(number, .none, transaction.database) }
    return ends
  }

  private struct EndRow {
    var queue: QueueID
    var number: Int64
    var state: RetiredEnd
  }

  /// The rows of ends, those in doubt last. The bytes of an end have the queue's id next to `delete`
  /// (docs/formats/operation-format.md); the query looks for that, so that few other rows are read.
  private static func endRows(of queue: QueueID?, _ transaction: StoreTransaction) throws -> [EndRow] {
    let row = try BoundStatement(
      """
      SELECT retired.number, retired.id, queue, type, parameters, changes, performedAt, retired.sum, dependencies, doubt
      FROM retired JOIN queue ON queue.number = retired.queue
      WHERE instr(changes, x'2001') > 0 AND instr(changes, x'0a10' || queue.id || x'2001') > 0
        \(queue == nil ? "" : "AND queue.id = ?")
      ORDER BY doubt > 0, retired.number
      """, transaction.database)
    defer { row.reset() }
    if let queue { try row.bind(1, queue) }
    var ends: [EndRow] = []
    while try row.next() {
      let number = try row.integer(0)
      // Damaged rows are skipped, because they could not be sent again.
      guard let operation = try? StoredOperations.performed(number, row, transaction), operation.isEnd,
        let queue = operation.queue
      else { continue }
      let isInDoubt = try row.integer(9) != Doubt.none.rawValue
      ends.append(EndRow(queue: queue, number: number, state: isInDoubt ? .inDoubt : .settled))
    }
    return ends
  }
}
