// Limits connections whose clients have shown no valid token, so that they cannot take the places of users.

import NIOCore

/// Counts connections that have shown no valid token for a while, of each address and of all. Pure.
struct Strangers: Sendable {
  /// Milliseconds until a client without a token counts. A request with a token arrives by then, even over a slow
  /// network.
  let patience: Int64
  private let perAddress: Int
  private let total: Int
  private var byAddress: [String: Int] = [:]
  private(set) var count = 0

  init(patience: Int64, perAddress: Int, total: Int) {
    (self.patience, self.perAddress, self.total) = (patience, perAddress, total)
  }

  /// For a port that asks for no token.
  static let unbounded = Self(patience: 0, perAddress: .max, total: .max)

  /// Counts one more stranger if there is room; returns whether there was.
  mutating func admit(_ address: String) -> Bool {
    guard count < total, byAddress[address, default: 0] < perAddress else { return false }
    byAddress[address, default: 0] += 1
    count += 1
    return true
  }

  /// To be called when a stranger that was admitted has gone, or has shown a valid token.
  mutating func leave(_ address: String) {
    guard let left = byAddress[address] else { return }
    byAddress[address] = left > 1 ? left - 1 : nil
    count -= 1
  }

  /// How an IPv4 address begins as an IPv6 address (RFC 4291, section 2.5.5.2).
  private static let mappedIPv4: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

  /// The name under which a connection is counted. Of an IPv6 address it is the first half, because one user commonly
  /// has 2^64 addresses. An IPv4 address counts as itself, also as a server that listens on `::` sees it (`::ffff:1.2.3.4`).
  static func name(of address: SocketAddress?) -> String {
    guard let address else { return "" }
    guard case .v6 = address else { return address.ipAddress ?? "" }
    // Family, port and flow come before the 16 bytes of the address.
    return address.withSockAddr { start, size in
      let bytes = UnsafeRawBufferPointer(start: start, count: size).dropFirst(8).prefix(16)
      let isIPv4 = bytes.prefix(12).elementsEqual(Self.mappedIPv4)
      if isIPv4 { return bytes.suffix(4).map(String.init).joined(separator: ".") }
      return bytes.prefix(8).map { "\($0)." }.joined()
    }
  }
}
