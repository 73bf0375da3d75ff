// Measures the first load of a queue by a new device: over loopback HTTP through the real server, through its parts,
// and the same rows inserted by a loop in C.

import Foundation

@main
enum InitialSyncBench {
  static func main() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let isQuick = arguments.first == "--quick"
    let areQueues = arguments.first == "--queues"
    if isQuick || areQueues { arguments.removeFirst() }
    guard let server = arguments.first, arguments.count == 1 else {
      FileHandle.standardError.write(Data("usage: InitialSyncBench [--quick | --queues] PATH-OF-MODELSERVER\n".utf8))
      exit(2)
    }
    print("## initial-sync\n")
    if !areQueues { try await oneQueue(isQuick: isQuick, server) }
    try await manyQueues(isQuick: isQuick, server)
  }

  private static func oneQueue(isQuick: Bool, _ server: String) async throws {
    print(
      "A new device loads a queue of objects with 200 bytes of content each. Objects a second by the wall clock, the")
    print("median of the rounds; beside it the same rows inserted by a loop in C, in one transaction.\n")
    print("| objects | rounds | raw C | over HTTP | × raw C | serving alone | reading bodies alone | storing alone |")
    print("|---|---|---|---|---|---|---|---|")
    for count in isQuick ? [200] : [10_000, 100_000, 1_000_000] {
      let rounds = isQuick ? 1 : count == 1_000_000 ? 1 : 5
      let queue = try await SampleQueue(count: count)
      defer { queue.remove() }
      var rates: [Measurement.Part: [Double]] = [:]
      for round in 0..<rounds {
        for (part, seconds) in try await Measurement(queue, server: server, round: round).seconds() {
          rates[part, default: []].append(Double(count) / seconds)
        }
      }
      report(count, rounds, rates.mapValues { $0.sorted()[$0.count / 2] })
    }
    print()
  }

  /// Loads the same objects from one queue and from many, then measures following those queues.
  private static func manyQueues(isQuick: Bool, _ server: String) async throws {
    print("| objects | queues | seconds | × one queue |")
    print("|---|---|---|---|")
    let (count, rounds) = isQuick ? (200, 1) : (100_000, 3)
    var one = 0.0
    for queues in isQuick ? [1, 4] : [1, 1_000, 10_000] {
      let sample = try await SampleQueue(count: count, queues: queues)
      defer { sample.remove() }
      var times: [Double] = []
      for round in 0..<rounds { times.append(try await Measurement(sample, server: server, round: round).overHTTP()) }
      let seconds = times.sorted()[times.count / 2]
      if queues == 1 { one = seconds }
      print("| \(count) | \(queues) | \(String(format: "%.2f", seconds)) | \(String(format: "%.1f", seconds / one)) |")
    }
    print("\n| queues | | time | requests | bytes sent | bytes received |")
    print("|---|---|---|---|---|---|")
    for queues in isQuick ? [1, 30] : [1, 1_000, 10_000] {
      let sample = try await SampleQueue(count: count, queues: queues)
      defer { sample.remove() }
      try await FollowedQueues(sample, server: server).run(isQuick: isQuick)
    }
  }

  private static func report(_ count: Int, _ rounds: Int, _ rates: [Measurement.Part: Double]) {
    let rate = { (part: Measurement.Part) in
      Int(rates[part] ?? 0).formatted(.number.locale(Locale(identifier: "en_US")))
    }
    let ratio = String(format: "%.2f", (rates[.http] ?? 0) / (rates[.raw] ?? 1))
    print(
      """
      | \(count) | \(rounds) | \(rate(.raw)) | \(rate(.http)) | \(ratio) | \(rate(.serving)) | \(rate(.reading)) | \
      \(rate(.storing)) |
      """)
  }
}
