// The command: it runs the benchmarks that are named, quickly or thoroughly.

import Foundation

@main
enum Bench {
  static let usage = """
    usage: \(ProcessInfo.processInfo.processName) [--quick] [NAME ...]     (all of them unless named)
      --quick  few rounds over little data: shows that everything runs, its figures mean nothing
    \(Benchmark.all.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))
    """

  static func main() throws {
    var names = CommandLine.arguments.dropFirst()
    if names.contains("--help") { return print(usage) }
    let effort: Effort = names.contains("--quick") ? .quick : .full
    names.removeAll { $0 == "--quick" }
    for name in names where !Benchmark.all.contains(where: { $0.name == name }) {
      FileHandle.standardError.write(Data("error: there is no benchmark '\(name)'\n\(usage)\n".utf8))
      exit(2)
    }
    for benchmark in Benchmark.all where names.isEmpty || names.contains(benchmark.name) {
      print("## \(benchmark.name)\n")
      for report in try benchmark.run(effort) { print(report.markdown) }
    }
  }
}
