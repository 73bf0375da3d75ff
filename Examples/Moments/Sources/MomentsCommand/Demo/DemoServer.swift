// The demo's own modelserver, on a free port. It makes a token for any user.
import Foundation
import Moments

struct DemoServer {
  let url: URL
  private let program: URL
  private let folder: URL
  private let process = Process()

  init(_ program: URL, access: URL, in folder: URL) throws {
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      throw CommandError("There is no program \(program.path); build it with `swift build --product modelserver`.")
    }
    (self.program, self.folder) = (program, folder)
    _ = try Self.output(of: program, ["new-secret", "secret"], in: folder)
    let output = Pipe()
    process.executableURL = program
    process.currentDirectoryURL = folder
    process.arguments = [
      "serve", "--create", "--database", "server.sqlite", "--secret-file", "secret", "--access", access.path, "--port",
      "0",
    ]
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let address = line.split(whereSeparator: \.isWhitespace).first(where: { $0.hasPrefix("http://") }),
      let url = URL(string: String(address))
    else {
      kill(process.processIdentifier, SIGKILL)
      throw CommandError(
        line.isEmpty
          ? "\(program.path) does not start as a modelserver; what it said about that stands above."
          : "\(program.path) does not start as a modelserver; it says: \(line)")
    }
    self.url = url
  }

  /// Makes a token for `user`, and returns the server with it.
  func access(of user: String) throws -> Server {
    let file = folder.appending(path: "\(user).token")
    try Self.output(of: program, ["token", "--secret-file", "secret", "--user", user], in: folder).write(to: file)
    return Server(url: url, tokenFile: file)
  }

  /// Kills the server, whose data is thrown away. A process inherits the blocked signals of the thread that starts it,
  /// and threads of Swift on Linux block SIGTERM, so only SIGKILL ends it for certain.
  func stop() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private static func output(of program: URL, _ arguments: [String], in folder: URL) throws -> Data {
    let (process, output) = (Process(), Pipe())
    (process.executableURL, process.arguments, process.currentDirectoryURL) = (program, arguments, folder)
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CommandError("modelserver \(arguments.joined(separator: " ")) fails.")
    }
    return data
  }
}
