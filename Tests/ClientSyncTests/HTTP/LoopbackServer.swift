// A server whose bytes and pauses a test decides.

import Foundation

/// Serves each connection in a thread of its own. `@unchecked Sendable`: `lock` guards what changes.
final class LoopbackServer: @unchecked Sendable {
  /// The answer to a request, in parts.
  struct Answer: Sendable {
    /// Microseconds before each part.
    var pauses: [UInt32] = [0]
    /// Sent one after the other. An empty part closes the connection.
    var parts: [[UInt8]]

    init(_ parts: String..., pauses: [UInt32] = []) {
      (self.parts, self.pauses) = (parts.map { Array($0.utf8) }, pauses)
    }

    /// A complete answer, as the protocol's server sends it.
    static func whole(_ status: String, _ body: String = "{}", fields: String = "") -> Self {
      Self("HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// Sends nothing. The connection stays open until the client closes it.
    static let none = Self()
  }

  private static let end = "the end of the request"
  /// The body of a test's request. The server reads until it has come.
  static var request: [UInt8] { Array(end.utf8) }

  let url: URL
  private let answer: @Sendable (Int) -> Answer
  private let listener: Int32
  private let lock = NSCondition()
  private var requests = 0
  private var connections = 0

  /// `answer` gets the number of the request, beginning with 1.
  init(_ answer: @escaping @Sendable (Int) -> Answer) throws {
    self.answer = answer
    #if canImport(Glibc)
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (listener, size) = (listener, length)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound, listen(listener, 100) == 0 else { throw POSIXError(.EADDRINUSE) }
    url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))")!
    Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0, let self else { break }
        count(connections: 1)
        Thread.detachNewThread { self.serve(connection) }
      }
      close(listener)
    }
  }

  /// Ends the thread that accepts connections.
  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  private func serve(_ connection: Int32) {
    defer {
      close(connection)
      count(connections: -1)
    }
    while hasRead(connection) {
      let answer = answer(next())
      for (number, part) in answer.parts.enumerated() {
        if number < answer.pauses.count { usleep(answer.pauses[number]) }
        if part.isEmpty || !hasSent(part, connection) { return }
      }
    }
  }

  private func hasRead(_ connection: Int32) -> Bool {
    var text = ""
    var part = [UInt8](repeating: 0, count: 4_096)
    while !text.hasSuffix(Self.end) {
      let count = recv(connection, &part, part.count, 0)
      guard count > 0 else { return false }
      text += String(decoding: part.prefix(count), as: UTF8.self)
      // Requests of a sync client have another body, which ends with a brace.
      if text.contains("\"operationName\""), text.hasSuffix("}") { break }
    }
    return true
  }

  private func hasSent(_ part: [UInt8], _ connection: Int32) -> Bool {
    var bytes = part[...]
    while !bytes.isEmpty {
      #if canImport(Darwin)
        let count = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
      #else
        let count = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      #endif
      guard count > 0 else { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }

  private func next() -> Int {
    lock.withLock {
      requests += 1
      lock.broadcast()
      return requests
    }
  }

  private func count(connections change: Int) {
    lock.withLock {
      connections += change
      lock.broadcast()
    }
  }

  /// Waits until `count` requests have come; false after five minutes.
  func hasHad(_ count: Int) async -> Bool { await waits { $0.requests >= count } }

  /// Waits until at most `count` connections are open; false after five minutes.
  func hasOpen(atMost count: Int) async -> Bool { await waits { $0.connections <= count } }

  /// Waits in a thread of its own, because the threads that run tests are few.
  private func waits(_ condition: @escaping @Sendable (LoopbackServer) -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let limit = Date.now.addingTimeInterval(300)
        let isTrue = self.lock.withLock {
          while !condition(self) {
            guard self.lock.wait(until: limit) else { return condition(self) }
          }
          return true
        }
        continuation.resume(returning: isTrue)
      }
    }
  }
}
