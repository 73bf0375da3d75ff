// The signals that are shown to queues now: in memory only, for seconds.

import Crypto
import SyncProtocol
import WireFormat

/// What members show to queues, and what polls are told of it. Pure.
///
/// A queue publishes what has changed at once, and then at most once a second: everybody is told the same, so a queue of
/// many who type does not answer each key with a poll of each member. Its time is counted in `advance`, and no clock is read.
struct SignalBoard {
  private var queues: [QueueID: Queue] = [:]
  private var counts: [UserID: Int] = [:]
  /// The contents of all queues together.
  private(set) var bytes = 0
  /// Milliseconds, as `advance` has counted them.
  private var now: Int64 = 0

  /// Signals of one user at a time, in all queues.
  static let perUser = 20
  /// 32 MiB: the contents of all signals.
  static let totalBytes = 32 << 20
  /// Milliseconds between two publications of a queue.
  static let pauseMilliseconds: Int64 = 1_000

  struct Key: Hashable {
    var user: UserID
    var type: String
  }

  struct Shown {
    var content: [UInt8]
    var term: UInt64
    var until: Int64
  }

  private struct Queue {
    var shown: [Key: Shown] = [:]
    var published: [Key: Shown] = [:]
    var isChanged = false
    /// When it may publish again.
    var next: Int64 = 0
  }

  /// Whether there is nothing to count the time for.
  var isEmpty: Bool { queues.isEmpty }

  /// How many signals are shown.
  var count: Int { counts.values.reduce(0, +) }

  /// Shows a signal, shows it longer, or takes it back. Returns false if there is no room for it.
  mutating func show(_ change: SignalRequest.Change, by user: UserID) -> Bool {
    let key = Key(user: user, type: change.type)
    let known = queues[change.queue]?.shown[key]
    guard let content = change.content else {
      if known != nil { remove(key, from: change.queue) }
      return true
    }
    if known == nil {
      guard counts[user, default: 0] < Self.perUser,
        queues[change.queue]?.shown.count ?? 0 < ProtocolLimits.queueSignals
      else { return false }
    }
    let more = content.count - (known?.content.count ?? 0)
    guard more <= 0 || bytes + more <= Self.totalBytes else { return false }
    let until = now + Int64(change.seconds) * 1_000
    guard content != known?.content else {
      queues[change.queue]?.shown[key]?.until = until
      return true
    }
    if known == nil { counts[user, default: 0] += 1 }
    bytes += more
    let shown = Shown(content: content, term: Self.term(key, content), until: until)
    queues[change.queue, default: Queue()].shown[key] = shown
    queues[change.queue]?.isChanged = true
    return true
  }

  /// Removes what users show to a queue; nil removes all.
  mutating func remove(_ users: [UserID]?, from queue: QueueID) {
    guard let shown = queues[queue]?.shown else { return }
    for key in shown.keys where users?.contains(key.user) ?? true { remove(key, from: queue) }
  }

  /// Lets time pass, and removes what is over.
  mutating func advance(milliseconds: Int64) {
    now += milliseconds
    for (queue, state) in queues {
      for (key, shown) in state.shown where shown.until <= now { remove(key, from: queue) }
    }
  }

  /// Publishes what has changed in queues that may publish now, and returns these.
  mutating func publish() -> [QueueID] {
    var published: [QueueID] = []
    for (id, queue) in queues where queue.next <= now {
      guard queue.isChanged else {
        if queue.shown.isEmpty { queues[id] = nil }
        continue
      }
      queues[id] = Queue(shown: queue.shown, published: queue.shown, next: now + Self.pauseMilliseconds)
      published.append(id)
    }
    return published.sorted()
  }

  /// What others than a user show to a queue, as it was published.
  func signals(of queue: QueueID, for user: UserID) -> QueueSignals {
    let others = queues[queue]?.published.filter { $0.key.user != user } ?? [:]
    let signals = others.map { QueueSignals.Signal(user: $0.user, type: $0.type, content: $1.content) }
    return QueueSignals(
      queue: queue, state: state(of: queue, for: user),
      signals: signals.sorted { ($0.user, $0.type) < ($1.user, $1.type) })
  }

  /// The number that stands for these signals; 0 if there are none.
  func state(of queue: QueueID, for user: UserID) -> UInt64 {
    queues[queue]?.published.reduce(0) { $1.key.user == user ? $0 : $0 &+ $1.value.term } ?? 0
  }

  private mutating func remove(_ key: Key, from queue: QueueID) {
    guard let shown = queues[queue]?.shown.removeValue(forKey: key) else { return }
    queues[queue]?.isChanged = true
    bytes -= shown.content.count
    counts[key.user, default: 0] -= 1
    if counts[key.user] == 0 { counts[key.user] = nil }
  }

  /// The number that a signal adds to the state of its queue. All servers of one database compute the same.
  private static func term(_ key: Key, _ content: [UInt8]) -> UInt64 {
    var hash = SHA256()
    for part in [key.user.rawValue.bytes, Array(key.type.utf8), [0], content] {
      part.withUnsafeBytes { hash.update(bufferPointer: $0) }
    }
    return hash.finalize().withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
  }
}
