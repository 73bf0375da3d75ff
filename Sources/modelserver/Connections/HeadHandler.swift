// Checks what HTTP/1.1 requires of the head of a request, while its version is still known.

import NIOCore
import NIOHTTP1

/// Stands right behind the parser, and adds to its errors: a head without a valid `Host` (RFC 9112, section 3.2) is
/// answered like a request that is not HTTP.
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
    // The handlers after this one answer in HTTP/1.1, which keeps the connection open. For an older client, the close
    // marks the end of the answer.
    if isOld { head.headers.replaceOrAdd(name: "connection", value: "close") }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  private static func isHost(_ fields: [String], mayBeAbsent: Bool) -> Bool {
    guard let field = fields.first else { return mayBeAbsent }
    return fields.count == 1 && field.utf8.allSatisfy { characters.contains($0) }
  }

  /// The characters of a host and its port (RFC 3986, section 3.2.2).
  private static let characters = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%!$&'()*+,;=:[]".utf8)
}
