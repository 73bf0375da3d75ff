// Enforces the timeouts of a connection, answers errors that no other code can answer, and notices a client that goes.

import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import SyncProtocol

/// Stands between the HTTP parser and the code that answers. Everything happens on the event loop of its channel.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let connections: Connections
  private var connection: Connection?
  private var state: ConnectionState
  private var timer: (deadline: Int64, task: Scheduled<Void>)?
  /// Whether the connection is closing. After an answer of this handler's own, no other answer goes out.
  private var isClosing = false
  /// The side to close once all answers have gone out; nil if no code has asked for a close.
  private var closing: CloseMode?
  private var expectsContinue = false
  private var discarded = 0

  /// Bytes that a client may still send after its answer, before the connection is closed.
  private static let mostDiscarded = 16 << 20
  /// Bytes of a body that are written at a time.
  private static let piece = 1 << 16

  init(_ times: ConnectionTimes, _ connections: Connections) {
    self.connections = connections
    state = ConnectionState(times, at: Self.now)
  }

  private static var now: Int64 { Int64(NIODeadline.now().uptimeNanoseconds) }

  func handlerAdded(context: ChannelHandlerContext) {
    let box = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
    let eventLoop = context.eventLoop
    let connection = Connection(
      askForBody: { eventLoop.execute { box.value.handler.sendContinue(box.value.context) } },
      close: { eventLoop.execute { box.value.handler.perform(.close, box.value.context) } })
    self.connection = connection
    connections.add(connection, at: context.channel)
    let bytes = BytesHandler {
      let (handler, context) = box.value
      handler.state.bytesCame(at: Self.now)
      handler.schedule(context)
    }
    // Must come before the parser, which reports nothing of half a head.
    let pipeline = context.pipeline.syncOperations
    try? pipeline.addHandler(bytes, position: .first)
    if let parser = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) {
      try? pipeline.addHandler(HeadHandler(), position: .after(parser))
    }
    keepBuffersSmall(context.channel)
    schedule(context)
    let (connections, address) = (connections, Strangers.name(of: context.channel.remoteAddress))
    eventLoop.scheduleTask(in: .milliseconds(connections.patience)) { [weak connection] in
      if let connection { connections.judge(connection, at: address) }
    }
  }

  /// Keeps buffers small, because thousands of connections wait. A receive buffer stays as large as it once had to be,
  /// so each connection has one instead of four, which is small while requests are small. Also limits how much the
  /// system takes of an answer before it is sent (`TCP_NOTSENT_LOWAT`). Otherwise it takes megabytes at once and then
  /// nothing until a third has gone, so that a client's reading would show only minutes later.
  private func keepBuffersSmall(_ channel: any Channel) {
    try? channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
    let sizes = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 1_024, maximum: 65_536)
    try? channel.syncOptions?.setOption(.recvAllocator, value: sizes)
    let unsent = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_NOTSENT_LOWAT))
    try? channel.syncOptions?.setOption(unsent, value: 2 * Self.piece)
  }

  func handlerRemoved(context: ChannelHandlerContext) { end(context) }

  func channelInactive(context: ChannelHandlerContext) {
    end(context)
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed { connection?.end() }
    context.fireUserInboundEventTriggered(event)
  }

  private func end(_ context: ChannelHandlerContext) {
    isClosing = true
    timer?.task.cancel()
    timer = nil
    connection?.end()
    connection?.becomeKnown()
    connection = nil
    connections.remove(context.channel)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    var action = ConnectionState.Action.nothing
    switch part {
    case .head(let head):
      expectsContinue = head.headerFields[.expect]?.lowercased() == "100-continue"
      let asksForAnotherProtocol = head.headerFields[.upgrade] != nil || head.method == .connect
      state.headCame(isLast: asksForAnotherProtocol, at: Self.now)
    case .body(let bytes):
      state.bodyCame(bytes.readableBytes, at: Self.now)
      if state.isLingering {
        discarded += bytes.readableBytes
        if discarded > Self.mostDiscarded { action = .close }
      }
    case .end: action = state.requestEnded()
    }
    if state.isLingering || isClosing || closing == .all || state.isBehindLast {
      perform(action, context)
    } else {
      schedule(context)
      context.fireChannelRead(data)
    }
  }

  /// Reads nothing behind the last request that is answered.
  func read(context: ChannelHandlerContext) {
    if !state.isBehindLast { context.read() }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is HTTPParserError, state.isBetweenRequests, !isClosing else {
      return context.fireErrorCaught(error)
    }
    answer(RequestError(.badRequest, "This is not HTTP, or its head is too large."), context)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard !isClosing else {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    }
    switch unwrapOutboundIn(data) {
    case .head(var head):
      // A client without a good token has to connect again, so that its refusals cost it more than the server. A user
      // with too many connections or requests has shown one.
      let isRefusal =
        head.status.kind == .clientError && head.status != .tooManyRequests
        && connection?.isStranger == true
      if state.answerBegan(isLast: isRefusal, at: Self.now) { head.headerFields[.connection] = "close" }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .body(var bytes):
      // A large body goes in pieces, because each piece that goes out shows that the client reads.
      while bytes.readableBytes > Self.piece, let piece = bytes.readSlice(length: Self.piece) {
        write(.body(piece), context, nil) { handler, _ in handler.state.answerWentOn(at: Self.now) }
      }
      write(.body(bytes), context, promise) { handler, _ in handler.state.answerWentOn(at: Self.now) }
    case .end(let fields):
      state.answerWasWritten()
      write(.end(fields), context, promise) { handler, context in
        handler.connection?.didSend()
        handler.perform(handler.state.answerWasSent(at: Self.now), context)
        handler.closeWhereAllIsSent(context)
        handler.schedule(context)
      }
      context.flush()
    }
    schedule(context)
  }

  private func write(
    _ part: HTTPResponsePart, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?,
    whenOut: @escaping @Sendable (ConnectionHandler, ChannelHandlerContext) -> Void
  ) {
    let box = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
    let out = promise ?? context.eventLoop.makePromise()
    out.futureResult.whenSuccess { whenOut(box.value.handler, box.value.context) }
    context.write(wrapOutboundOut(part), promise: out)
  }

  /// Delays a close until the last answer has gone out, as when the server stops.
  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    guard mode != .input, !isClosing, state.isSendingRest else { return context.close(mode: mode, promise: promise) }
    if closing != .all { closing = mode }
    if let promise { context.channel.closeFuture.cascade(to: promise) }
  }

  private func closeWhereAllIsSent(_ context: ChannelHandlerContext) {
    // A lingering connection is closed when the lingering is over.
    guard let closing, !state.isSendingRest, !state.isLingering, !isClosing else { return }
    if closing == .all { return perform(.close, context) }
    self.closing = nil
    context.close(mode: closing, promise: nil)
  }

  private func sendContinue(_ context: ChannelHandlerContext) {
    guard expectsContinue, !isClosing else { return }
    expectsContinue = false
    context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
  }

  private func perform(_ action: ConnectionState.Action, _ context: ChannelHandlerContext) {
    switch action {
    case .nothing: break
    case .timeOut: answer(RequestError(.requestTimeout, "The request did not arrive in time."), context)
    case .linger: context.close(mode: .output, promise: nil)
    case .close:
      isClosing = true
      context.close(promise: nil)
    }
  }

  /// Answers an error itself, and then closes the connection.
  private func answer(_ error: RequestError, _ context: ChannelHandlerContext) {
    let answer = Answer(error)
    var head = answer.head
    head.headerFields[.connection] = "close"
    head.headerFields[.contentLength] = "\(answer.bytes.count)"
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(ByteBuffer(bytes: answer.bytes))), promise: nil)
    isClosing = true
    let box = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in box.value.close(promise: nil) }
    // If the client does not read the answer, it never goes out. Then this timer closes the connection.
    timer?.task.cancel()
    timer = (0, context.eventLoop.scheduleTask(in: .nanoseconds(state.linger)) { box.value.close(promise: nil) })
  }

  /// Starts a timer for the next deadline. There is one timer at a time; one that ends too early starts the next.
  private func schedule(_ context: ChannelHandlerContext) {
    guard !isClosing, let deadline = state.deadline else { return }
    if let timer, timer.deadline <= deadline { return }
    timer?.task.cancel()
    let box = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
    let task = context.eventLoop.scheduleTask(deadline: .uptimeNanoseconds(UInt64(deadline))) {
      let (handler, context) = box.value
      handler.timer = nil
      guard let deadline = handler.state.deadline, !handler.isClosing else { return }
      if deadline <= Self.now {
        handler.perform(handler.state.expired(), context)
      }
      handler.schedule(context)
    }
    timer = (deadline, task)
  }
}

/// Reports that bytes arrived, before the parser has understood them.
private final class BytesHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  private let came: () -> Void

  init(_ came: @escaping () -> Void) { self.came = came }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    came()
    context.fireChannelRead(data)
  }
}
