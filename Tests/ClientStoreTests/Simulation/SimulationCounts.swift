// How often each event has occurred, over all seeds. An event that never occurred was not tested.

struct SimulationCounts: Sendable {
  private(set) var counts: [String: Int] = [:]

  mutating func note(_ name: String, _ count: Int = 1) { counts[name, default: 0] += count }

  mutating func add(_ other: Self) { counts.merge(other.counts) { $0 + $1 } }

  func text(of names: [String]) -> String { names.map { "\($0) \(counts[$0] ?? 0)" }.joined(separator: ", ") }

  /// The names that never occurred.
  func missing(of names: [String]) -> [String] { names.filter { counts[$0, default: 0] == 0 } }

}
