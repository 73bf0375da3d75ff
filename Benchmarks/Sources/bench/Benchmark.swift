// What can be measured: an entry in this table and a file of its own.

struct Benchmark: Sendable {
  let name: String
  let summary: String
  let run: @Sendable (Effort) throws -> Report

  static let all: [Benchmark] = [.codec, .memory, .schema]
}

/// How thoroughly to measure.
struct Effort: Sendable {
  /// How often each subject runs; the first round does not count.
  let rounds: Int
  /// How many objects are held where memory is measured.
  let objects: Int
  /// How many schema files are read.
  let schemas: Int

  static let full = Effort(rounds: 41, objects: 100_000, schemas: 1_000)
  static let quick = Effort(rounds: 3, objects: 1_000, schemas: 20)
}
