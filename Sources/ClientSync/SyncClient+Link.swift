// Sends bodies, and measures how fast the connection is.

import Determinism
import SyncProtocol
import WireFormat

/// The speed of the network in both directions.
struct Link: Hashable, Sendable {
  var up = LinkRate()
  var down = LinkRate()

  /// Takes in an exchange. Its time measures the direction in which more has gone; the other one is at least so fast that
  /// it carried in this time what it did.
  mutating func measure(sent: Int, received: Int, took milliseconds: Int64) {
    if sent > received {
      up.measure(sent, took: milliseconds)
      down.raise(received, within: milliseconds)
    } else {
      down.measure(received, took: milliseconds)
      up.raise(sent, within: milliseconds)
    }
  }

  /// Takes in that a request broke off on its way. The direction is not known, so both become slower.
  mutating func fail() {
    up.fail()
    down.fail()
  }
}

extension SyncClient {
  /// How long nothing may come or go in an exchange, in milliseconds. A server decides a commit within seconds.
  static let silenceMilliseconds: Int64 = 30_000

  /// After so many milliseconds in which nothing has moved the status says that the device is offline.
  static let offlineMilliseconds: Int64 = 10_000

  /// How many bytes of a delta's answer the connection carries.
  var pageBytes: Int { link.down.bytes(atMost: ProtocolLimits.answerBytes / 2) }

  /// How long nothing may come or go while `bytes` are sent: the system may hold all of them in its buffers.
  func silence(for bytes: Int) -> Int64 { Self.silenceMilliseconds + link.up.patience(for: bytes) }

  /// Posts a body. Throws a `SyncFailure` if no answer came.
  nonisolated func post(_ body: [UInt8], waitSeconds: Int) async throws -> TransportAnswer {
    let (silence, began) = (await silence(for: body.count), environment.nowMilliseconds())
    let progress = ExchangeProgress(
      at: began, patience: silence - Self.silenceMilliseconds + Self.offlineMilliseconds)
    // Of a long poll silence is expected.
    if waitSeconds == 0 { await beginExchange(progress) }
    do {
      let answer = try await transport.post(body, timeoutMilliseconds: silence + Int64(waitSeconds) * 1_000) {
        progress.move(at: self.environment.nowMilliseconds())
      }
      await endExchange(progress)
      let took = environment.nowMilliseconds() - began
      if waitSeconds == 0 { await measure(answer, to: body, took: took) }
      return answer
    } catch {
      await endExchange(progress)
      // Where nothing has moved, nobody was there: that says nothing of the speed.
      if waitSeconds == 0, progress.hasMoved, !Task.isCancelled { await countFailure() }
      throw SyncFailure(error)
    }
  }

  private func measure(_ answer: TransportAnswer, to body: [UInt8], took milliseconds: Int64) {
    // The server, or a proxy, did not get the body in time.
    guard answer.status != 408 else { return link.fail() }
    link.measure(sent: body.count, received: answer.body.count, took: milliseconds)
  }

  private func countFailure() { link.fail() }

  private func beginExchange(_ progress: ExchangeProgress) {
    exchanges.append(progress)
    ring()
  }

  private func endExchange(_ progress: ExchangeProgress) { exchanges.removeAll { $0 === progress } }

  /// Since when nothing has moved in any request under way, by the device's clock; nil if something moves, or it is too
  /// early to tell.
  var silentSince: Timestamp? {
    let now = environment.nowMilliseconds()
    guard let last = exchanges.max(by: { $0.due < $1.due }), last.due <= now else { return nil }
    return Timestamp(millisecondsSince1970: last.due - last.patience)
  }

  /// Milliseconds until the status may have to say that the device is offline; nil if it says so, or nothing is under
  /// way.
  var silenceWait: Int64? {
    exchanges.map { $0.due - environment.nowMilliseconds() }.max().flatMap { $0 > 0 ? $0 : nil }
  }
}
