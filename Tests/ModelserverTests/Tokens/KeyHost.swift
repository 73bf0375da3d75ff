// A host that publishes keys, for the real server to fetch.

import Foundation
import Synchronization

/// Answers on a thread of its own, because tests that start a server block the shared ones.
final class KeyHost: Sendable {
  let url: String
  private let listener: Int32
  private let state = Mutex((answer: Data(), isWhole: true, requests: 0))

  struct Failed: Error {}

  init() throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
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
    guard isBound, listen(listener, 10) == 0 else { throw Failed() }
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/keys"
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0, let self else { break }
        self.answer(client)
        // Else the connection stays, and the rest does not come.
        if self.state.withLock({ $0.isWhole }) { close(client) }
      }
      close(listener)
    }
  }

  /// Ends the thread.
  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  private func answer(_ client: Int32) {
    var head = Data()
    var part = [UInt8](repeating: 0, count: 2_048)
    while head.range(of: Data("\r\n\r\n".utf8)) == nil {
      let count = recv(client, &part, part.count, 0)
      guard count > 0 else { return }
      head += part[..<count]
    }
    let answer = state.withLock { state in
      state.requests += 1
      return [UInt8](state.answer)
    }
    _ = Foundation.send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
  }

  /// `status` is a code with its words, `fields` are lines. `more` bytes are promised that never come.
  func publish(_ body: [UInt8], status: String = "200 OK", _ fields: [String] = [], promising more: Int = 0) {
    let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.count + more)", "Connection: close"] + fields
    state.withLock {
      $0.answer = Data((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + Data(body)
      $0.isWhole = more == 0
    }
  }

  var requests: Int { state.withLock { $0.requests } }
}
