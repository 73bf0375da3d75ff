// Compares docs/guides/server.md with the program: flags, defaults, metrics. Also runs the benchmarks on little data.

import Foundation
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@Suite struct GuideTests {
  private let guide: String
  private let modelserver: Program
  private let folder: TemporaryFolder

  init() throws {
    guide = try String(contentsOf: Repository.url("docs/guides/server.md"), encoding: .utf8)
    modelserver = try Program.built("modelserver")
    folder = try TemporaryFolder()
  }

  private func help(_ command: String...) throws -> String {
    try modelserver.run(command + ["--help"], in: folder.url, environment: ["COLUMNS": "1000"]).output
  }

  @Test func everyFlagOfTheGuideExists() throws {
    let commands = [
      "serve", "new-secret", "token", "backup", "restore", "change-history", "usage", "queues", "members", "versions",
      "export", "forget", "check",
    ]
    let text = try help() + commands.map { try help($0) }.joined()
    // Leaves out the lines of other programs, which have flags of their own.
    let others = ["swift build", "useradd", "systemctl", "podman", "  --env"]
    let lines = guide.split(separator: "\n").filter { line in !others.contains { line.hasPrefix($0) } }
    let flags = Set(lines.joined(separator: "\n").matches(of: /--[a-z][a-z-]+/).map { String($0.output) })
    #expect(flags.count > 15)
    for flag in flags where !["--show-bin-path", "--product"].contains(flag) {
      #expect(text.contains(flag), "\(flag)")
    }
  }

  @Test func everyLimitHasTheDefaultOfTheGuide() throws {
    let text = try help("serve")
    let section = text.components(separatedBy: "LIMITS:").last?.components(separatedBy: "OPTIONS:").first ?? ""
    let limits = section.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let defaults = limits.matches(of: /(--[a-z-]+) <[^>]+> [^<]*?\(default: ([0-9]+[a-z]?)\)/)
    #expect(defaults.count == 25, "\(limits)")
    for found in defaults {
      let (flag, value) = (String(found.output.1), String(found.output.2))
      if flag == "--upkeep-every" { continue }
      #expect(defaultInGuide(of: flag) == value, "\(flag)")
    }
  }

  /// The first word of the default in the guide's table. A row of two flags has two defaults, in the same order.
  private func defaultInGuide(of flag: String) -> String? {
    for row in guide.split(separator: "\n") where row.hasPrefix("|") {
      let cells = row.split(separator: "|").map { $0.split(separator: ",") }
      guard let index = cells.first?.firstIndex(where: { $0.contains("`\(flag)`") }) else { continue }
      guard cells.count > 1, index < cells[1].count else { return nil }
      return cells[1][index].split(separator: " ").first.map(String.init)
    }
    return nil
  }

  @Test func acceptsTokenMadeByTheGuidesPython() async throws {
    let start = try #require(guide.range(of: "```python\n"))
    let end = try #require(guide.range(of: "```\n", range: start.upperBound..<guide.endIndex))
    try folder.write("token.py", String(guide[start.upperBound..<end.lowerBound]))
    try folder.write("secret.txt", Token.secret + "\n")
    guard let python = try Program.find("python3", first: ["/usr/bin"]) else { return }
    let outcome = try python.run(["token.py"], in: folder.url)
    #expect(outcome.status == 0, "\(outcome.text)")
    let token = outcome.output.trimmingCharacters(in: .newlines)
    let request = ChangedRequest(sums: nil, waitSeconds: 0)
    let server = try LiveServer()
    let reply = try await server.call(.changed, request, of: .user("anna"), token: token)
    #expect(reply.summary == "200", "\(reply.text)")
  }

  @Test func everyMetricOfTheGuideExists() async throws {
    let server = try LiveServer()
    let text = try await server.send("GET", "/metrics", toOperatorPort: true).text
    let names = Set(guide.matches(of: /modelserver_[a-z_]+/).map { String($0.output) })
    #expect(names.count >= 7)
    for name in names { #expect(text.contains("# TYPE \(name) "), "\(name)") }
  }

  /// Runs a benchmark on little data, so that it cannot rot. Checks its options, the number of rows, and the last row.
  @Test(arguments: [
    ("polls", ["--queues", "2"], 7, "SIGTERM"), ("fairness", ["--quick", "--seconds", "0.2"], 17, "/health"),
    ("InitialSyncBench", ["--quick"], 21, "| 30 | an idle hour"), ("CommitBench", ["--quick"], 7, "HTTP"),
  ])
  func benchmarkRuns(name: String, options: [String], rowCount: Int, last: String) throws {
    let outcome: Program.Outcome
    if name.hasSuffix("Bench") {
      outcome = try Program.built(name).run(options + [modelserver.url.path], in: folder.url)
    } else {
      guard let python = try Program.find("python3") else { return }
      let script = Repository.url("Benchmarks/Scripts/\(name)").path
      outcome = try python.run([script, "--program", modelserver.url.path] + options, in: folder.url)
    }
    #expect(outcome.status == 0, "\(outcome.text)")
    let rows = outcome.output.split(separator: "\n").filter { $0.hasPrefix("|") }
    #expect(rows.count == rowCount && rows.last?.contains(last) == true, "\(outcome.output)")
  }
}
