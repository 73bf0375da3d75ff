// Sockets that send without delay.
import FlyingSocks
import Foundation

/// A pool whose sockets do not wait for an acknowledgement before a small packet goes (TCP_NODELAY).
///
/// FlyingFox writes a response's head and its body one after the other. With Nagle's algorithm the body would wait 40
/// ms for the other end to acknowledge the head. An accepted socket inherits the option from the listening one.
struct PromptPool<Base: AsyncSocketPool>: AsyncSocketPool {
  let base: Base

  func prepare() async throws { try await base.prepare() }

  func run() async throws { try await base.run() }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    try? socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
    try await base.suspendSocket(socket, untilReadyFor: events)
  }
}
