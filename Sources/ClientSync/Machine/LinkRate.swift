// Measures how fast the network is in one direction, and says how many bytes a request should carry. Pure.

/// The speed of the network in one direction. A request should take about two seconds: then little is lost where it
/// breaks off, and others do not wait long for it. The first requests are small, because nothing is known yet; each one
/// that is faster lets the next be larger, like the slow start of TCP.
struct LinkRate: Hashable, Sendable {
  /// Nil before the first measurement.
  private(set) var bytesPerSecond: Int64?

  /// Whether the last request took long for what it carried, so that a person notices.
  private(set) var isSlow = false

  /// How long a request should take, in milliseconds.
  static let aim: Int64 = 2_000
  /// The bytes of the first request, and the most that a failure leaves to the next one.
  static let first: Int64 = 32 << 10
  /// The fewest bytes that a request is asked to carry. A single object may still be larger.
  static let least: Int64 = 4 << 10
  /// The speed that is assumed before the first measurement when a request is given its time.
  private static let assumed: Int64 = 4_000

  /// Takes in a request that carried `bytes`. One that was quicker than aimed at shows only that the network is at
  /// least so fast: much of its time may be the way there and back.
  mutating func measure(_ bytes: Int, took milliseconds: Int64) {
    // A clock that was set back, or a device that slept, measures nothing.
    guard bytes > 0, (0...600_000).contains(milliseconds) else { return }
    isSlow = milliseconds >= Self.aim / 2
    let rate = max(Int64(bytes) * 1_000 / max(milliseconds, 1), 1)
    bytesPerSecond = milliseconds > Self.aim ? rate : max(bytesPerSecond ?? 0, rate)
  }

  /// Takes in that `bytes` have come through in this time, which something else may have taken.
  mutating func raise(_ bytes: Int, within milliseconds: Int64) {
    guard let before = bytesPerSecond, (0...600_000).contains(milliseconds) else { return }
    bytesPerSecond = max(before, Int64(bytes) * 1_000 / max(milliseconds, 1))
  }

  /// The speed, if a person notices that it is low.
  var slowBytesPerSecond: Int64? { isSlow ? bytesPerSecond : nil }

  /// Takes in a request that did not get through in its time: the next one carries at most half.
  mutating func fail() {
    let before = bytesPerSecond ?? Self.first * 1_000 / Self.aim
    bytesPerSecond = max(min(before, Self.first * 1_000 / Self.aim) / 2, 1)
  }

  /// How many bytes the next request should carry, at most `most`.
  func bytes(atMost most: Int) -> Int {
    guard let bytesPerSecond else { return min(Int(Self.first), most) }
    // No rate that overflows is of use here.
    return Int(min(max(min(bytesPerSecond, 1 << 40) * Self.aim / 1_000, Self.least), Int64(most)))
  }

  /// Milliseconds that `bytes` may be under way without a sign of it, because the system holds them in its buffers.
  func patience(for bytes: Int) -> Int64 {
    Int64(bytes) * 2_000 / max(bytesPerSecond ?? Self.assumed, Self.assumed / 4)
  }
}
