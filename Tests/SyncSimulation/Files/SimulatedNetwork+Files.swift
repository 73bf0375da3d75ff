// Requests about files on their way: lost, late, cut, spoilt or refused.

import ClientSync
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

extension SimulatedNetwork {
  func send(_ exchange: FileExchange, of device: Device, timeout: Int64 = 20_000) {
    device.fileRequests += 1
    device.filesUnderWay.removeAll { !$0.isOpen }
    device.filesUnderWay.append(exchange)
    let exchange = spoilt(exchange)
    world.trace("\(device.name) asks of a file: \(exchange.call) of \(exchange.place.words)")
    world.time.after(timeout) { exchange.end(nil) }
    if let (fault, answer) = Interference.draw(for: device) {
      world.fault(fault, fault == .expiredToken ? "a file without a token" : nil)
      return reply(answer.map { FileAnswer($0) }, to: exchange, of: device)
    }
    if let refusal = refusal(of: exchange) { return reply(FileAnswer(refusal), to: exchange, of: device) }
    if world.has(.loss), world.random.chance(4) { return world.fault(.loss, "request of a file lost") }
    world.time.after(latency() + lateness("request of a file delayed", Self.longestDelay)) { [self] in
      // The request may reach the server after its sender has gone.
      let isServed = world.server.serve(exchange, of: device.user) { self.answered(exchange, $0, device) }
      if !isServed { reply(nil, to: exchange, of: device) }
    }
  }

  /// Perhaps a proxy refuses the size of a request, or the server has no room for the file.
  private func refusal(of exchange: FileExchange) -> TransportAnswer? {
    if world.has(.tooLarge), world.random.chance(2) {
      world.fault(.tooLarge, "a proxy refuses a part")
      return TransportAnswer(status: 413, protocolVersion: nil, body: [])
    }
    guard case .part = exchange.call, world.has(.uploads), world.random.chance(2) else { return nil }
    world.fault(.uploads, "a quota is reached")
    return Interference.refusal(.quotaExceeded)
  }

  /// Perhaps changes the bytes of an upload, or lets it break off.
  private func spoilt(_ exchange: FileExchange) -> FileExchange {
    guard world.has(.uploads), case .part(var part) = exchange.call else { return exchange }
    let count = part.bytes.count
    if count > 0, world.random.chance(5) {
      world.fault(.uploads, "a part with wrong bytes")
      part.bytes[world.random.below(count)] ^= 0xFF
      part.isSpoilt = true
    }
    if world.random.chance(12) {
      world.fault(.uploads, "a part is cut")
      part.cutAfter = world.random.below(count + 1)
    }
    exchange.call = .part(part)
    return exchange
  }

  private func answered(_ exchange: FileExchange, _ reply: FileReply, _ device: Device) {
    count(exchange.call, reply)
    var reply = reply
    if world.has(.uploads), case .bytes(var bytes, let size) = reply, !bytes.isEmpty {
      if world.random.chance(12) {
        world.fault(.uploads, "a download with wrong bytes")
        bytes[world.random.below(bytes.count)] ^= 0xFF
      }
      if world.random.chance(8) {
        world.fault(.uploads, "a download is cut")
        bytes = Array(bytes.prefix(world.random.below(bytes.count)))
      }
      reply = .bytes(bytes, of: size)
    }
    if world.has(.loss), world.random.chance(5) { return world.fault(.loss, "answer of a file lost") }
    var answer = reply.answer
    answer?.answer.server = world.server.identity
    answer?.answer.history = world.server.name
    self.reply(answer, to: exchange, of: device)
  }

  private func count(_ call: FileExchange.Call, _ reply: FileReply) {
    switch (call, reply) {
    case (.part, .arrived(_, isComplete: true)): world.count("uploads done")
    case (.state, .arrived(let offset, isComplete: false)) where offset > 0: world.count("uploads resumed")
    case (.state, .arrived(_, isComplete: true)): world.count("uploads that were done before")
    case (.part, .elsewhere): world.count("uploads that go on elsewhere")
    case (.part, .refused(.hashMismatch)): world.count("uploads with wrong bytes")
    case (.part, .refused(.unavailable)): world.count("uploads taken over")
    case (.part, .refused(.forbidden)), (.state, .refused(.forbidden)): world.count("uploads refused")
    case (.range(let range), .bytes(let bytes, let size)):
      if range.lowerBound > 0 { world.count("downloads that go on") }
      if range.lowerBound + Int64(bytes.count) == size { world.count("downloads done") }
    case (.range, .refused(.forbidden)): world.count("downloads refused")
    case (.range, .refused(.notFound)): world.count("downloads of what is not there")
    case (.range, .unsatisfiable): world.count("downloads of nothing")
    default: break
    }
  }

  /// Without an answer the connection breaks.
  private func reply(_ answer: FileAnswer?, to exchange: FileExchange, of device: Device) {
    world.time.after(latency() + lateness("answer of a file delayed", 40_000)) { [self] in
      if exchange.isOpen {
        if answer?.isComplete == true { device.record.hasBrought.insert(exchange.place) }
        world.trace("an answer of a file to \(device.name): \(Self.words(answer))")
        if answer.map({ $0.answer.status >= 300 }) ?? true { device.troubles += 1 }
      }
      exchange.end(answer)
    }
  }

  private static func words(_ answer: FileAnswer?) -> String {
    guard let answer else { return "broken" }
    let numbers = [answer.offset.map { "at \($0)" }, answer.total.map { "of \($0)" }].compactMap { $0 }
    let words = answer.answer.status >= 400 ? String(decoding: answer.answer.body, as: UTF8.self) : ""
    return "\(answer.answer.status) \(numbers) \(answer.isComplete ? "complete " : "")\(words)"
  }
}
