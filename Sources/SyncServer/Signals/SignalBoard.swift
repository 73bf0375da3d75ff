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
  /// Queues with a change that is not published.
  private var changed: Set<QueueID> = []
  private var counts: [UserID: Int] = [:]
  /// What the signals of all queues take: their contents, and 256 bytes each.
  private(set) var bytes = 0
  /// Milliseconds, as `advance` has counted them.
  private var now: Int64 = 0
  /// How often a signal has changed.
  private var changes: UInt64 = 0

  /// Signals of one user at a time, in all queues and in one.
  static let perUser = 20
  static let perUserInQueue = 5
  /// 64 MiB: what all signals take.
  static let totalBytes = 64 << 20
  private static let overhead = 256
  /// Milliseconds between two publications of a queue.
  static let pauseMilliseconds: Int64 = 1_000

  private struct Key: Hashable, Comparable {
    var user: UserID
    var type: String

    static func < (one: Self, other: Self) -> Bool { (one.user, one.type) < (other.user, other.type) }
  }

  /// The place of a signal: a newer one of the same session takes it.
  private struct Place: Hashable {
    var key: Key
    var session: UUIDValue
  }

  private struct Shown {
    var content: [UInt8]
    var until: Int64
    /// The number of the change that has put it there.
    var change: UInt64
  }

  private struct Queue {
    var shown: [Place: Shown] = [:]
    var published = PublishedSignals()
    /// When it may publish again.
    var next: Int64 = 0
  }

  /// Whether there is nothing to count the time for.
  var isEmpty: Bool { queues.isEmpty }

  /// How many signals are shown.
  var count: Int { counts.values.reduce(0, +) }

  /// Shows a signal, shows it longer, or takes it back. Returns false if there is no room for it.
  mutating func show(_ change: SignalRequest.Change, by user: UserID, in session: UUIDValue) -> Bool {
    let place = Place(key: Key(user: user, type: change.type), session: session)
    let known = queues[change.queue]?.shown[place]
    guard let content = change.content else {
      if known != nil { remove(place, from: change.queue) }
      return true
    }
    guard known != nil || hasPlace(for: user, in: change.queue) else { return false }
    let more = content.count - (known?.content.count ?? -Self.overhead)
    guard more <= 0 || bytes + more <= Self.totalBytes else { return false }
    let until = now + Int64(change.seconds) * 1_000
    guard content != known?.content else {
      queues[change.queue]?.shown[place]?.until = until
      return true
    }
    if known == nil { counts[user, default: 0] += 1 }
    bytes += more
    changes += 1
    queues[change.queue, default: Queue()].shown[place] = Shown(content: content, until: until, change: changes)
    changed.insert(change.queue)
    return true
  }

  private func hasPlace(for user: UserID, in queue: QueueID) -> Bool {
    guard counts[user, default: 0] < Self.perUser else { return false }
    guard let shown = queues[queue]?.shown else { return true }
    return shown.count < ProtocolLimits.queueSignals
      && shown.keys.count { $0.key.user == user } < Self.perUserInQueue
  }

  /// Removes what users show to a queue; nil removes all.
  mutating func remove(_ users: [UserID]?, from queue: QueueID) {
    guard let shown = queues[queue]?.shown else { return }
    for place in shown.keys where users?.contains(place.key.user) ?? true { remove(place, from: queue) }
  }

  /// Lets time pass, and removes what is over.
  mutating func advance(milliseconds: Int64) {
    now += milliseconds
    for (id, queue) in queues {
      for (place, shown) in queue.shown where shown.until <= now { remove(place, from: id) }
      if queue.shown.isEmpty, queue.next <= now, !changed.contains(id) { queues[id] = nil }
    }
  }

  private mutating func remove(_ place: Place, from queue: QueueID) {
    guard let shown = queues[queue]?.shown.removeValue(forKey: place) else { return }
    changed.insert(queue)
    bytes -= shown.content.count + Self.overhead
    counts[place.key.user, default: 0] -= 1
    if counts[place.key.user] == 0 { counts[place.key.user] = nil }
  }

  /// Publishes what has changed in queues that may publish now. Returns those of which others are told now.
  mutating func publish() -> [QueueID] {
    var published: [QueueID] = []
    for id in changed.sorted() {
      guard let queue = queues[id], queue.next <= now else { continue }
      changed.remove(id)
      let signals = PublishedSignals(newest(of: queue.shown))
      if signals.state == queue.published.state { continue }
      queues[id] = Queue(shown: queue.shown, published: signals, next: now + Self.pauseMilliseconds)
      published.append(id)
    }
    return published
  }

  /// Of several sessions of a user, the signal that was changed last.
  private func newest(of shown: [Place: Shown]) -> [QueueSignals.Signal] {
    var newest: [Key: Shown] = [:]
    for (place, shown) in shown where newest[place.key]?.change ?? 0 < shown.change { newest[place.key] = shown }
    return newest.sorted { $0.key < $1.key }.map {
      QueueSignals.Signal(user: $0.key.user, type: $0.key.type, content: $0.value.content)
    }
  }

  /// What others than a user show to a queue, as it was published.
  func signals(of queue: QueueID, for user: UserID) -> QueueSignals {
    let published = queues[queue]?.published ?? PublishedSignals()
    return QueueSignals(
      queue: queue, state: published.state(for: user), signals: published.signals.filter { $0.user != user })
  }

  /// What stands for these signals; nil if there are none.
  func state(of queue: QueueID, for user: UserID) -> UUIDValue? { queues[queue]?.published.state(for: user) }
}

/// What a queue tells of its signals, with the states that stand for them. All servers of one database compute the same.
private struct PublishedSignals {
  /// Ordered by user and type.
  let signals: [QueueSignals.Signal]
  /// For those who show nothing there.
  let state: UUIDValue?
  private let hashes: [SHA256Digest]

  init(_ signals: [QueueSignals.Signal] = []) {
    self.signals = signals
    hashes = signals.map(Self.hash)
    state = Self.state(of: hashes)
  }

  /// The state without the signals of a user.
  func state(for user: UserID) -> UUIDValue? {
    guard signals.contains(where: { $0.user == user }) else { return state }
    return Self.state(of: zip(signals, hashes).filter { $0.0.user != user }.map(\.1))
  }

  private static func hash(_ signal: QueueSignals.Signal) -> SHA256Digest {
    var hash = SHA256()
    for part in [signal.user.rawValue.bytes, Array(signal.type.utf8), [0], signal.content] {
      part.withUnsafeBytes { hash.update(bufferPointer: $0) }
    }
    return hash.finalize()
  }

  /// A hash, and no sum: nobody can show signals that add up to those of somebody else.
  private static func state(of hashes: [SHA256Digest]) -> UUIDValue? {
    if hashes.isEmpty { return nil }
    var hash = SHA256()
    for part in hashes { part.withUnsafeBytes { hash.update(bufferPointer: $0) } }
    return hash.finalize().withUnsafeBytes { digest in
      UUIDValue(
        high: UInt64(bigEndian: digest.loadUnaligned(as: UInt64.self)),
        low: UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
  }
}
