// Every event of a run, as a sum and, where somebody wants to read it, in words.

struct Trace {
  /// FNV-1a over every line and every byte that was sent: equal for equal runs.
  private(set) var sum: UInt64 = 0xCBF2_9CE4_8422_2325
  private(set) var lines: [String] = []
  var step: Int?
  private let isKept: Bool

  init(isKept: Bool) { self.isKept = isKept }

  mutating func note(_ time: Int64, _ line: String, _ bytes: [UInt8]) {
    for byte in line.utf8 { add(byte) }
    for byte in bytes { add(byte) }
    for shift in [0, 16, 32] { add(UInt8(truncatingIfNeeded: time >> Int64(shift))) }
    if isKept { lines.append("\(step.map { "step \($0)" } ?? "        ") \(time) ms  \(line)") }
  }

  private mutating func add(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
}

/// A promise that was broken.
package struct Violation: Error, CustomStringConvertible, Sendable {
  package var message: String
  package var step: Int?

  init(_ message: String, step: Int? = nil) { (self.message, self.step) = (message, step) }

  package var description: String { step.map { "step \($0): \(message)" } ?? "the end: \(message)" }

  /// What the oracle says before it names an operation: shrinking keeps to it.
  package var kind: String { String(message.prefix { $0 != ":" }) }
}

/// What happened how often, over all runs: what never happened was not tested.
package struct RunCounts: Sendable {
  package private(set) var counts: [String: Int] = [:]

  package init() {}

  mutating func note(_ name: String, _ count: Int = 1) { counts[name, default: 0] += count }

  package mutating func add(_ other: Self) { counts.merge(other.counts) { $0 + $1 } }

  package subscript(name: String) -> Int { counts[name] ?? 0 }
}
