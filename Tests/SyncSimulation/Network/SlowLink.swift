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

extension [UInt8] {
  /// The answers that are whole in the answer to a delta that broke off, as an answer of its own; empty if none is.
  var wholeAnswers: [UInt8] {
    for index in indices.reversed() where self[index] == UInt8(ascii: "}") {
      let body = Array(self[...index]) + Array("]}}".utf8)
      if PlainJSON(reading: body) != nil { return body }
    }
    return []
  }
}
