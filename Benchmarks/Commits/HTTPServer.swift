// The real server behind HTTP. Each client is a thread with one open connection, and does as little as it can.

import Foundation
import SyncProtocol
import WireFormat

/// `@unchecked Sendable`: each thread has its own connection.
final class HTTPServer: CommitSubject, @unchecked Sendable {
  let name = "modelserver, HTTP on loopback"
  let aim: Double? = 0.5
  private let process = Process()
  private let port: UInt16
  private let tokens: [String]
  private var connections: [HTTPConnection] = []
  private let grants = Grants()

  init(_ folder: URL, program: String) throws {
    let secret = folder.appending(path: "secret").path
    let url = URL(filePath: program)
    _ = try Self.output(url, ["new-secret", secret])
    tokens = try (0..<CommitBench.clients).map { client in
      try Self.output(url, ["token", "--secret-file", secret, "--user", "\(Samples.user(client))"])
    }
    process.executableURL = url
    process.arguments = [
      "serve", "--create", "--database", folder.appending(path: "http.sqlite").path, "--secret-file", secret, "--port",
      "0",
      "--requests-per-second", "1000000",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    var line = ""
    while !line.hasSuffix("\n") { line += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self) }
    guard let port = UInt16(line.dropLast().split(separator: ":").last ?? "") else {
      throw Samples.Refused("modelserver does not say where it listens")
    }
    self.port = port
  }

  private static func output(_ program: URL, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.trimmingCharacters(in: .newlines)
  }

  func prepare() async throws {
    connections = try tokens.map { try HTTPConnection(port: port, token: $0) }
    try await commit(CommitBench.clients)
  }

  func commit(_ count: Int) async throws {
    let results = Results()
    let threads = connections.enumerated().map { [grants] client, connection in
      Thread {
        do {
          for _ in 0..<(count / CommitBench.clients) {
            let body = SyncCall.commit.body(try Samples.request(client, under: grants[client]))
            grants[client] = try Samples.check(try SyncCall.commit.answer(try connection.post(body)))
          }
          results.add(nil)
        } catch { results.add(error) }
      }
    }
    for thread in threads { thread.start() }
    try results.wait(for: threads.count)
  }

  func end() {
    process.terminate()
    process.waitUntilExit()
  }
}

/// `@unchecked Sendable`: `condition` guards `errors`.
private final class Results: @unchecked Sendable {
  private let condition = NSCondition()
  private var errors: [(any Error)?] = []

  func add(_ error: (any Error)?) {
    condition.withLock {
      errors.append(error)
      condition.signal()
    }
  }

  func wait(for count: Int) throws {
    try condition.withLock {
      while errors.count < count { condition.wait() }
      if let error = errors.compactMap({ $0 }).first { throw error }
    }
  }
}

/// `@unchecked Sendable`: one thread at a time uses it.
private final class HTTPConnection: @unchecked Sendable {
  private let socket: Int32
  private let head: String

  init(port: UInt16, token: String) throws {
    #if canImport(Glibc)
      socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    head =
      "POST /graphql HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\nSync-Protocol-Version: 1\r\n"
      + "Content-Type: application/json\r\nAccept: application/graphql-response+json\r\nContent-Length: "
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw Samples.Refused("no connection to modelserver") }
  }

  deinit { close(socket) }

  /// Sends a request and returns the body of the answer.
  func post(_ body: [UInt8]) throws -> [UInt8] {
    let request = Array((head + "\(body.count)\r\n\r\n").utf8) + body
    guard request.withUnsafeBytes({ send(socket, $0.baseAddress, $0.count, 0) }) == request.count else {
      throw Samples.Refused("modelserver takes no request")
    }
    var answer: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 8_192)
    while true {
      let count = recv(socket, &part, part.count, 0)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Samples.Refused("modelserver has closed a connection") }
      answer += part.prefix(count)
      if let body = Self.body(of: answer) { return body }
    }
  }

  /// Nil until the answer is complete.
  private static func body(of answer: [UInt8]) -> [UInt8]? {
    let text = String(decoding: answer, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n"),
      let length = text.range(of: "Content-Length: "), length.upperBound < end.lowerBound,
      let count = Int(text[length.upperBound...].prefix { $0.isNumber })
    else { return nil }
    let body = Array(text[end.upperBound...].utf8)
    return body.count >= count ? body : nil
  }
}
