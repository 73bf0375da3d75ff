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
    world.time.after(timeout) { exchange.end(.failure(Broken())) }
    if let answer = interference(device) { return reply(answer, to: exchange, of: device) }
    if case .part = exchange.call, world.has(.uploads), world.random.chance(2) {
      return reply(refusal(.quotaExceeded, .uploads, "a quota is reached"), to: exchange, of: device)
    }
    if world.has(.loss), world.random.chance(4) { return world.fault(.loss, "request of a file lost") }
    var delay = latency()
    if world.has(.delay), world.random.chance(4) {
      world.fault(.delay, "request of a file delayed")
      delay += Int64(world.random.below(Int(Self.longestDelay)))
    }
    world.time.after(delay) { [self] in
      // The request may reach the server after its sender has gone.
      let isServed = world.server.serve(exchange, of: device.user) { self.answered(exchange, $0, device) }
      if !isServed { reply(.failure(Broken()), to: exchange, of: device) }
    }
  }

  /// An answer that does not come from the server; nil if the request goes through.
  private func interference(_ device: Device) -> Result<FileAnswer, any Error>? {
    if device.isOffline { return .failure(Broken()) }
    if device.hasExpiredToken { return refusal(.unauthenticated, .expiredToken, "a file without a token") }
    let faults: [(Fault, UInt64)] = [
      (.noConnection, 2), (.serverError, 3), (.tooMany, 2), (.captivePortal, 2), (.tooLarge, 2),
    ]
    guard let fault = faults.first(where: { world.has($0.0) && world.random.chance($0.1) })?.0 else { return nil }
    switch fault {
    case .serverError: return refusal(world.random.pick([.internalServerError, .unavailable]), fault)
    case .tooMany: return refusal(.tooManyRequests, fault, after: Int64(world.random.below(20)))
    case .captivePortal:
      world.fault(fault)
      return .success(FileAnswer(Interference.page))
    case .tooLarge:
      world.fault(fault, "a proxy refuses a part")
      return .success(FileAnswer(TransportAnswer(status: 413, protocolVersion: nil, body: [])))
    default:
      world.fault(fault)
      return .failure(Broken())
    }
  }

  private func refusal(
    _ code: RequestError.Code, _ fault: Fault, _ words: String? = nil, after seconds: Int64? = nil
  ) -> Result<FileAnswer, any Error> {
    world.fault(fault, words)
    return .success(FileAnswer(FileReply.refusal(code, retryAfter: seconds)))
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
    self.reply(answer.map { .success($0) } ?? .failure(Broken()), to: exchange, of: device)
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

  private func reply(_ answer: Result<FileAnswer, any Error>, to exchange: FileExchange, of device: Device) {
    var delay = latency()
    if world.has(.delay), world.random.chance(4) {
      world.fault(.delay, "answer of a file delayed")
      delay += Int64(world.random.below(40_000))
    }
    world.time.after(delay) { [self] in
      if exchange.isOpen {
        if (try? answer.get().isComplete) == true { device.record.hasBrought.insert(exchange.place) }
        world.trace("an answer of a file to \(device.name): \(Self.words(answer))")
        if (try? answer.get()).map({ $0.answer.status >= 300 }) ?? true { device.troubles += 1 }
      }
      exchange.end(answer)
    }
  }

  private static func words(_ answer: Result<FileAnswer, any Error>) -> String {
    guard case .success(let answer) = answer else { return "broken" }
    let numbers = [answer.offset.map { "at \($0)" }, answer.total.map { "of \($0)" }].compactMap { $0 }
    let words = answer.answer.status >= 400 ? String(decoding: answer.answer.body, as: UTF8.self) : ""
    return "\(answer.answer.status) \(numbers) \(answer.isComplete ? "complete " : "")\(words)"
  }
}
