// What this device shows to queues, and which of it is to be sent.

import SyncProtocol
import WireFormat

/// The signals of the user on this device. Pure. Times are milliseconds by the device's clock.
struct ShownSignals {
  private var entries: [Key: Entry] = [:]

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

  /// Shows a signal from now on, or shows it longer. Returns whether it is to be sent now.
  mutating func show(_ content: [UInt8], as type: String, in queue: QueueID, for lifetime: Int64, at now: Int64) -> Bool
  {
    let key = Key(queue: queue, type: type)
    var entry = entries[key] ?? Entry(until: 0, lifetime: lifetime)
    (entry.content, entry.until) = (content, now + lifetime)
    entries[key] = entry
    return entry.due.map { $0 <= now } ?? false
  }

  /// Takes a signal back. Returns whether that is to be sent.
  mutating func hide(_ type: String, in queue: QueueID) -> Bool {
    let key = Key(queue: queue, type: type)
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

  /// When there is something to send; nil if there is nothing.
  var due: Int64? { entries.values.compactMap(\.due).min() }

  /// Forgets all signals, because the server cannot be reached. They are lost; the app shows those again that are still
  /// true.
  mutating func lose() { entries = [:] }
}
