// The places of queues at the server, as far as the client has heard of them, with the sums that a poll sends. Pure.

import ClientStore
import SyncProtocol
import WireFormat

/// The place of a queue at the server. The client hears it with the last page of a delta, or in the answer to a poll.
struct HeardPlace: Hashable, Sendable {
  var grant: GrantID
  var head: Int64
}

extension QueuePlace {
  /// The place whose rows are shown, as the server would name it; nil unless the queue is loaded.
  var shown: HeardPlace? {
    guard load == .loaded, let grant else { return nil }
    return HeardPlace(grant: grant, head: cursor)
  }
}

/// Places by ranges of the ids of their queues.
struct HeardPlaces: Hashable, Sendable {
  private(set) var count = 0
  private(set) var sums = PlaceSums(forQueues: 0)
  private var ranges: [[QueueID: HeardPlace]] = [[:]]
  /// How many queues the server is going to name: there are ranges for so many, too.
  var expected = 0 {
    didSet { divideIfNeeded() }
  }

  subscript(queue: QueueID) -> HeardPlace? {
    get { ranges[sums.range(of: queue)][queue] }
    set {
      let range = sums.range(of: queue)
      let before = ranges[range][queue]
      guard before != newValue else { return }
      ranges[range][queue] = newValue
      if let before { sums.remove(queue, before) }
      if let newValue { sums.add(queue, newValue) }
      count += (newValue == nil ? 0 : 1) - (before == nil ? 0 : 1)
      divideIfNeeded()
    }
  }

  /// The queues in `wanted` ranges of `other`, which usually has the same ranges as this value.
  func queues(in wanted: Set<Int>, of other: PlaceSums) -> [QueueID] {
    // A server may name ranges that do not exist.
    if other.numbers.count == ranges.count { return wanted.filter(ranges.indices.contains).flatMap { ranges[$0].keys } }
    return ranges.flatMap(\.keys).filter { wanted.contains(other.range(of: $0)) }
  }

  /// Divides the queues into as many ranges as suit their number.
  private mutating func divideIfNeeded() {
    let queues = max(count, expected)
    guard PlaceSums.ranges(forQueues: queues) != ranges.count else { return }
    let all = ranges.joined()
    sums = PlaceSums(forQueues: queues)
    ranges = Array(repeating: [:], count: sums.numbers.count)
    for (queue, place) in all {
      ranges[sums.range(of: queue)][queue] = place
      sums.add(queue, place)
    }
  }
}

extension PlaceSums {
  fileprivate mutating func add(_ queue: QueueID, _ place: HeardPlace) {
    add(queue, grant: place.grant, cursor: place.head)
  }

  fileprivate mutating func remove(_ queue: QueueID, _ place: HeardPlace) {
    remove(queue, grant: place.grant, cursor: place.head)
  }
}
