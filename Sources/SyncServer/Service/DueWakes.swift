// The polls of a queue that are to be woken, in steps.

import DequeModule

/// Numbers of polls, in the order in which they are woken, each once. Pure.
struct DueWakes {
  private var order = Deque<Int>()
  private var known: Set<Int> = []

  /// How many polls of one queue are woken at once: all, where a queue is for people who know each other.
  static let atOnce = 100
  /// The pause after that, so that a queue wakes 1,000 polls a second. Each of them costs a look, an answer, a delta and the
  /// next poll: some 0.3 ms together.
  static let pauseMilliseconds: Int64 = 100

  /// Adds polls, the oldest first.
  mutating func add(_ polls: Set<Int>) {
    order.append(contentsOf: polls.subtracting(known).sorted())
    known.formUnion(polls)
  }

  /// Removes the polls of the next step; empty if none is left.
  mutating func next() -> [Int] {
    let next = Array(order.prefix(Self.atOnce))
    order.removeFirst(next.count)
    known.subtract(next)
    return next
  }
}
