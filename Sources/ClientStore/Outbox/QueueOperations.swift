// The operations of one queue, sorted so that nobody has to look at each.

/// Numbers of pending operations of one queue, by how far they have come.
struct QueueOperations: Hashable {
  /// In order.
  private(set) var numbers: [Int64] = []
  /// Sent, without an outcome.
  private(set) var underWay: Set<Int64> = []
  /// Their outcome is known; they wait for the cursor.
  private(set) var settled: Set<Int64> = []
  /// Those under way that the server has no files for.
  private(set) var waiting: Set<Int64> = []
  /// Those that end the queue.
  private var ends: Set<Int64> = []
  /// Those of them that count in what the user sees.
  private var shownEnds: Set<Int64> = []

  /// Whether the user has ended the queue, and not taken that back.
  var isEnding: Bool { !shownEnds.isEmpty }

  mutating func add(_ operation: PendingOperation) {
    numbers.append(operation.number)
    if operation.isEnd { ends.insert(operation.number) }
    note(operation)
  }

  mutating func note(_ operation: PendingOperation) {
    set(operation.isSent && operation.outcome == nil, operation.number, &underWay)
    set(operation.outcome != nil, operation.number, &settled)
    set(operation.isWaiting && underWay.contains(operation.number), operation.number, &waiting)
    set(operation.isShown && ends.contains(operation.number), operation.number, &shownEnds)
  }

  private func set(_ isIn: Bool, _ number: Int64, _ numbers: inout Set<Int64>) {
    if isIn { numbers.insert(number) } else { numbers.remove(number) }
  }

  mutating func remove(_ leaving: Set<Int64>) {
    numbers.removeAll(where: leaving.contains)
    underWay.subtract(leaving)
    settled.subtract(leaving)
    waiting.subtract(leaving)
    ends.subtract(leaving)
    shownEnds.subtract(leaving)
  }

  mutating func sort() { numbers.sort() }
}
