// Measures commits per second, of one mutation each: through the real server, through its parts, and by a loop in C.

import Foundation

@main
enum CommitBench {
  /// As `--clients` says.
  static let clients = option("--clients") ?? 32

  private static func option(_ name: String) -> Int? {
    let arguments = CommandLine.arguments
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
    return Int(arguments[index + 1])
  }

  static func main() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "--traffic", arguments.count == 3, let seconds = Double(arguments[1]), seconds >= 1 {
      return try await Traffic(arguments[2], seconds: seconds).run()
    }
    let isQuick = arguments.first == "--quick"
    if isQuick { arguments.removeFirst() }
    if let index = arguments.firstIndex(of: "--clients") {
      arguments.removeSubrange(index..<min(index + 2, arguments.count))
    }
    guard let server = arguments.first, arguments.count <= 2, (1...1_024).contains(clients) else {
      let usage =
        "usage: CommitBench [--quick] [--clients COUNT] PATH-OF-MODELSERVER [ADDRESS-OF-POSTGRESQL]\n"
        + "       CommitBench --traffic SECONDS ADDRESS-OF-POSTGRESQL\n"
      FileHandle.standardError.write(Data(usage.utf8))
      exit(2)
    }
    let (rounds, count) = isQuick ? (1, 64) : (15, 1_024)
    let folder = FileManager.default.temporaryDirectory.appending(path: "commits-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    var subjects: [any CommitSubject] = [
      try await RawLoop(folder), try ServiceAlone(folder, "the service, one transaction at a time", isTogether: false),
      try ServiceAlone(folder, "the service, transactions together", isTogether: true),
      try GraphQLAlone(folder), try HTTPServer(folder, program: server),
    ]
    if arguments.count == 2 {
      subjects += try [false, true].map { try ServiceOnPostgres(arguments[1], isHot: $0) }
    }
    for subject in subjects { try await subject.prepare() }
    // The subjects take turns, and each round begins with another one, so that other load of the machine and its disk
    // hits all of them alike. The first round warms up; it counts only with `--quick`.
    var rates = [[Double]](repeating: [], count: subjects.count)
    for round in 0...rounds {
      for turn in subjects.indices {
        let index = (turn + round) % subjects.count
        let subject = subjects[index]
        let start = ContinuousClock.now
        try await subject.commit(count)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        if round > 0 || isQuick { rates[index].append(Double(count) / seconds) }
      }
    }
    report(subjects, rates, count)
    for subject in subjects { try await subject.end() }
  }

  private static func report(_ subjects: [any CommitSubject], _ rates: [[Double]], _ count: Int) {
    print("## commits\n")
    print("Commits of one mutation that makes one object of 60 bytes, \(count) a round, medians of \(rates[0].count)")
    print("rounds in turns; \(clients) clients at once, each with a queue of its own, but for the loop in C.\n")
    print("| what | commits a second | × raw C | transactions a sync | aim | |\n|---|---|---|---|---|---|")
    let raw = median(rates[0])
    for (subject, rate) in zip(subjects, rates) {
      let ratio = median(rate) / raw
      let syncs = subject.perSync.map { String(format: "%.1f", $0) } ?? ""
      let verdict = subject.aim.map { ratio >= $0 ? "met" : "missed by \(Int((1 - ratio / $0) * 100)) %" } ?? ""
      let aim = subject.aim.map { "≥ \($0)" } ?? ""
      print(
        "| \(subject.name) | \(Int(median(rate))) | \(String(format: "%.2f", ratio)) | \(syncs) | \(aim) | \(verdict) |"
      )
    }
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
