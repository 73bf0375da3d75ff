// Queues by their standing, kept up as they change: so a turn looks at few of them, however many there are. Pure.

import ClientStore
import ModelTypes
import SyncProtocol
import WireFormat

/// How a queue stands: facts by which turns and polls pick queues.
struct QueueStanding: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  /// It has a request under way, or something to do, now or later.
  static let hasWork = Self(rawValue: 1)
  /// Its first load goes on, and it has nothing else to do: there are thousands of those on a new device.
  static let loads = Self(rawValue: 2)
  /// It has a preview to fetch, once there is room for another one.
  static let wantsPreview = Self(rawValue: 4)
  /// A preview of it is here.
  static let isPreviewed = Self(rawValue: 8)
  /// A request has failed, or it waits for a time.
  static let hasFailed = Self(rawValue: 16)
  /// Answers have changed nothing: that there is nothing new is news.
  static let isDoubted = Self(rawValue: 32)
  static let awaitsMembership = Self(rawValue: 64)
  /// The user may be a member, and it is not polled.
  static let isLeftOut = Self(rawValue: 128)

  static let each: [Self] = (0..<8).map { Self(rawValue: 1 << $0) }
}

/// For each fact of a standing, the queues of which it is true.
struct QueueIndex: Hashable, Sendable {
  private var standings: [QueueID: QueueStanding] = [:]
  private var sets: [QueueStanding: Set<QueueID>] = [:]
  /// Those of which only the server can tell that there is something to fetch.
  private(set) var polled = PolledPlaces()

  init() {
    for standing in QueueStanding.each { sets[standing] = [] }
  }

  /// One of `QueueStanding.each`.
  subscript(standing: QueueStanding) -> Set<QueueID> { sets[standing] ?? [] }

  /// One look at a queue.
  struct Look {
    var standing: QueueStanding
    /// Where it stands, if it is polled.
    var polled: QueuePlace?
  }

  mutating func note(_ look: Look, of queue: QueueID) {
    polled[queue] = look.polled
    let (before, standing) = (standings[queue] ?? [], look.standing)
    guard before != standing else { return }
    standings[queue] = standing.isEmpty ? nil : standing
    for each in QueueStanding.each where before.contains(each) != standing.contains(each) {
      if standing.contains(each) { sets[each]?.insert(queue) } else { sets[each]?.remove(queue) }
    }
  }
}

/// Where queues stand that are polled, by ranges of their ids, with what a poll over all of them asks.
struct PolledPlaces: Hashable, Sendable {
  private(set) var count = 0
  private(set) var sums = PlaceSums(forQueues: 0)
  private var ranges: [[QueueID: QueuePlace]] = [[:]]

  subscript(queue: QueueID) -> QueuePlace? {
    get { ranges[sums.range(of: queue.rawValue)][queue] }
    set {
      let range = sums.range(of: queue.rawValue)
      let before = ranges[range][queue]
      guard before != newValue else { return }
      ranges[range][queue] = newValue
      if let before { sums.remove(queue, before) }
      if let newValue { sums.add(queue, newValue) }
      count += (newValue == nil ? 0 : 1) - (before == nil ? 0 : 1)
      if PlaceSums.ranges(forQueues: count) != ranges.count { divideAnew() }
    }
  }

  var all: [QueueID: QueuePlace] { ranges.reduce(into: [:]) { $0.merge($1) { $1 } } }

  /// Those in some ranges of other sums, which most often are those of here.
  func queues(in wanted: Set<Int>, of other: PlaceSums) -> [QueueID] {
    // A server may name ranges that nobody asked about.
    if other.numbers.count == ranges.count { return wanted.filter(ranges.indices.contains).flatMap { ranges[$0].keys } }
    return ranges.flatMap(\.keys).filter { wanted.contains(other.range(of: $0.rawValue)) }
  }

  /// More queues have more ranges.
  private mutating func divideAnew() {
    let all = all
    sums = PlaceSums(forQueues: count)
    ranges = Array(repeating: [:], count: sums.numbers.count)
    for (queue, place) in all {
      ranges[sums.range(of: queue.rawValue)][queue] = place
      sums.add(queue, place)
    }
  }
}

extension PlaceSums {
  fileprivate mutating func add(_ queue: QueueID, _ place: QueuePlace) {
    add(queue.rawValue, epoch: place.epoch ?? .zero, grant: place.grant ?? .zero, cursor: place.cursor)
  }

  fileprivate mutating func remove(_ queue: QueueID, _ place: QueuePlace) {
    remove(queue.rawValue, epoch: place.epoch ?? .zero, grant: place.grant ?? .zero, cursor: place.cursor)
  }
}
