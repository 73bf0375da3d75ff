// Everything that a salvage has to carry over from a store, in words that do not depend on the numbers of queues and
// types.

import WireFormat

/// Read from the database of a store that is not open.
struct StoreContents {
  /// The outbox, with the state of each operation.
  private(set) var operations: [String] = []
  private(set) var failedOperations: [String] = []
  private(set) var retired: [String] = []
  /// The knowledge about each queue besides rows and cursor, such as the role.
  private(set) var queues: [String] = []
  private(set) var properties: [String] = []

  init(folder: String) throws {
    operations = try Self.lines(
      of: """
        SELECT operation.number, hex(operation.id), hex(queue.id), type.name, hex(parameters), hex(changes), performedAt,
          operation.sum, voided, outcome, outcomeCode, outcomeAt, outcomeTime, firstSent, attempt, hidden,
          hex(dependencies)
        FROM operation JOIN queue ON queue.number = operation.queue JOIN type ON type.number = operation.type
        ORDER BY operation.number
        """, in: folder)
    failedOperations = try Self.lines(
      of: """
        SELECT hex(operation), hex(queue.id), type.name, hex(parameters), hex(changes), performedAt, reason, message,
          firstSent, attempt, hex(dependencies)
        FROM failed JOIN queue ON queue.number = failed.queue JOIN type ON type.number = failed.type
        ORDER BY failed.number
        """, in: folder)
    retired = try Self.lines(
      of: """
        SELECT retired.number, hex(retired.id), hex(queue.id), type.name, hex(parameters), hex(changes), performedAt,
          retired.sum, firstSent, attempt, hex(dependencies), outcomeTime
        FROM retired JOIN queue ON queue.number = retired.queue JOIN type ON type.number = retired.type
        ORDER BY retired.number
        """, in: folder)
    // A salvage leaves no rows, so that all queues but those that have gone are unread.
    queues = try Self.lines(
      of: "SELECT hex(id), role, CASE WHEN load < 4 THEN 0 ELSE load END FROM queue WHERE number > 0 ORDER BY id",
      in: folder)
    properties = try Self.lines(
      of: "SELECT name, hex(value) FROM property WHERE name <> 'sync' ORDER BY name", in: folder)
  }

  /// The same contents without one operation of the outbox.
  func without(_ operation: OperationID) -> Self {
    var rest = self
    rest.operations.removeAll { $0.split(separator: " ").dropFirst().first ?? "" == operation.hexadecimal }
    return rest
  }

  /// Removes the report that an operation is damaged. Returns whether there was exactly one.
  mutating func takeReportOfDamage(_ operation: OperationID) -> Bool {
    let others = failedOperations.filter { !$0.hasPrefix(operation.hexadecimal) || !$0.contains(" damaged ") }
    defer { failedOperations = others }
    return others.count == failedOperations.count - 1
  }

  /// Describes the first table that differs; nil if none does.
  func difference(from other: Self) -> String? {
    let tables = [
      ("operations", operations, other.operations), ("failedOperations", failedOperations, other.failedOperations),
      ("retired", retired, other.retired), ("queues", queues, other.queues),
      ("properties", properties, other.properties),
    ]
    for (name, mine, others) in tables where mine != others {
      let differing = zip(mine, others).first { $0 != $1 }
      return "\(name): \(mine.count) rows, not \(others.count)\(differing.map { ": \($0.0), not \($0.1)" } ?? "")"
    }
    return nil
  }

  /// Runs a statement. Returns its rows, each a line of words; `-` stands for NULL.
  static func lines(of sql: String, in folder: String) throws -> [String] {
    try RawDatabase(folder: folder).rows(of: sql, \.line)
  }
}
