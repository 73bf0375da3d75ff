// The real server on the sample's database.

import Foundation

/// `@unchecked Sendable`: nothing of it changes.
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
