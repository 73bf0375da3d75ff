// Answers that do not come from the server, and damage to answers on their way.

import ClientSync
import Foundation
import SyncProtocol
import TestSupport
import WireFormat

enum Interference {
  /// Draws an answer from something between a device and the server, or from a server that does not serve now; nil if
  /// the request goes through. Without an answer there is no connection.
  static func draw(for device: Device) -> (fault: Fault, answer: TransportAnswer?)? {
    let world = device.world
    if device.isOffline { return (.noConnection, nil) }
    if device.hasExpiredToken { return (.expiredToken, refusal(.unauthenticated)) }
    let faults: [(Fault, UInt64)] = [(.noConnection, 2), (.serverError, 3), (.tooMany, 2), (.captivePortal, 2)]
    guard let fault = faults.first(where: { world.has($0.0) && world.random.chance($0.1) })?.0 else { return nil }
    switch fault {
    case .serverError: return (fault, refusal(world.random.pick([.internalServerError, .unavailable])))
    case .tooMany: return (fault, refusal(.tooManyRequests, retryAfter: Int64(world.random.below(20))))
    case .captivePortal: return (fault, page)
    default: return (fault, nil)
    }
  }

  /// The same for a request of sync: it may be too large, or have an operation at which the server always fails.
  static func draw(for exchange: Exchange) -> (fault: Fault, answer: TransportAnswer?)? {
    if let drawn = draw(for: exchange.device) { return drawn }
    let world = exchange.device.world
    guard world.has(.tooLarge) || world.has(.poison) else { return nil }
    let operations = exchange.commits.flatMap(\.mutations).map(\.operation)
    if world.has(.tooLarge), operations.count > 1, world.random.chance(15) { return (.tooLarge, refusal(.tooLarge)) }
    let isPoisoned = world.has(.poison) && operations.contains { $0.rawValue.low % 20 == 7 }
    return isPoisoned ? (.poison, refusal(.internalServerError)) : nil
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

  static func refusal(_ code: RequestError.Code, retryAfter: Int64? = nil) -> TransportAnswer {
    let body = "{\"errors\":[{\"message\":\"no\",\"extensions\":{\"code\":\"\(code.rawValue)\"}}]}"
    return TransportAnswer(
      status: code.status, protocolVersion: "1", retryAfterSeconds: retryAfter, body: Array(body.utf8))
  }

  private static let page = TransportAnswer(
    status: 200, protocolVersion: nil, retryAfterSeconds: nil, body: Array("<html>Welcome to the hotel</html>".utf8))
}

extension [UInt8] {
  /// Searches bytes because it runs on every message, and Swift's strings are much slower.
  func contains(_ word: StaticString) -> Bool {
    withUnsafeBytes { bytes in
      let (count, last) = (word.utf8CodeUnitCount, bytes.count - word.utf8CodeUnitCount)
      return last >= 0 && (0...last).contains { memcmp(bytes.baseAddress! + $0, word.utf8Start, count) == 0 }
    }
  }
}
