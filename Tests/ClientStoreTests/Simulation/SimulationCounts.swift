// What happened how often, over all seeds: what never happened was not tested.

struct SimulationCounts: Sendable {
  private(set) var counts: [String: Int] = [:]

  mutating func note(_ name: String, _ count: Int = 1) { counts[name, default: 0] += count }

  mutating func add(_ other: Self) { counts.merge(other.counts) { $0 + $1 } }

  func text(of names: [String]) -> String { names.map { "\($0) \(counts[$0] ?? 0)" }.joined(separator: ", ") }

  /// Those of the names that never happened, and those that happened and are none of them.
  func missing(of names: [String]) -> [String] { names.filter { counts[$0, default: 0] == 0 } }

}
