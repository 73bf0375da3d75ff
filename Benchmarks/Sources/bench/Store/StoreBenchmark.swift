// The benchmarks of StoreBench: the store beside raw C and GRDB records, latency, ids, and lists.

extension Benchmark {
  static let all: [Benchmark] = [.store, .latency, .ids, .lists]

  static let ids = Benchmark(name: "ids", summary: "ids that are bound to their queue") { effort in
    [try BoundIDBenchmark.report(effort)]
  }

  static let lists = Benchmark(name: "lists", summary: "open lists of a store") { effort in
    try ListBenchmark.report(effort)
  }

  static let store = Benchmark(name: "store", summary: "deltas, calls and pending operations of a store") { effort in
    try DeltaBenchmark.report(effort) + PerformBenchmark.report(effort) + PendingBenchmark.report(effort)
  }
}
