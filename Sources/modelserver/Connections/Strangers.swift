// Connections whose clients have shown no good token: bounded, so that nobody takes the places of users by being there.

import NIOCore

/// How many connections may stay that have shown no good token for a while, of one address and of all. Pure.
struct Strangers: Sendable {
  /// How long a client may take until it counts, in milliseconds: a request with a token is there by then, also over a slow
  /// network.
  let patience: Int64
  private let perAddress: Int
  private let total: Int
  private var byAddress: [String: Int] = [:]
  private(set) var count = 0

  init(patience: Int64, perAddress: Int, total: Int) {
    (self.patience, self.perAddress, self.total) = (patience, perAddress, total)
  }

  /// Where nobody shows a token.
  static let unbounded = Self(patience: 0, perAddress: .max, total: .max)

  /// Returns whether there is room for one more; then it is counted.
  mutating func admit(_ address: String) -> Bool {
    guard count < total, byAddress[address, default: 0] < perAddress else { return false }
    byAddress[address, default: 0] += 1
    count += 1
    return true
  }

  /// One that was admitted has gone, or has shown a good token.
  mutating func leave(_ address: String) {
    guard let left = byAddress[address] else { return }
    byAddress[address] = left > 1 ? left - 1 : nil
    count -= 1
  }

  /// The name under which a connection is counted. A user of IPv6 commonly has 2^64 addresses.
  static func name(of address: SocketAddress?) -> String {
    guard let address else { return "" }
    guard case .v6 = address else { return address.ipAddress ?? "" }
    // Family, port and flow stand before the 16 bytes of the address.
    return address.withSockAddr { start, size in
      UnsafeRawBufferPointer(start: start, count: size).dropFirst(8).prefix(8).map { "\($0)." }.joined()
    }
  }
}
