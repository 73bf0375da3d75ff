// What this program measures; that of StoreBench has a table of its own.

extension Benchmark {
  static let all: [Benchmark] = [.codec, .memory, .schema, .snapshots]
}
