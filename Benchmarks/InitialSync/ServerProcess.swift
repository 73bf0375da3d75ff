// The real server as a process, on the sample's database.

import Foundation

/// `@unchecked Sendable`: no property changes after `init`.
final class ServerProcess: @unchecked Sendable {
  let url: URL
  let token: String
  private let process = Process()

  init(_ program: String, _ queue: SampleQueue, _ folder: URL) throws {
    let secret = folder.appending(path: "secret").path
    _ = try Self.output(program, ["new-secret", secret])
    token = try Self.output(program, ["token", "--secret-file", secret, "--user", "\(SampleQueue.user)"])
    process.executableURL = URL(filePath: program)
    process.arguments = ["serve", "--database", queue.database, "--secret-file", secret, "--port", "0"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    var line = ""
    while !line.hasSuffix("\n") { line += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self) }
    guard let start = line.range(of: "http://"), let url = URL(string: String(line[start.lowerBound...].dropLast()))
    else { throw SampleQueue.Refused() }
    self.url = url
  }

  /// Processor time of the server, from /proc; 0 if it cannot be read.
  func processorSeconds() -> Double {
    let line = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)) ?? ""
    // Splits after the program's name, which may contain any characters. Fields 14 and 15 are ticks.
    let fields = line.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  private static func output(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.trimmingCharacters(in: .newlines)
  }
}
