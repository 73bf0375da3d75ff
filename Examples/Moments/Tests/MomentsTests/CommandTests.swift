// Tests of the command as a process: what it refuses, and how it ends.
import Foundation
import Testing

@testable import Moments
@testable import MomentsPage

@Suite struct CommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Starts the program `moments`, which the build puts beside the tests.
  private func command(_ arguments: [String]) throws -> (process: Process, output: FileHandle) {
    var place = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    while place.path != "/", !FileManager.default.isExecutableFile(atPath: place.appending(path: "moments").path) {
      place.deleteLastPathComponent()
    }
    let (process, output) = (Process(), Pipe())
    process.executableURL = place.appending(path: "moments")
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    return (process, output.fileHandleForReading)
  }

  private func run(_ arguments: String...) throws -> (status: Int32, text: String) {
    let (process, output) = try command(arguments)
    let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test(arguments: [
    ("samples x --days 9223372036854775807", "--days is 9223372036854775807; it has to be 1 to 36500."),
    ("samples x --count 100001", "--count is 100001; it has to be 1 to 100000."),
    ("samples x --width 8193", "--width is 8193; it has to be 16 to 8192."),
    ("samples ", "The name of the folder is empty; name one."),
    ("import ", "The name of the folder is empty; name one."),
    ("serve --store ", "--store is empty; name a folder."), ("serve --user ", "--user is empty; say your name."),
    ("serve --server http://127.0.0.1:1", "--server and --token-file need each other; give both or neither."),
    ("serve --server nowhere --token-file token", "nowhere is no address of a server; it has to be like"),
  ])
  func refusalShowsMessageAndUsage(arguments: String, message: String) async throws {
    let (process, output) = try command(
      arguments.split(separator: " ", omittingEmptySubsequences: false).map(String.init))
    let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 64)
    #expect(text.contains("Error: \(message)") && text.contains("Usage: moments"), "\(text)")
  }

  @Test func importReportsFailedPictures() throws {
    try folder.write(jpeg(shade: 7), "pictures/good.jpg")
    #expect(try run("import", "pictures").status == 0)
    try folder.write([0xFF, 0xD8, 0xFF], "pictures/cut.jpg")
    let (status, text) = try run("import", "pictures")
    #expect(status == 1)
    #expect(text.contains("not imported: ") && text.contains("0 added, 1 known, 1 failed"), "\(text)")
    #expect(text.contains("1 of 2 pictures were not imported; the lines above say why."), "\(text)")
  }

  @Test func importNamesWhatItLeavesOut() throws {
    for number in 1...22 { try folder.write([0x49, 0x49], "pictures/\(number).nef") }
    try folder.write([0x61], "pictures/notes.txt")
    try folder.write(jpeg(shade: 7), "pictures/good.jpg")
    let (status, text) = try run("import", "pictures")
    #expect(status == 0 && text.contains("1 added with a guessed date"), "\(text)")
    #expect(text.contains("left out, raw pictures: 22\n") && text.contains("pictures/1.nef\n"), "\(text)")
    #expect(text.contains("  and 2 more\n"), "\(text)")
    #expect(text.contains("left out, files of unknown kinds: 1\n") && text.contains("pictures/notes.txt\n"), "\(text)")
  }

  @Test func importReportsUnreadableToken() throws {
    try folder.write(jpeg(shade: 7), "pictures/good.jpg")
    let (status, text) = try run("import", "pictures", "--server", "http://127.0.0.1:1", "--token-file", "token")
    #expect(status == 0)
    #expect(text.contains("not synced: ") && text.contains("/token with the token cannot be read."), "\(text)")
  }

  @Test func samplesOverwriteNothing() throws {
    #expect(try run("samples", "pictures", "--count", "1", "--width", "16").status == 0)
    let (status, text) = try run("samples", "pictures", "--count", "1", "--width", "16")
    #expect(status == 1 && text.contains("Error: ") && !text.contains("Domain="), "\(text)")
  }

  @Test func reportsPortInUse() async throws {
    let page = try await PageServer(folder.device())
    let running = Task { try await page.run() }
    defer { running.cancel() }
    let port = try #require(URL(string: try await page.address)?.port)
    let (status, text) = try run("serve", "--port", "\(port)")
    #expect(status == 1 && text.contains("Error: Port \(port) is in use;"), "\(text)")
  }

  /// A script in place of modelserver that starts, and does nothing.
  private let server = """
    #!/bin/sh
    if [ "$1" = serve ]; then
      echo $$ > "$(dirname "$0")/pid"
      echo http://127.0.0.1:1
      exec sleep 1000000
    fi
    """

  @Test(arguments: [SIGINT, SIGTERM]) func aDemoThatIsInterruptedEndsItsServer(signal: Int32) throws {
    try folder.write(Array(server.utf8), "modelserver")
    let program = folder.url.appending(path: "modelserver").path
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
    let (process, output) = try command(["demo", "--modelserver", program, "--access", "access.json"])
    #expect(String(decoding: output.availableData, as: UTF8.self).contains("The server listens on http://127.0.0.1:1."))
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    let pid = try String(contentsOf: folder.url.appending(path: "pid"), encoding: .utf8)
    #expect(kill(try #require(Int32(pid.trimmingCharacters(in: .whitespacesAndNewlines))), 0) != 0)
  }
}
