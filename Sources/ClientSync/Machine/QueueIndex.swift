// An index of queues by their standing, updated as they change, so that a turn looks at few of them. Pure.

import WireFormat

/// The facts about a queue by which turns pick it.
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

  static let each: [Self] = (0..<6).map { Self(rawValue: 1 << $0) }
}

/// For each fact of a standing, the queues that have it.
struct QueueIndex: Hashable, Sendable {
  private var standings: [QueueID: QueueStanding] = [:]
  private var sets: [QueueStanding: Set<QueueID>] = [:]

  init() {
    for standing in QueueStanding.each { sets[standing] = [] }
  }

  /// The queues with this fact, which is one of `QueueStanding.each`.
  subscript(standing: QueueStanding) -> Set<QueueID> { sets[standing] ?? [] }

  mutating func set(_ standing: QueueStanding, of queue: QueueID) {
    let before = standings[queue] ?? []
    guard before != standing else { return }
    standings[queue] = standing.isEmpty ? nil : standing
    for each in QueueStanding.each where before.contains(each) != standing.contains(each) {
      if standing.contains(each) { sets[each]?.insert(queue) } else { sets[each]?.remove(queue) }
    }
  }
}
