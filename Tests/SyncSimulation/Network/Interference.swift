// Answers that do not come from the server, and damage to answers on their way.

import ClientSync
import Foundation
import SyncProtocol
import TestSupport
import WireFormat

enum Interference {
  /// Draws an answer from something between device and server, or from a server that does not serve now; nil if the
  /// request goes through.
  static func draw(
    in world: World, _ exchange: Exchange
  ) -> (Fault, Result<TransportAnswer, any Error>)? {
    if exchange.device.isOffline { return (.noConnection, .failure(SimulatedNetwork.Broken())) }
    if exchange.device.hasExpiredToken { return (.expiredToken, refusal(.unauthenticated)) }
    if world.has(.tooLarge), exchange.body.mutations > 1, world.random.chance(15) {
      return (.tooLarge, .success(tooLarge))
    }
    if world.has(.poison), !world.isQuiet, exchange.operations.contains(where: { $0.rawValue.low % 20 == 7 }) {
      return (.poison, refusal(.internalServerError))
    }
    let faults: [(Fault, UInt64)] = [(.noConnection, 2), (.serverError, 3), (.tooMany, 2), (.captivePortal, 2)]
    guard let fault = faults.first(where: { world.has($0.0) && world.random.chance($0.1) })?.0 else { return nil }
    switch fault {
    case .serverError: return (fault, refusal(world.random.pick([.internalServerError, .unavailable])))
    case .tooMany: return (fault, refusal(.tooManyRequests, retryAfter: Int64(world.random.below(20))))
    case .captivePortal: return (fault, .success(page))
    default: return (fault, .failure(SimulatedNetwork.Broken()))
    }
  }

  /// Perhaps cuts an answer short, or replaces it by a gateway's error.
  static func spoil(_ answer: TransportAnswer, in world: World) -> TransportAnswer {
    var answer = answer
    if world.has(.cut), world.random.chance(3) {
      world.fault(.cut)
      answer.body = Array(answer.body.prefix(world.random.below(answer.body.count + 1)))
      return answer
    }
    if world.has(.serverError), world.random.chance(2) {
      world.fault(.serverError, "gateway")
      return TransportAnswer(
        status: 502, protocolVersion: nil, retryAfterSeconds: nil, body: Array("<h1>Bad Gateway</h1>".utf8))
    }
    return answer
  }

  static let tooLarge = answer(.tooLarge)

  private static func refusal(
    _ code: RequestError.Code, retryAfter: Int64? = nil
  ) -> Result<TransportAnswer, any Error> { .success(answer(code, retryAfter: retryAfter)) }

  private static func answer(_ code: RequestError.Code, retryAfter: Int64? = nil) -> TransportAnswer {
    let body = "{\"errors\":[{\"message\":\"no\",\"extensions\":{\"code\":\"\(code.rawValue)\"}}]}"
    return TransportAnswer(
      status: code.status, protocolVersion: "1", retryAfterSeconds: retryAfter, body: Array(body.utf8))
  }

  static let page = TransportAnswer(
    status: 200, protocolVersion: nil, retryAfterSeconds: nil, body: Array("<html>Welcome to the hotel</html>".utf8))
}

extension [UInt8] {
  /// How many mutations a commit has; 0 for any other request.
  var mutations: Int {
    guard var place = place(of: "\"firstSent\":", from: 0) else { return 0 }
    var count = 1
    while let next = self.place(of: "\"firstSent\":", from: place + 1) { (place, count) = (next, count + 1) }
    return count
  }

  func contains(_ word: StaticString) -> Bool { place(of: word, from: 0) != nil }

  /// Finds a word at or behind `start`. Searches bytes because it runs on every message, and Swift's strings are much
  /// slower.
  func place(of word: StaticString, from start: Int) -> Int? {
    withUnsafeBytes { bytes in
      let (count, last) = (word.utf8CodeUnitCount, bytes.count - word.utf8CodeUnitCount)
      var place = start
      while place <= last {
        if memcmp(bytes.baseAddress! + place, word.utf8Start, count) == 0 { return place }
        place += 1
      }
      return nil
    }
  }
}
