// What can be measured: an entry in this table and a file of its own.

struct Benchmark: Sendable {
  let name: String
  let summary: String
  let run: @Sendable (Effort) throws -> Report

  static let all: [Benchmark] = [.codec]
}

/// How thoroughly to measure.
struct Effort: Sendable {
  /// How often each subject runs; the first round does not count.
  let rounds: Int
  /// How many objects are held where memory is measured.
  let objects: Int

  static let full = Effort(rounds: 41, objects: 100_000)
  static let quick = Effort(rounds: 3, objects: 1_000)
}
