// What this device shows to queues, and which of it is to be sent.

import SyncProtocol
import WireFormat

/// The signals of the user on this device. Pure. Times are milliseconds by the device's clock.
struct ShownSignals {
  private var entries: [Key: Entry] = [:]
  private var lastShowing = 0

  private struct Key: Hashable, Comparable {
    var queue: QueueID
    var type: String

    static func < (one: Self, other: Self) -> Bool { (one.queue, one.type) < (other.queue, other.type) }
  }

  private struct Entry {
    /// Nil once it was taken back.
    var content: [UInt8]?
    var until: Int64
    var lifetime: Int64
    /// The number of the showing that put it there last.
    var showing: Int
    /// What the server was sent last, and until when it shows that; nil if nothing.
    var sent: [UInt8]?
    var sentUntil: Int64 = 0

    /// When it is to be sent; nil if the server has all of it. A signal that is shown again goes once half of its time is
    /// over, so that each key that somebody types need not.
    var due: Int64? {
      guard let content else { return sent == nil ? nil : .min }
      if content != sent { return .min }
      return until > sentUntil ? sentUntil - lifetime / 2 : nil
    }
  }

  /// A number for a new showing: a call of `show` or `keepShowing`.
  mutating func newShowing() -> Int {
    lastShowing += 1
    return lastShowing
  }

  /// Whether another showing has taken the place of this one.
  func isTaken(_ type: String, in queue: QueueID, from showing: Int, at now: Int64) -> Bool {
    guard let entry = entries[Key(queue: queue, type: type)], entry.content != nil else { return false }
    return entry.showing != showing && entry.until > now
  }

  /// Shows a signal from now on, or shows it longer. Returns whether there is something to send, now or later, that there
  /// was not before.
  mutating func show(
    _ content: [UInt8], as type: String, in queue: QueueID, for lifetime: Int64, at now: Int64, by showing: Int
  ) -> Bool {
    let key = Key(queue: queue, type: type)
    var entry = entries[key] ?? Entry(until: 0, lifetime: lifetime, showing: showing)
    let before = entry.due
    (entry.content, entry.until, entry.showing) = (content, now + lifetime, showing)
    // The clock was set back.
    if entry.sentUntil > entry.until + 1_000 { (entry.sent, entry.sentUntil) = (nil, 0) }
    entries[key] = entry
    return entry.due != nil && entry.due != before
  }

  /// Takes a signal back; with `showing` only if no other showing has taken its place. Returns whether there is something to
  /// send.
  mutating func hide(_ type: String, in queue: QueueID, by showing: Int? = nil) -> Bool {
    let key = Key(queue: queue, type: type)
    if let showing, entries[key]?.showing != showing { return false }
    entries[key]?.content = nil
    if entries[key]?.due == nil { entries[key] = nil }
    return entries[key] != nil
  }

  /// What is to be sent now, at most `ProtocolLimits.signals`, and counts as sent. Drops what is over.
  mutating func take(at now: Int64) -> [SignalRequest.Change] {
    // The server has dropped it by then, too.
    entries = entries.filter { now < max($0.value.content == nil ? 0 : $0.value.until, $0.value.sentUntil) }
    let due = entries.filter { $0.value.due.map { $0 <= now } ?? false }.keys.sorted().prefix(ProtocolLimits.signals)
    return due.compactMap { key in
      guard var entry = entries[key] else { return nil }
      (entry.sent, entry.sentUntil) = (entry.content, entry.until)
      entries[key] = entry.content == nil ? nil : entry
      // Rounded up: a signal that goes too early would flicker.
      let seconds = entry.content == nil ? 1 : (entry.until - now + 999) / 1_000
      return SignalRequest.Change(
        queue: key.queue, type: key.type, content: entry.content,
        seconds: min(max(Int(seconds), 1), ProtocolLimits.signalSeconds))
    }
  }

  /// Takes in that the server did not take all of these: it may not know the queue yet. What is shown on goes once more in
  /// a second.
  mutating func wereNotTaken(_ changes: [SignalRequest.Change], at now: Int64) {
    for change in changes where change.content != nil {
      let key = Key(queue: change.queue, type: change.type)
      if let lifetime = entries[key]?.lifetime { entries[key]?.sentUntil = now + lifetime / 2 + 1_000 }
    }
  }

  /// When there is something to send; nil if there is nothing.
  var due: Int64? { entries.values.compactMap(\.due).min() }

  /// Forgets all signals, because the server cannot be reached. They are lost; the app shows those again that are still
  /// true.
  mutating func lose() { entries = [:] }
}
