// What HTTP/1.1 wants of a head, looked at before its version is lost.

import NIOCore
import NIOHTTP1

/// Right behind the parser, to whose mistakes it adds one: a head without a good `Host` (RFC 9112, section 3.2) is answered
/// as what is not HTTP.
final class HeadHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  private var isRefused = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRefused else { return }
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    let isOld = head.version == .http1_0
    guard Self.isHost(head.headers["host"], mayBeAbsent: isOld) else {
      isRefused = true
      return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
    }
    // Handlers behind this one answer in HTTP/1.1, where a connection stays: for an older client its end ends the answer.
    if isOld { head.headers.replaceOrAdd(name: "connection", value: "close") }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  private static func isHost(_ fields: [String], mayBeAbsent: Bool) -> Bool {
    guard let field = fields.first else { return mayBeAbsent }
    return fields.count == 1 && field.utf8.allSatisfy { characters.contains($0) }
  }

  /// Of a host and its port (RFC 3986, section 3.2.2).
  private static let characters = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%!$&'()*+,;=:[]".utf8)
}
