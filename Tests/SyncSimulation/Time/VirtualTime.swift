// Time that passes only when the simulation lets it. Closures that wait for it are called in the order of their
// moments.

/// The time of one world, in milliseconds since its beginning.
///
/// `@unchecked Sendable`: a world and everything in it runs on one thread.
final class VirtualTime: @unchecked Sendable {
  private(set) var now: Int64 = 0
  private var heap: [Moment] = []
  private var bodies: [Int: () -> Void] = [:]
  private var count = 0

  private struct Moment {
    var time: Int64
    /// Orders equal moments: the one that was asked for first is called first.
    var number: Int

    static func < (left: Self, right: Self) -> Bool {
      (left.time, left.number) < (right.time, right.number)
    }
  }

  /// Calls `body` after so many milliseconds. Returns the number by which `callOff` cancels that.
  @discardableResult
  func after(_ milliseconds: Int64, _ body: @escaping () -> Void) -> Int {
    count += 1
    bodies[count] = body
    heap.append(Moment(time: now + max(milliseconds, 0), number: count))
    var child = heap.count - 1
    while child > 0, heap[child] < heap[(child - 1) / 2] {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
    return count
  }

  func callOff(_ number: Int) { bodies[number] = nil }

  /// Calls the next closure if it is due until `end`. Returns whether there was one.
  func callNext(until end: Int64) -> Bool {
    while let first = heap.first, first.time <= end {
      removeFirst()
      guard let body = bodies.removeValue(forKey: first.number) else { continue }
      now = max(now, first.time)
      body()
      return true
    }
    return false
  }

  func pass(until end: Int64) { now = max(now, end) }

  private func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[smallest] {
        smallest = child
      }
      if smallest == parent { return }
      heap.swapAt(parent, smallest)
      parent = smallest
    }
  }
}
