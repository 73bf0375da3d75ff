// The benchmarks of the program `bench`. StoreBench has a table of its own.

extension Benchmark {
  static let all: [Benchmark] = [.codec, .memory, .schema, .snapshots]
}
