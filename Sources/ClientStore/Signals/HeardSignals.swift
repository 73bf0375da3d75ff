// The signals of others in the queues that the app watches.

import SyncProtocol
import WireFormat

/// The signals of others, and their watchers. Pure. Times are milliseconds by the device's clock.
struct HeardSignals {
  private var queues: [QueueID: Queue] = [:]
  private var next = 0
  /// When a poll was answered last.
  private var heardAt: Int64 = 0

  /// Milliseconds after which nobody knows any more what is shown. A poll is answered sooner while something is.
  private static let longest: Int64 = 60_000

  private struct Queue {
    var state: UUIDValue?
    var signals: [QueueSignals.Signal] = []
    var watchers: [Int: Effects.Wake] = [:]
    /// Queues are numbered in the order in which they were first watched.
    var number: Int
  }

  /// The queues that the next poll follows: those watched last, where there are more than one poll can follow.
  var watched: [WatchedQueue] {
    queues.sorted { $0.value.number > $1.value.number }.prefix(ProtocolLimits.watchedQueues)
      .map { WatchedQueue($0.key, state: $0.value.state) }
  }

  func signals(in queue: QueueID, at now: Int64) -> [QueueSignals.Signal] {
    (heardAt...heardAt + Self.longest).contains(now) ? queues[queue]?.signals ?? [] : []
  }

  /// Watches a queue. Returns the number of the watcher, and the wakes of queues that no poll follows any more: these are
  /// empty now.
  mutating func watch(_ queue: QueueID, _ wake: @escaping Effects.Wake) -> (watcher: Int, wakes: [Effects.Wake]) {
    next += 1
    queues[queue, default: Queue(number: next)].watchers[next] = wake
    let watcher = next
    let followed = Set(watched.map(\.queue))
    let left = queues.keys.filter { !followed.contains($0) }.sorted()
    return (watcher, take(left.map { .none(in: $0) }))
  }

  mutating func end(_ watcher: Int, of queue: QueueID) {
    queues[queue]?.watchers[watcher] = nil
    if queues[queue]?.watchers.isEmpty == true { queues[queue] = nil }
  }

  /// Takes in the answer to a poll: the signals of queues where others are shown now. Returns the wakes of
  /// those that have changed.
  mutating func hear(_ news: [QueueSignals], at now: Int64) -> [Effects.Wake] {
    heardAt = now
    return take(news)
  }

  private mutating func take(_ news: [QueueSignals]) -> [Effects.Wake] {
    var wakes: [Effects.Wake] = []
    for heard in news {
      guard let known = queues[heard.queue] else { continue }
      queues[heard.queue]?.state = heard.state
      guard known.signals != heard.signals else { continue }
      queues[heard.queue]?.signals = heard.signals
      wakes += known.watchers.sorted { $0.key < $1.key }.map(\.value)
    }
    return wakes
  }

  /// The wakes of all watchers.
  var wakes: [Effects.Wake] {
    queues.sorted { $0.key < $1.key }.flatMap { $0.value.watchers.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// Forgets all signals, because the server cannot be reached: nobody knows what is shown now.
  mutating func lose() -> [Effects.Wake] { take(queues.keys.sorted().map { .none(in: $0) }) }
}
