// A proxy that passes so many bytes a second in each direction, over all connections together.

import Foundation

/// Each connection has two threads. `@unchecked Sendable`: `lock` guards what changes.
final class SlowProxy: @unchecked Sendable {
  let url: URL
  private let server: URL
  private let listener: Int32
  private let lock = NSLock()
  private var up: Bucket
  private var down: Bucket

  /// The bytes of a direction, and when the next of them may go.
  private struct Bucket {
    let bytesPerSecond: Double
    var freeAt = ContinuousClock.now
    var bytes = 0

    /// Counts bytes, and returns when they have passed.
    mutating func take(_ count: Int) -> ContinuousClock.Instant {
      bytes += count
      freeAt = max(freeAt, .now) + .seconds(Double(count) / bytesPerSecond)
      return freeAt
    }
  }

  struct Failed: Error {}

  /// `host` is the address that it listens on.
  init(to server: URL, at host: String = "127.0.0.1", up: Int, down: Int) throws {
    self.server = server
    (self.up, self.down) = (Bucket(bytesPerSecond: Double(up)), Bucket(bytesPerSecond: Double(down)))
    listener = Self.socket()
    var address = Self.address(host, port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (listener, size) = (listener, length)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound, listen(listener, 100) == 0 else { throw Failed() }
    url = URL(string: "http://\(host):\(UInt16(bigEndian: address.sin_port))")!
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0, let self, let server = self.connected() else { break }
        Thread.detachNewThread { self.pass(from: client, to: server) { $0.up.take($1) } }
        Thread.detachNewThread { self.pass(from: server, to: client) { $0.down.take($1) } }
      }
      close(listener)
    }
  }

  /// Ends the thread that accepts connections.
  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// The bytes that have gone up and come down.
  var counts: (up: Int, down: Int) { lock.withLock { (up.bytes, down.bytes) } }

  private func pass(from source: Int32, to target: Int32, _ take: (SlowProxy, Int) -> ContinuousClock.Instant) {
    var part = [UInt8](repeating: 0, count: 2_048)
    while true {
      let count = recv(source, &part, part.count, 0)
      guard count > 0 else { break }
      let rest = ContinuousClock.now.duration(to: lock.withLock { take(self, count) })
      if rest > .zero { Thread.sleep(forTimeInterval: rest / .seconds(1)) }
      guard Foundation.send(target, part, count, Int32(MSG_NOSIGNAL)) == count else { break }
    }
    shutdown(source, Int32(SHUT_RDWR))
    shutdown(target, Int32(SHUT_RDWR))
  }

  private func connected() -> Int32? {
    let socket = Self.socket()
    let address = Self.address("127.0.0.1", port: server.port ?? 0)
    let isConnected = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    return isConnected ? socket : nil
  }

  /// With small buffers, so that little is on its way without being seen.
  private static func socket() -> Int32 {
    let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var size: Int32 = 8_192
    setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    return socket
  }

  private static func address(_ host: String, port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    return address
  }
}
