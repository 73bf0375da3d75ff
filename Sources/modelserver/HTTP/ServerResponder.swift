// Answers a request: checks route, method, version, user and rate, in this order, and then runs the route.

import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import SyncProtocol
import SyncServer
import WireFormat

/// The parts of a server that every request needs. A class, because each frame of a waiting request would hold a copy
/// of a struct.
final class ServerParts: Sendable {
  /// The id of the database. Each answer names it and the history.
  let identity: ServerID
  let service: SyncService
  let files: FileService
  /// The threads that parse requests and write answers, so that the threads that serve connections do not.
  let workers: WorkerThreads
  let tokens: TokenChecker
  let rate: RequestRate
  let memory: BodyMemory
  let metrics: Metrics
  let connections: Connections
  let isStopping: Flag
  /// Whether the database was found damaged.
  let isDamaged: @Sendable () -> Bool
  let isAway: @Sendable () -> Bool
  let disk: DiskSpace
  let fileBytes: Int64
  let logger: Logger
  let errors = RepeatedErrors()

  init(
    identity: ServerID, service: SyncService, files: FileService, workers: WorkerThreads, tokens: TokenChecker,
    rate: RequestRate, memory: BodyMemory, metrics: Metrics, connections: Connections, isStopping: Flag,
    isDamaged: @escaping @Sendable () -> Bool, isAway: @escaping @Sendable () -> Bool, disk: DiskSpace,
    fileBytes: Int64, logger: Logger
  ) {
    self.identity = identity
    self.service = service
    self.files = files
    self.workers = workers
    self.tokens = tokens
    self.rate = rate
    self.memory = memory
    self.metrics = metrics
    self.connections = connections
    self.isStopping = isStopping
    (self.isDamaged, self.isAway) = (isDamaged, isAway)
    self.disk = disk
    self.fileBytes = fileBytes
    self.logger = logger
  }
}

struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}

/// Answers on the port for clients, which has no metrics. Code that waits for nothing is in functions that are not
/// inlined, because its variables would be in the frame of each request that waits.
struct ServerResponder: HTTPResponder {
  let parts: ServerParts

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    let start = ContinuousClock.now
    let route = Route(request.head.path)
    let connection = parts.connections[context.channel]
    return await RequestName.$current.withValue(RequestName.name(request.head)) {
      do {
        let answer = try await answer(request, route, connection, context.channel)
        return response(to: request, route, answer, since: start, connection)
      } catch {
        return response(to: request, route, parts.answer(to: error), since: start, connection)
      }
    }
  }

  @inline(never)
  private func response(
    to request: Request, _ route: Route?, _ answered: Answer, since start: ContinuousClock.Instant,
    _ connection: Connection?
  ) -> Response {
    var answer = answered
    connection?.willSend(holding: answer.held)
    if case .graphQL? = route {} else { answer.call = route?.name ?? "none" }
    let counted = Metrics.Request(
      route: route?.name ?? "none", method: request.method.counted, status: answer.head.status.code)
    parts.metrics.answered(counted, call: answer.call, codes: answer.codes, took: .now - start)
    answer.head.headerFields[.requestID] = RequestName.current
    answer.head.headerFields[.syncServer] = parts.identity.description
    answer.head.headerFields[.syncHistory] = parts.service.history.current.description
    return answer.response(to: request.method)
  }

  private func answer(
    _ request: Request, _ route: Route?, _ connection: Connection?, _ channel: any Channel
  ) async throws -> Answer {
    if let answer = try answerAtOnce(request.method, route) { return answer }
    let user = try await admit(request, connection, channel)
    guard let connection else { throw RequestError(.unavailable, "The connection has ended.") }
    if case .file(let place)? = route { return try await answer(request, place, connection, user) }
    return try await GraphQLRoute(parts: parts).answer(request, connection, user)
  }

  @inline(never)
  private func answer(
    _ request: Request, _ place: FileKey, _ connection: Connection, _ user: UserID
  ) async throws -> Answer {
    try await Caller.$user.withValue(user) {
      try await FileRoute(parts: parts, place: place, user: user).answer(request, connection)
    }
  }

  /// Answers that do not depend on the user; nil for user routes. Throws `notFound` for an unknown route.
  @inline(never)
  private func answerAtOnce(_ method: HTTPRequest.Method, _ route: Route?) throws -> Answer? {
    guard let route else { throw RequestError(.notFound, "There is no such route.") }
    if let refusal = Answer(refusing: method, of: route) { return refusal }
    switch route {
    case .health: return parts.health
    case .ready: return parts.readiness
    case .metrics: throw RequestError(.notFound, "There is no such route; --metrics-port has metrics.")
    case .graphQL, .file: return nil
    }
  }

  private func admit(_ request: Request, _ connection: Connection?, _ channel: any Channel) async throws -> UserID {
    let version = request.headers[.syncProtocolVersion]
    guard version == nil || version == "\(ProtocolVersion.current)" else {
      throw RequestError(.unsupportedVersion, "This server speaks version \(ProtocolVersion.current).")
    }
    let user = try await parts.tokens.user(authorization: request.headers[.authorization])
    // A connection beyond the limit stays a stranger.
    guard parts.connections.admit(channel, for: user) else {
      throw RequestError(.tooManyRequests, "Too many connections of one user.")
    }
    connection?.becomeKnown()
    guard parts.rate.take(user) else { throw RequestError(.tooManyRequests, "Too many requests in a second.") }
    return user
  }
}

/// Answers on the port for the operator.
struct OperatorResponder: HTTPResponder {
  let parts: ServerParts
  let database: any ServedDatabase

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    let route = Route(request.head.path)
    guard let route else {
      return Answer(RequestError(.notFound, "There is no such route.")).response(to: request.method)
    }
    if let refusal = Answer(refusing: request.method, of: route) { return refusal.response(to: request.method) }
    switch route {
    case .health: return parts.health.response(to: request.method)
    case .ready: return parts.readiness.response(to: request.method)
    case .metrics: return await metrics().response(to: request.method)
    default:
      return Answer(RequestError(.notFound, "This port has /health, /ready and /metrics.")).response(to: request.method)
    }
  }

  private func metrics() async -> Answer {
    let (transactions, syncs) = database.written
    let gauges = Metrics.Gauges(
      connections: parts.connections.count, strangers: parts.connections.strangerCount,
      parkedPolls: await parts.service.parkedPolls, transactions: transactions, syncs: syncs,
      freeDiskBytes: parts.disk.freeBytes, isDamaged: parts.isDamaged(), isAway: parts.isAway(),
      usage: try? await database.totals(),
      versions: (try? await database.versionCounts(of: parts.service.today)) ?? [],
      refusedTokens: parts.tokens.refusals)
    return Answer(
      status: .ok, [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
      bytes: Array(parts.metrics.text(gauges).utf8))
  }
}

extension ServerParts {
  /// Whether more requests may be sent here. Unlike `health` it fails if the disk is nearly full or the database away,
  /// because a restart would not help against that.
  var readiness: Answer {
    if isAway() { return Answer(RequestError(.unavailable, "The database cannot be reached.")) }
    if let free = disk.freeBytes, disk.isLow {
      return Answer(RequestError(.unavailable, "The disk is nearly full: \(free >> 20) MB are free."))
    }
    return health
  }

  var health: Answer {
    guard !isStopping.isSet else { return Answer(RequestError(.unavailable, "The server is shutting down.")) }
    // Damage is no reason to take the only server away: undamaged data is served until an operator restores a backup.
    let status = isDamaged() ? "damaged" : "ok"
    return Answer(
      status: .ok, [.contentType: "application/json"],
      bytes: Array(#"{"status":"\#(status)","protocolVersion":\#(ProtocolVersion.current)}"#.utf8))
  }

  /// The answer to an error. Logs an error that the client has not caused, whose text goes nowhere else.
  func answer(to error: any Error) -> Answer {
    switch error {
    case let error as RequestError: return Answer(error)
    case let error as StorageError:
      log(error)
      if let answer = error.answer { return Answer(answer) }
    case is HTTPParserError: return Answer(RequestError(.badRequest, "The body does not match the headers."))
    // The client has reset the connection, or left. Nobody gets this answer.
    case is IOError, is ChannelError: return Answer(RequestError(.badRequest, "The connection has ended."))
    case is CancellationError: return Answer(RequestError(.unavailable, "The server is shutting down."))
    default: log(error)
    }
    return Answer(RequestError(.internalServerError, "Something went wrong on the server."))
  }

  /// Logs an error. Errors of this program contain no content, no token and no secret.
  func log(_ error: any Error) {
    guard errors.isNew("\(error)", at: .now) else { return }
    logger.error("\(error)", metadata: RequestName.current.map { ["request": "\($0)"] })
  }
}

extension Answer {
  /// The answer to a method that the route does not have; nil if the route has it.
  init?(refusing method: HTTPRequest.Method, of route: Route) {
    guard !route.methods.contains(method) else { return nil }
    self.init(RequestError(.methodNotAllowed, "This route does not take \(method.rawValue)."))
    head.headerFields[.allow] = route.methods.map(\.rawValue).joined(separator: ", ")
  }
}

extension HTTPRequest.Method {
  /// The name in the metrics. It is the same for all names that clients make up.
  var counted: String {
    let known: [Self] = [.get, .head, .post, .put, .delete, .patch, .options]
    return known.contains(self) ? rawValue : "other"
  }
}
