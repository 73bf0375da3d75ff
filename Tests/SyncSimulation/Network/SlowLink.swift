// A network that is slow: it has a rate in each direction, which changes, and bytes are lost mid-way.

import ClientSync
import SyncProtocol
import TestSupport
import WireFormat

/// The rates of a device's network. They follow from the seed and the time alone, so that no other draw of a world
/// changes.
struct SlowLink {
  unowned let world: World
  let device: Device

  enum Direction: String {
    case up, down
  }

  /// Nil where the network is as fast as in other worlds.
  init?(_ device: Device, in world: World) {
    guard world.has(.slow), !world.isQuiet else { return nil }
    (self.world, self.device) = (world, device)
  }

  /// How long a body of so many bytes takes, in milliseconds. A request has some 2 kB, so the slowest rate makes each
  /// take several seconds.
  func milliseconds(_ bytes: Int, _ direction: Direction) -> Int64 {
    Int64(bytes) * 1_000 / rate(direction)
  }

  /// Bytes a second; another one every 30 seconds.
  private func rate(_ direction: Direction) -> Int64 {
    var random = SeededRandom(seed: world.seed(of: "rate \(device.name) \(direction) \(world.time.now / 30_000)"))
    return random.pick([400, 1_500, 6_000, 100_000])
  }

  /// Perhaps breaks the connection off while an answer comes. Tells the device so, as HTTP does.
  func breakOff(_ answer: TransportAnswer, number: Int) -> TransportAnswer {
    var random = SeededRandom(seed: world.seed(of: "break \(device.name) \(number)"))
    guard random.chance(8), answer.body.count > 1 else { return answer }
    world.fault(.slow, "an answer broke off")
    var answer = answer
    answer.body = Array(answer.body.prefix(1 + random.below(answer.body.count - 1)))
    answer.isWhole = false
    return answer
  }
}

/// The part of a delta's answer that a device can use although the connection broke off.
struct UsablePart {
  /// A whole body that says the same; nil if nothing can be used.
  private(set) var body: [UInt8] = []
  /// How many queues are answered.
  private(set) var count = 0
  /// Whether the last of them is answered to its end.
  private(set) var isLastWhole = false

  /// Tries each bracket from the end on: whether the text before it, closed, is JSON with an object of a page at its end,
  /// or with the answer of a queue.
  init(_ cut: [UInt8], to exchange: Exchange) {
    let asked = exchange.deltas
    guard !asked.isEmpty else { return }
    for index in cut.indices.reversed() where cut[index] == UInt8(ascii: "}") {
      for (end, isInPage) in [("]}}]}}", true), ("]}}", false)] {
        let body = Array(cut[...index]) + Array(end.utf8)
        guard let json = PlainJSON(reading: body) else { continue }
        let answers = json["data"]["delta"].elements
        guard let last = answers.last, answers.count <= asked.count else { continue }
        let place = asked[answers.count - 1]
        let isUsable = !isInPage || Self.isUsable(last["page"], isScan: place.cursor == nil || place.scan != nil)
        (self.body, count) = (body, isUsable ? answers.count : answers.count - 1)
        isLastWhole = !isInPage || !isUsable
        return
      }
    }
  }

  /// Whether a page can go on behind its last object. One that has come to the head goes on behind the last but one.
  private static func isUsable(_ page: PlainJSON, isScan: Bool) -> Bool {
    let objects = page["objects"].elements
    guard !isScan, let last = objects.last, last["revision"].integer == page["head"].integer else {
      return !objects.isEmpty
    }
    return objects.count > 1
  }
}
