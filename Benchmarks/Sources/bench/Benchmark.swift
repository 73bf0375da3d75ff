// A benchmark: an entry in the table `all` of its program, and a file of its own.

struct Benchmark: Sendable {
  let name: String
  let summary: String
  let run: @Sendable (Effort) throws -> [Report]
}

/// How thoroughly to measure.
struct Effort: Sendable {
  /// How often each subject runs; the first round does not count.
  let rounds: Int
  /// How many objects the benchmarks of memory, latency and pending operations hold.
  let objects: Int
  /// How many schema files are read.
  let schemas: Int

  /// Sizes of the measured lists, in entries.
  let listSizes: [Int]
  /// Sizes of the measured stores, in objects.
  let storeSizes: [Int]
  /// How many rounds a store is measured.
  let storeRounds: Int
  /// How many calls of each kind a round makes.
  let callsPerRound: Int
  /// How many calls must run while deltas are written, before the latency benchmark ends.
  let callsWhileWriting: Int

  static let full = Effort(
    rounds: 41, objects: 100_000, schemas: 1_000, listSizes: [10_000, 100_000, 1_000_000],
    storeSizes: [10_000, 100_000, 1_000_000], storeRounds: 9,
    callsPerRound: 250, callsWhileWriting: 20_000)
  static let quick = Effort(
    rounds: 3, objects: 1_000, schemas: 20, listSizes: [1_000], storeSizes: [1_000], storeRounds: 2, callsPerRound: 20,
    callsWhileWriting: 50)
}
