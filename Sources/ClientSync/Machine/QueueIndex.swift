// An index of queues by their standing, updated as they change, so that a turn looks at few of them. Pure.

import ClientStore
import SyncProtocol
import WireFormat

/// The facts about a queue by which turns and polls pick it.
struct QueueStanding: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  /// The queue has a request under way, or something to send or fetch, now or later.
  static let hasWork = Self(rawValue: 1)
  /// The queue is being loaded, and has nothing else to do. A new device has thousands of such queues.
  static let loads = Self(rawValue: 2)
  /// The queue has a preview to fetch, once there is room for another one.
  static let wantsPreview = Self(rawValue: 4)
  /// A preview of the queue is on this device.
  static let isPreviewed = Self(rawValue: 8)
  /// A push or pull of the queue has failed, and none has succeeded since.
  static let hasFailed = Self(rawValue: 16)
  /// A pull has failed or began a load again, or answers have changed nothing. A poll that finds nothing new settles
  /// that.
  static let isDoubted = Self(rawValue: 32)
  static let awaitsMembership = Self(rawValue: 64)
  /// The user may be a member, but the queue is not polled. A poll over all queues leaves it out.
  static let isLeftOut = Self(rawValue: 128)

  static let each: [Self] = (0..<8).map { Self(rawValue: 1 << $0) }
}

/// For each fact of a standing, the queues that have it.
struct QueueIndex: Hashable, Sendable {
  private var standings: [QueueID: QueueStanding] = [:]
  private var sets: [QueueStanding: Set<QueueID>] = [:]
  /// Queues of which only a poll can tell that they have something to fetch, with their places.
  private(set) var polled = PolledPlaces()

  init() {
    for standing in QueueStanding.each { sets[standing] = [] }
  }

  /// The queues with this fact, which is one of `QueueStanding.each`.
  subscript(standing: QueueStanding) -> Set<QueueID> { sets[standing] ?? [] }

  /// A queue's entry in the index.
  struct Look {
    var standing: QueueStanding
    /// The place of the queue; nil if it is not polled.
    var polled: QueuePlace?
  }

  mutating func set(_ look: Look, of queue: QueueID) {
    polled[queue] = look.polled
    let (before, standing) = (standings[queue] ?? [], look.standing)
    guard before != standing else { return }
    standings[queue] = standing.isEmpty ? nil : standing
    for each in QueueStanding.each where before.contains(each) != standing.contains(each) {
      if standing.contains(each) { sets[each]?.insert(queue) } else { sets[each]?.remove(queue) }
    }
  }
}

/// The places of polled queues, by ranges of their ids, with the sums that a poll over all of them sends.
struct PolledPlaces: Hashable, Sendable {
  private(set) var count = 0
  private(set) var sums = PlaceSums(forQueues: 0)
  private var ranges: [[QueueID: QueuePlace]] = [[:]]

  subscript(queue: QueueID) -> QueuePlace? {
    get { ranges[sums.range(of: queue)][queue] }
    set {
      let range = sums.range(of: queue)
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

  /// The queues in `wanted` ranges of `other`, which usually has the same ranges as this value.
  func queues(in wanted: Set<Int>, of other: PlaceSums) -> [QueueID] {
    // A server may name ranges that do not exist.
    if other.numbers.count == ranges.count { return wanted.filter(ranges.indices.contains).flatMap { ranges[$0].keys } }
    return ranges.flatMap(\.keys).filter { wanted.contains(other.range(of: $0)) }
  }

  /// Divides the queues into as many ranges as suit their number now.
  private mutating func divideAnew() {
    let all = all
    sums = PlaceSums(forQueues: count)
    ranges = Array(repeating: [:], count: sums.numbers.count)
    for (queue, place) in all {
      ranges[sums.range(of: queue)][queue] = place
      sums.add(queue, place)
    }
  }
}

extension PlaceSums {
  fileprivate mutating func add(_ queue: QueueID, _ place: QueuePlace) {
    add(queue, epoch: place.epoch ?? .zero, grant: place.grant ?? .zero, cursor: place.cursor)
  }

  fileprivate mutating func remove(_ queue: QueueID, _ place: QueuePlace) {
    remove(queue, epoch: place.epoch ?? .zero, grant: place.grant ?? .zero, cursor: place.cursor)
  }
}
