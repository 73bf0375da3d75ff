// The network between devices and server: encoded bytes that are lost, repeated, late, out of order, cut and replaced.

import ClientSync
import JSON
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

/// Carries every message of a world. The seed decides the fate of each.
final class SimulatedNetwork: @unchecked Sendable {
  unowned let world: World
  private var openCount = 0

  init(world: World) { self.world = world }

  /// The longest delay of a request, in milliseconds.
  static let longestDelay: Int64 = 90_000

  /// No connection, or one that broke.
  struct Broken: Error {}

  /// Sends a request of a device. `finish` is called at most once, with what comes back. Returns what to call when the
  /// device does not wait any more.
  func send(
    _ body: [UInt8], of device: Device, timeout: Int64, finish: @escaping (Result<TransportAnswer, any Error>) -> Void
  ) -> () -> Void {
    openCount += 1
    let exchange = Exchange(number: openCount, device: device, body: body, finish: finish)
    world.trace(message: body, "request \(openCount) of \(device.name): \(call(body))")
    device.requests += 1
    device.underWay.removeAll { $0.exchange?.isOver ?? true }
    device.underWay.append(Device.UnderWay(exchange: exchange))
    device.joining?.note(exchange)
    device.noteAhead(exchange)
    if device.once?.isRequestUncalledFor == true { world.oracles.report("\(device.name) syncs, and nobody has asked") }
    let up = SlowLink(device, in: world)?.milliseconds(body.count, .up) ?? 0
    exchange.silence = timeout
    exchange.waitUntil(world.time.now + up + timeout)
    go(exchange, up)
    return { [self] in
      exchange.close()
      // The server may notice that nobody waits any more, or may not.
      if !world.isQuiet, world.random.chance(50) { exchange.handler?.cancel() }
    }
  }

  /// `transfer`: how long the network takes for the bytes of the request, in milliseconds.
  private func go(_ exchange: Exchange, _ transfer: Int64) {
    if let (fault, answer) = Interference.draw(for: exchange) {
      world.fault(fault)
      return reply(answer, to: exchange, after: latency())
    }
    if world.has(.loss), world.random.chance(4) { return world.fault(.loss, "request lost") }
    arrive(exchange, after: transfer)
    if world.has(.duplicates), world.random.chance(5) {
      world.fault(.duplicates)
      let copy = Exchange(number: exchange.number, device: exchange.device, body: exchange.body) { _ in }
      copy.close()
      arrive(copy, after: transfer, late: world.random.chance(50))
    }
  }

  /// Delivers a request. A late one may come after newer ones, and after its sender has given up.
  private func arrive(_ exchange: Exchange, after transfer: Int64, late: Bool = false) {
    let delay = latency() + transfer + lateness("request delayed", Self.longestDelay, isSure: late)
    world.time.after(delay) { [self] in
      guard world.server.answer(exchange.body, of: exchange.device.user, exchange, { self.answered(exchange, $0, $1) })
      else { return reply(nil, to: exchange, after: latency()) }
    }
  }

  private func answered(_ exchange: Exchange, _ status: Int, _ body: [UInt8]) {
    let answer = TransportAnswer(
      status: status, protocolVersion: "1", server: world.server.identity, history: world.server.name,
      oldestWriter: world.oldestWriter(for: exchange.device), retryAfterSeconds: status == 503 ? 1 : nil, body: body)
    if world.has(.loss), world.random.chance(5) { return world.fault(.loss, "answer lost") }
    let spoilt = Interference.spoil(answer, in: world)
    guard let link = SlowLink(exchange.device, in: world), spoilt.body == answer.body else {
      return reply(spoilt, to: exchange, after: latency())
    }
    let transfer = link.milliseconds(body.count, .down)
    // Bytes begin to come, and each is a sign that the network works.
    exchange.waitUntil(world.time.now + transfer + exchange.silence)
    let cut = link.breakOff(answer, number: exchange.number)
    reply(cut, to: exchange, after: latency() + transfer)
  }

  /// Without an answer the connection breaks.
  private func reply(_ answer: TransportAnswer?, to exchange: Exchange, after delay: Int64) {
    world.time.after(delay + lateness("answer delayed", 40_000)) { [self] in
      if !exchange.isOver {
        let body = answer?.body ?? []
        world.trace(message: body, "answer \(exchange.number) to \(exchange.device.name): \(text(answer))")
        let readable = answer?.isWhole == false ? body.wholeAnswers : body
        for (queue, reason) in readable.refusals { exchange.device.hear(refusal: reason, of: queue) }
      }
      exchange.end(answer)
    }
  }

  /// Perhaps makes a message late. Returns by how many milliseconds.
  func lateness(_ what: String, _ longest: Int64, isSure: Bool = false) -> Int64 {
    guard isSure || world.has(.delay) && world.random.chance(4) else { return 0 }
    world.fault(.delay, what)
    return Int64(world.random.below(Int(longest)))
  }

  func latency() -> Int64 {
    Int64(world.random.chance(10) ? world.random.below(800) : world.random.below(40)) + 1
  }
}

extension [UInt8] {
  /// The queues that the answer to a delta refuses to serve, each with the reason.
  fileprivate var refusals: [(QueueID, PlainJSON)] {
    guard contains("\"refusal\":{"), let json = PlainJSON(reading: self) else { return [] }
    return json["data"]["delta"].elements.compactMap { answer in
      answer["refusal"].isNull ? nil : answer["queue"].id.map { (QueueID($0), answer["refusal"]["reason"]) }
    }
  }
}

extension TransportAnswer {
  /// Whether it reports a failure.
  fileprivate var isTrouble: Bool { status != 200 || body.contains("\"errors\":") }
}

/// A request, and the callback that waits for its answer.
final class Exchange: @unchecked Sendable {
  let number: Int
  let device: Device
  let body: [UInt8]
  /// Whether nobody waits for the answer any more.
  var isOver = false
  /// The time at which that began, in milliseconds of the world.
  private(set) var closedAt: Int64?
  var timer: (() -> Void)?
  /// How long nothing may come or go, in milliseconds.
  var silence: Int64 = 0
  /// The task of the server that answers it.
  var handler: Task<Void, Never>?
  private var finish: ((Result<TransportAnswer, any Error>) -> Void)?

  init(number: Int, device: Device, body: [UInt8], finish: @escaping (Result<TransportAnswer, any Error>) -> Void) {
    (self.number, self.device, self.body, self.finish) = (number, device, body, finish)
  }

  /// The queues of a delta, with what it asks of each; empty for any other request.
  var deltas: [DeltaRequest.Queue] { variables(of: "Delta").flatMap { try? DeltaRequest($0) }?.queues ?? [] }

  /// Empty for a request that commits nothing.
  var commits: [CommitRequest] {
    guard let variables = variables(of: "Commit") else { return [] }
    if let request = try? CommitsRequest(variables) { return request.commits }
    return (try? CommitRequest(variables)).map { [$0] } ?? []
  }

  /// Nil unless the operation's name begins like this.
  private func variables(of operation: String) -> MessageReader? {
    guard let request = try? GraphQLRequest(body: body), request.operationName?.hasPrefix(operation) == true else {
      return nil
    }
    return try? MessageReader(.object(request.variables))
  }

  /// Gives up at a time of the world, unless an answer comes before. A later call moves that time.
  func waitUntil(_ time: Int64) {
    guard !isOver else { return }
    let world = device.world
    timer?()
    let number = world.time.after(time - world.time.now) { [self] in end(nil) }
    timer = { [unowned world] in world.time.callOff(number) }
  }

  /// Calls back with the answer; without one the connection has broken.
  func end(_ answer: TransportAnswer?) {
    guard !isOver else { return }
    let finish = finish
    if answer?.isTrouble ?? true { device.troubles += 1 }
    close()
    finish?(answer.map { .success($0) } ?? .failure(SimulatedNetwork.Broken()))
  }

  /// Ends the wait without calling back.
  func close() {
    if !isOver { closedAt = device.world.time.now }
    isOver = true
    timer?()
    (timer, finish) = (nil, nil)
  }
}

// For the trace.
extension SimulatedNetwork {
  /// The operation and variables of a request, without the document.
  private func call(_ body: [UInt8]) -> String {
    let text = String(decoding: body, as: UTF8.self)
    return text.split(separator: "\"operationName\":").last.map { String($0.prefix(600)) } ?? "?"
  }

  private func text(_ answer: TransportAnswer?) -> String {
    answer.map { "\($0.status) \(String(decoding: $0.body.prefix(400), as: UTF8.self))" } ?? "broken"
  }
}
