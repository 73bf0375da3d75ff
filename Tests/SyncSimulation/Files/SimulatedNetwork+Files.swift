// Requests for files on their way: lost, late or refused like all others.

import TestSupport

extension SimulatedNetwork {
  private static let timeout: Int64 = 20_000

  func send(_ request: FileRequest, of device: Device) {
    world.trace("\(device.name) asks of a file: \(request.call)")
    world.time.after(Self.timeout) { request.end(.trouble) }
    if device.isOffline || device.hasExpiredToken || world.has(.noConnection) && world.random.chance(2) {
      return reply(.trouble, to: request)
    }
    if world.has(.loss), world.random.chance(4) { return world.fault(.loss, "request lost") }
    world.time.after(latency()) { [self] in
      // The server may hear of it after its sender has gone.
      guard world.server.serve(request, of: device.user, { self.answered(request, $0) }) else {
        return reply(.trouble, to: request)
      }
    }
  }

  private func answered(_ request: FileRequest, _ answer: FileAnswer) {
    if world.has(.loss), world.random.chance(5) { return world.fault(.loss, "answer lost") }
    reply(answer, to: request)
  }

  private func reply(_ answer: FileAnswer, to request: FileRequest) {
    world.time.after(latency()) { [self] in
      if request.isOpen { world.trace("an answer of a file: \(answer)") }
      request.end(answer)
    }
  }
}
