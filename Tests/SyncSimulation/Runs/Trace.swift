// Every event of a run, as a checksum and, if somebody wants to read them, in words.

struct Trace {
  /// Covers every line and every byte that was sent: equal for equal runs.
  private(set) var sum: UInt64 = 0xCBF2_9CE4_8422_2325
  private(set) var lines: [String] = []
  var step: Int?
  private let isKept: Bool

  init(isKept: Bool) { self.isKept = isKept }

  mutating func note(_ time: Int64, _ line: String) {
    var text = line
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    add(UInt64(bitPattern: time))
    keep(time, line)
  }

  /// Notes a message. Its bytes go into the sum; its words are made only if the trace is kept.
  mutating func note(_ time: Int64, message bytes: [UInt8], _ line: () -> String) {
    bytes.withUnsafeBytes { add($0) }
    add(UInt64(bitPattern: time))
    if isKept { keep(time, line()) }
  }

  private mutating func keep(_ time: Int64, _ line: String) {
    if isKept { lines.append("\(step.map { "step \($0)" } ?? "        ") \(time) ms  \(line)") }
  }

  /// Takes eight bytes at a time. One at a time would be a large part of the cost of a run.
  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var place = 0
    while place + 8 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    while place < bytes.count {
      add(UInt64(bytes[place]))
      place += 1
    }
    add(UInt64(bytes.count))
  }

  private mutating func add(_ word: UInt64) {
    let mixed = (sum ^ word) &* 0x100_0000_01B3
    sum = mixed ^ (mixed >> 29)
  }
}

/// A promise that was broken.
package struct Violation: Error, CustomStringConvertible, Sendable {
  package var message: String
  package var step: Int?

  init(_ message: String, step: Int? = nil) { (self.message, self.step) = (message, step) }

  package var description: String { step.map { "step \($0): \(message)" } ?? "the end: \(message)" }

  /// The message up to its first colon. Shrinking looks for plans that fail with the same kind.
  package var kind: String { String(message.prefix { $0 != ":" }) }
}

/// How often each event has happened, over all runs. An event that never happened was not tested.
package struct RunCounts: Sendable {
  package private(set) var counts: [String: Int] = [:]

  package init() {}

  mutating func note(_ name: String, _ count: Int = 1) { counts[name, default: 0] += count }

  package mutating func add(_ other: Self) { counts.merge(other.counts) { $0 + $1 } }

  package subscript(name: String) -> Int { counts[name] ?? 0 }
}
