// The operations of one queue, grouped by progress so that no caller walks over all of them.

/// The numbers of the pending operations of one queue, by their progress.
struct QueueOperations: Hashable {
  /// All of them, in order.
  private(set) var numbers: [Int64] = []
  /// Sent, without an outcome.
  private(set) var underWay: Set<Int64> = []
  /// With a known outcome: they only wait for the cursor.
  private(set) var settled: Set<Int64> = []
  /// Those under way for which the server lacks files.
  private(set) var waiting: Set<Int64> = []
  /// Those that let the user in: by a link, or as the create of the root of a queue with an identity.
  private(set) var doors: Set<Int64> = []
  /// Those that end the queue.
  private var ends: Set<Int64> = []
  /// Ends of the queue that were not taken back and have not failed.
  private var hopefulEnds: Set<Int64> = []

  /// Whether the user has ended the queue: the end was not taken back and has not failed.
  var isEnding: Bool { !hopefulEnds.isEmpty }

  mutating func add(_ operation: OutboxEntry) {
    numbers.append(operation.number)
    if operation.isEnd { ends.insert(operation.number) }
    if operation.isDoor { doors.insert(operation.number) }
    update(operation)
  }

  mutating func update(_ operation: OutboxEntry) {
    set(operation.isSent && operation.outcome == nil, operation.number, &underWay)
    set(operation.outcome != nil, operation.number, &settled)
    set(operation.isWaiting && underWay.contains(operation.number), operation.number, &waiting)
    set(operation.isHopeful && ends.contains(operation.number), operation.number, &hopefulEnds)
  }

  private func set(_ isIn: Bool, _ number: Int64, _ numbers: inout Set<Int64>) {
    if isIn { numbers.insert(number) } else { numbers.remove(number) }
  }

  mutating func remove(_ leaving: Set<Int64>) {
    numbers.removeAll(where: leaving.contains)
    underWay.subtract(leaving)
    settled.subtract(leaving)
    waiting.subtract(leaving)
    doors.subtract(leaving)
    ends.subtract(leaving)
    hopefulEnds.subtract(leaving)
  }

  mutating func sort() { numbers.sort() }
}
