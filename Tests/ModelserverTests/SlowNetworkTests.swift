// Two devices and the real server over a slow network: all arrives, and hardly a byte goes twice.
//
// `SLOW_NETWORK=1` in the environment plays it in full and prints a table; it takes some minutes.
// `Scripts/slow-network` plays it where the kernel makes the way to 127.0.0.2 and back slow, and sets `KERNEL_RATE` to
// the bytes a second.

import Foundation
import ModelSupport
import MomentsModels
import SyncProtocol
import TestSupport
import Testing

@Suite struct SlowNetworkTests {
  /// The rates in bytes a second, and how many members there are, each with a name of 1,000 random letters.
  struct Play: Sendable {
    var up: Int
    var down: Int
    var members: Int
  }

  static let isFull = ProcessInfo.processInfo.environment["SLOW_NETWORK"] != nil
  static let kernelRate = ProcessInfo.processInfo.environment["KERNEL_RATE"].flatMap { Int($0) }
  static var plays: [Play] {
    if let kernelRate { return [Play(up: kernelRate, down: kernelRate, members: kernelRate / 50)] }
    return isFull
      ? [20_000, 50_000, 100_000].map { Play(up: $0, down: 15_000, members: $0 / 50) }
      : [Play(up: 50_000, down: 40_000, members: 60)]
  }

  @Test(arguments: plays.indices) func allArrivesAndHardlyAByteGoesTwice(index: Int) async throws {
    let play = Self.plays[index]
    let server = try LiveServer()
    // What it takes where the network is fast is what has to go.
    let fast = try await Exchange(server, "anna").play(play)
    let slow =
      if Self.kernelRate == nil {
        try await Exchange(server, "ben", up: play.up, down: play.down).play(play)
      } else {
        try await Exchange(server, "ben", at: "127.0.0.2").play(play)
      }
    #expect(Double(slow.up.bytes) <= 1.3 * Double(fast.up.bytes), "up: \(slow.up.bytes) for \(fast.up.bytes) bytes")
    #expect(
      Double(slow.down.bytes) <= 1.3 * Double(fast.down.bytes), "down: \(slow.down.bytes) for \(fast.down.bytes) bytes")
    #expect(server.stop() == 0)
    let up = slow.up.seconds / (Double(fast.up.bytes) / Double(play.up))
    let down = slow.down.seconds / (Double(fast.down.bytes) / Double(play.down))
    print(
      "\(play.up / 1_000) kB/s up: \(slow.up.bytes) bytes for \(fast.up.bytes), \(up.rounded(2)) × their time;",
      "\(play.down / 1_000) kB/s down: \(slow.down.bytes) for \(fast.down.bytes), \(down.rounded(2)) ×")
  }

  /// A commit that takes longer than `--body-time` is served, because its bytes keep coming; and a single large object
  /// goes through.
  @Test func slowBodyIsNoTimeout() async throws {
    let server = try LiveServer(["--body-time", "1s"])
    let proxy = try SlowProxy(to: server.url, up: 60_000, down: 1_000_000)
    let device = try Device("anna", proxy.url)
    var random = SeededRandom(seed: 1)
    device.store.create(Moment(title: random.letters(100_000), startsAt: nil, cover: nil))
    try await device.client.syncOnce()
    #expect(device.store.pendingOperations.isEmpty)
    #expect((75_000..<150_000).contains(proxy.counts.up), "75 kB of random bits went once")
  }
}

extension SeededRandom {
  /// A text that cannot be compressed but to six bits a letter.
  fileprivate mutating func letters(_ count: Int) -> String {
    let all = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/")
    return String((0..<count).map { _ in pick(all) })
  }
}

extension Double {
  fileprivate func rounded(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}

/// One device sends, and another one of the same user fetches, each over a proxy of its own.
private struct Exchange {
  private let name: String
  private let up: SlowProxy
  private let down: SlowProxy

  private static let unbounded = 1_000_000_000

  init(
    _ server: LiveServer, _ name: String, at host: String = "127.0.0.1", up: Int = unbounded, down: Int = unbounded
  ) throws {
    self.name = name
    self.up = try SlowProxy(to: server.url, at: host, up: up, down: Self.unbounded)
    self.down = try SlowProxy(to: server.url, at: host, up: Self.unbounded, down: down)
  }

  func play(
    _ play: SlowNetworkTests.Play
  ) async throws -> (up: (bytes: Int, seconds: Double), down: (bytes: Int, seconds: Double)) {
    let sender = try Device(name, up.url)
    let moment = Moment(title: "Summit", startsAt: nil, cover: nil)
    sender.store.create(moment)
    var random = SeededRandom(seed: 40)
    for number in 0..<play.members {
      let user = UserID(subject: "\(number)", issuer: nil)
      let name = random.letters(1_000)
      sender.store.create(Member(moment: moment.id, user: user, name: name))
    }
    try await sender.store.waitUntilSaved()
    let start = ContinuousClock.now
    try await sender.client.syncOnce()
    let sent = start.duration(to: .now) / .seconds(1)
    #expect(sender.store.pendingOperations.isEmpty)
    let reader = try Device(name, down.url)
    let begin = ContinuousClock.now
    try await reader.client.syncOnce()
    let fetched = begin.duration(to: .now) / .seconds(1)
    #expect(try reader.store.objects(Member.self).count == play.members)
    return ((up.counts.up, sent), (down.counts.down, fetched))
  }
}
