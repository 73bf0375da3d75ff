// A connection whose bytes a test decides, to send what no client would send.

import Foundation

/// Reading blocks the thread, so tests wait only for answers that are sure to come.
final class RawConnection {
  private let socket: Int32

  struct Failed: Error {}

  /// `window` is the size of the receive buffer. With a small one the system takes little that the test does not read.
  init(_ url: URL, window: Int32? = nil) throws {
    #if canImport(Glibc)
      socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    if var window { setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size)) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(url.port ?? 0).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw Failed() }
  }

  deinit { close(socket) }

  /// Ignores errors, because the other side may answer before it has taken all bytes.
  func send(_ text: String) {
    let bytes = Array(text.utf8)
    #if canImport(Darwin)
      _ = bytes.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, 0) }
    #else
      _ = bytes.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    #endif
  }

  /// Sends a call of GraphQL, as clients do.
  func post(_ body: [UInt8], _ token: String) {
    send(RawRequest.head("POST", "/graphql", token, length: body.count) + String(decoding: body, as: UTF8.self))
  }

  /// Says that nothing more will be sent.
  func endSending() { shutdown(socket, Int32(SHUT_WR)) }

  /// Reads everything until the other side closes.
  func rest() -> String {
    var text: [UInt8] = []
    while let more = read() { text += more }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads until a text has come, or the other side closes.
  func text(through end: String) -> String {
    var text = ""
    while !text.contains(end), let more = read() { text += String(decoding: more, as: UTF8.self) }
    return text
  }

  private func read() -> [UInt8]? {
    var part = [UInt8](repeating: 0, count: 4_096)
    let count = recv(socket, &part, part.count, 0)
    return count > 0 ? Array(part.prefix(count)) : nil
  }
}
