// Uploads a file through kills of the client and of the server: all of it arrives, and little of it is sent twice.
//
// `Scripts/kill-files` does the same with two gigabytes.

import Foundation
import ModelSupport
import TestSupport
import Testing

@Suite struct FileKillTests {
  @Test func uploadSurvivesKillsOfClientAndServer() throws {
    let setting = ProcessInfo.processInfo.environment["MODELGEN_FILE_BYTES"].flatMap { Int($0) }
    let size = setting ?? 48 << 20
    let world = try FileWorld(size: size)
    try world.add()
    let idle = try world.idleMemory()
    // Three kills of the client, two of the server, each after another sixth.
    for (index, victim) in [FileWorld.Victim.client, .server, .client, .server, .client].enumerated() {
      try world.bring(until: size / 6 * (index + 1))
      try world.kill(victim)
    }
    try world.bring(until: size)
    let read = try world.readElsewhere()
    #expect(read == "\(world.hash) \(size)")
    // `sent` lacks the bytes that the system's buffers held at each kill of the server.
    #expect(world.sent > size - 2 * (8 << 20), "it has gone over the line")
    // At each kill a part is sent again, and the bytes that the system's buffers held.
    let parts = 5 * (8 << 20)
    #expect(world.sent <= max(size + size / 10, size + parts), "\(world.sent) of \(size) bytes")
    let (client, server) = (
      world.peak[.client, default: 0] - idle.client, world.peak[.server, default: 0] - idle.server
    )
    print(
      """
      \(size) bytes through 3 kills of the client and 2 of the server: sent \(world.sent) \
      (\(String(format: "%.3f", Double(world.sent) / Double(size))) × its size); memory above idle: \
      client \(client / 1_024) MB, server \(server / 1_024) MB
      """)
    if setting != nil { #expect(client < 64 << 10 && server < 64 << 10) }
  }
}

/// A server, and a client that uploads one file.
private final class FileWorld {
  enum Victim { case client, server }

  private let folder: TemporaryFolder
  private let server: Program
  private let client: Program
  private let size: Int
  let hash: ContentHash
  private var runningServer: TalkingProgram?
  private var bringing: TalkingProgram?
  private var port = "0"
  private var url = ""
  private var operatorURL = ""
  /// Bytes of files that the server has received, in all its lives together.
  private(set) var sent = 0
  /// The peak memory of each, in kilobytes.
  private(set) var peak: [Victim: Int] = [:]

  init(size: Int) throws {
    folder = try TemporaryFolder()
    server = try Program.built("modelserver")
    client = try Program.built("FileVictim")
    self.size = size
    hash = try Self.write(size, to: folder.url("film.mov"))
    _ = try server.run(["new-secret", "secret"], in: folder.url)
    let token = try server.run(["token", "--secret-file", "secret", "--user", "anna"], in: folder.url)
    try folder.write("token", token.output)
    try startServer()
  }

  /// Writes random bytes, which cannot be compressed, and returns their hash.
  private static func write(_ size: Int, to url: URL) throws -> ContentHash {
    _ = FileManager.default.createFile(atPath: url.path, contents: nil)
    let file = try FileHandle(forWritingTo: url)
    var random = SeededRandom(seed: UInt64(size))
    var hasher = ContentHasher()
    var left = size
    while left > 0 {
      let words = (0..<min(left, 1 << 20) / 8 + 1).map { _ in random.next() }
      let bytes = Array(words.withUnsafeBytes { [UInt8]($0) }.prefix(min(left, 1 << 20)))
      hasher.update(bytes)
      try file.write(contentsOf: Data(bytes))
      left -= bytes.count
    }
    try file.close()
    return hasher.hash
  }

  private func startServer() throws {
    let program = try server.talk(
      [
        "serve", "--create", "--database", "team.sqlite", "--secret-file", "secret", "--port", port, "--metrics-port",
        "0", "--file-megabytes", "4096",
      ], in: folder.url)
    var places: [String: String] = [:]
    while places.count < 2, let line = program.line() {
      let words = line.components(separatedBy: " http://")
      if words.count == 2 { places[words[0]] = "http://" + words[1] }
    }
    guard let url = places["modelserver listens on"], let operatorURL = places["metrics are on"] else {
      throw Silence(text: try program.errors())
    }
    (self.url, self.operatorURL, runningServer) = (url, operatorURL, program)
    port = url.components(separatedBy: ":").last ?? "0"
  }

  struct Silence: Error {
    var text: String
  }
}

extension FileWorld {
  private func talk(_ task: String..., store: String = "store") throws -> TalkingProgram {
    try client.talk([store, url, "token", "anna"] + task, in: folder.url)
  }

  private func lines(_ program: TalkingProgram) throws -> [String] {
    var lines: [String] = []
    while let line = program.line() { lines.append(line) }
    guard lines.last == "end" else { throw Silence(text: try program.errors()) }
    _ = program.wait()
    return lines
  }

  private func number(_ word: String, of lines: [String]) -> Int {
    lines.last { $0.hasPrefix(word + " ") }.flatMap { Int($0.dropFirst(word.count + 1)) } ?? 0
  }

  func add() throws {
    _ = try lines(talk("add", "film.mov"))
    try folder.remove("film.mov")
  }

  /// The peak memory, in kilobytes, of a client and a server that have no file to transfer.
  func idleMemory() throws -> (client: Int, server: Int) {
    (number("memory", of: try lines(talk("idle", store: "idle-store"))), runningServer?.peakMemory ?? 0)
  }

  /// Lets the client upload until `count` bytes are sent, or until it ends if `count` is the whole file.
  func bring(until count: Int) throws {
    let program = try bringing ?? talk("bring")
    bringing = program
    while let line = program.line() {
      if line == "end" {
        noteEnd()
        bringing = nil
        return
      }
      if count < size, number("sent", of: [line]) >= count { return }
    }
    throw Silence(text: try program.errors())
  }

  func kill(_ victim: Victim) throws {
    switch victim {
    case .client:
      peak[.client] = max(peak[.client, default: 0], bringing?.peakMemory ?? 0)
      bringing?.signal(SIGKILL)
      _ = bringing?.wait()
      bringing = nil
    case .server:
      // Stops the client, so that it sends nothing between the look at the counter and the kill.
      bringing?.signal(SIGSTOP)
      defer { bringing?.signal(SIGCONT) }
      noteEnd()
      runningServer?.signal(SIGKILL)
      _ = runningServer?.wait()
      try startServer()
    }
  }

  /// Adds the bytes that this life of the server has counted to `sent`, and notes the peaks of memory.
  private func noteEnd() {
    let metrics = (try? String(contentsOf: URL(string: operatorURL + "/metrics")!, encoding: .utf8)) ?? ""
    let line = metrics.split(separator: "\n").first { $0.hasPrefix("modelserver_file_bytes_received_total ") }
    sent += line.flatMap { $0.split(separator: " ").last }.flatMap { Double($0) }.map { Int($0) } ?? 0
    peak[.server] = max(peak[.server, default: 0], runningServer?.peakMemory ?? 0)
    peak[.client] = max(peak[.client, default: 0], bringing?.peakMemory ?? 0)
  }

  /// Reads the file as another device of the user. Returns its hash and its size.
  func readElsewhere() throws -> String {
    let lines = try lines(talk("read", store: "other-store"))
    peak[.client] = max(peak[.client, default: 0], number("memory", of: lines))
    peak[.server] = max(peak[.server, default: 0], runningServer?.peakMemory ?? 0)
    return lines.last { $0.hasPrefix("read ") }.map { String($0.dropFirst(5)) } ?? ""
  }
}
