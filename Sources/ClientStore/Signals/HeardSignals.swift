// What others show to the queues that the app watches.

import SyncProtocol
import WireFormat

/// The signals of others, and who watches them. Pure.
struct HeardSignals {
  private var queues: [QueueID: Queue] = [:]
  private var next = 0

  private struct Queue {
    var state: UInt64 = 0
    var signals: [QueueSignals.Signal] = []
    var watchers: [Int: Effects.Wake] = [:]
    /// When it was first watched, as a number.
    var since: Int
  }

  /// The queues that the next poll follows: those watched last, where there are more than one poll can follow.
  var watched: [WatchedQueue] {
    queues.sorted { $0.value.since > $1.value.since }.prefix(ProtocolLimits.watchedQueues)
      .map { WatchedQueue($0.key, state: $0.value.state) }
  }

  func signals(in queue: QueueID) -> [QueueSignals.Signal] { queues[queue]?.signals ?? [] }

  mutating func watch(_ queue: QueueID, _ wake: @escaping Effects.Wake) -> Int {
    next += 1
    queues[queue, default: Queue(since: next)].watchers[next] = wake
    return next
  }

  mutating func end(_ watcher: Int, of queue: QueueID) {
    queues[queue]?.watchers[watcher] = nil
    if queues[queue]?.watchers.isEmpty == true { queues[queue] = nil }
  }

  /// Takes in the signals of queues, and returns whom to wake.
  mutating func hear(_ news: [QueueSignals]) -> [Effects.Wake] {
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

  /// All who watch.
  var wakes: [Effects.Wake] {
    queues.sorted { $0.key < $1.key }.flatMap { $0.value.watchers.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// Forgets all signals, because the server cannot be reached: nobody knows what is shown now.
  mutating func lose() -> [Effects.Wake] {
    hear(queues.keys.sorted().map { .none(in: $0) })
  }
}
