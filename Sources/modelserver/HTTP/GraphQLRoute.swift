// The route POST /graphql (the GraphQL-over-HTTP draft).

import GraphQL
import HTTPTypes
import Hummingbird
import SyncProtocol
import SyncServer
import WireFormat

struct GraphQLRoute {
  let parts: ServerParts

  /// The most bytes that count for a poll while it waits, however large its body was: it keeps a document and its sums.
  private static let pollBytes = 128 << 10
  private static let smallAnswer = 64 << 10
  /// A body of at most so many bytes is parsed on the current thread, because another one would cost more.
  private static let smallRequest = 4 << 10

  func answer(_ request: Request, _ connection: Connection, _ user: UserID) async throws -> Answer {
    let type = try answerType(request)
    let body = RequestBytes(parts.memory, of: user)
    defer { body.release() }
    try await body.read(request, connection)
    if request.headers[.contentEncoding] != nil {
      try await Caller.$user.withValue(user) { try await parts.workers.run { try body.decompress() } }
    }
    let isSmall = body.bytes.count <= Self.smallRequest
    let (job, schema) = isSmall ? job(body.bytes, connection, user) : try await jobOfMuch(body.bytes, connection, user)
    let waiting = SyncService.waitingCalls
    if !waiting.isDisjoint(with: job.calls) { body.shrink(to: Self.pollBytes) }
    if waiting.isSuperset(of: job.calls) {
      await job.run(by: CallsOfUser(parts.workers, user))
    } else {
      await run(job, isSmall: isSmall && (job.calls == ["commit"] || job.calls == ["signal"]), user)
    }
    body.release()
    let answer = answer(job.response, type, oldestWriter: parts.service.oldestWriter(of: schema))
    return try hold(await compressed(answer, for: request, user), for: user)
  }

  @inline(never)
  private func job(_ bytes: [UInt8], _ connection: Connection, _ user: UserID) -> (GraphQLJob, schema: String) {
    // What an answer takes besides its objects is small.
    parts.service.job(
      bytes, by: user, room: { [memory = parts.memory] in memory.room(for: user) - Self.smallAnswer },
      onLeaving: { connection.onEnd($0) })
  }

  @inline(never)
  private func jobOfMuch(
    _ bytes: [UInt8], _ connection: Connection, _ user: UserID
  ) async throws -> (GraphQLJob, schema: String) {
    try await Caller.$user.withValue(user) {
      try await parts.workers.run { job(bytes, connection, user) }
    }
  }

  /// `isSmall` says that the answer is as small as the request.
  @inline(never)
  private func run(_ job: GraphQLJob, isSmall: Bool, _ user: UserID) async {
    await Caller.$user.withValue(user) { await job.run(by: isSmall ? nil : parts.workers) }
  }

  @inline(never)
  private func answerType(_ request: Request) throws(RequestError) -> String {
    guard let type = MediaTypes.answer(accept: request.headers[values: .accept]) else {
      throw RequestError(.notAcceptable, "`Accept` names neither \(MediaTypes.graphQL) nor \(MediaTypes.json).")
    }
    guard MediaTypes.type(request.headers[.contentType]) == MediaTypes.json,
      [nil, Gzip.coding].contains(request.headers[.contentEncoding]?.lowercased())
    else {
      throw RequestError(
        .unsupportedMediaType, "The body has to be \(MediaTypes.json) in UTF-8, as it is or compressed with gzip.")
    }
    return type
  }

  /// The answer, compressed if that pays and the request allows it.
  @inline(never)
  private func compressed(_ answered: Answer, for request: Request, _ user: UserID) async -> Answer {
    guard Gzip.worthwhile.contains(answered.bytes.count),
      MediaTypes.acceptsGzip(request.headers[values: .acceptEncoding])
    else { return answered }
    // If too many calls wait for a thread, the answer goes as it is.
    let smaller = try? await Caller.$user.withValue(user) {
      try await parts.workers.goOn { Gzip.compress(answered.bytes) }
    }
    guard let smaller = smaller ?? nil else { return answered }
    var answer = answered
    answer.bytes = smaller
    answer.head.headerFields[.contentEncoding] = Gzip.coding
    return answer
  }

  @inline(never)
  private func hold(_ answered: Answer, for user: UserID) throws(RequestError) -> Answer {
    var answer = answered
    // A small answer is not counted, because the system takes it at once.
    guard answer.bytes.count > Self.smallAnswer else { return answer }
    guard let memory = parts.memory.hold(answer.bytes.count, for: user) else {
      throw RequestError(.unavailable, "The server has too much to send now; it has carried out the request.")
    }
    answer.held = [memory]
    return answer
  }

  @inline(never)
  private func answer(_ answered: GraphQLResponse, _ type: String, oldestWriter: SchemaVersion?) -> Answer {
    for cause in answered.causes { parts.log(cause) }
    let status = type == MediaTypes.json ? answered.legacyStatus : answered.status
    var answer = Answer(
      status: HTTPResponse.Status(code: status), [.contentType: "\(type); charset=utf-8"], bytes: answered.body)
    answer.head.headerFields[.syncOldestWriter] = oldestWriter?.description
    answer.call = answered.calls.first ?? "none"
    answer.codes = answered.errors.map(\.code.name)
    let codes = answer.codes.compactMap(RequestError.Code.init)
    if codes.contains(.tooManyRequests) || codes.contains(.unavailable) { answer.head.headerFields[.retryAfter] = "1" }
    if codes.contains(.unauthenticated) { answer.head.headerFields[.wwwAuthenticate] = "Bearer" }
    return answer
  }
}

/// The body of a request, read within its own limit and that of all bodies. A class, so that a waiting frame holds only
/// a reference. `@unchecked Sendable`: only the task of its request uses it.
final class RequestBytes: @unchecked Sendable {
  private let memory: BodyMemory
  private let user: UserID
  private var taken = 0
  private(set) var bytes: [UInt8] = []

  init(_ memory: BodyMemory, of user: UserID) { (self.memory, self.user) = (memory, user) }

  /// Reads the body. Throws `tooLarge` before memory is used for a body that is too large, and `unavailable` if all
  /// bodies take too much. An announced length does not count, because its bytes may never come.
  func read(_ request: Request, _ connection: Connection) async throws {
    let announced = request.headers[.contentLength].flatMap { Int($0) } ?? 0
    guard announced <= ProtocolLimits.requestBytes else { throw Self.tooLarge }
    connection.wantBody()
    for try await chunk in request.body {
      try take(chunk.readableBytes)
      bytes.append(contentsOf: chunk.readableBytesView)
    }
  }

  private static let tooLarge = RequestError(
    .tooLarge, "A body has at most \(ProtocolLimits.requestBytes) bytes.")

  /// Replaces a compressed body by what it was made from, within the same limits.
  func decompress() throws {
    let compressed = taken
    bytes = try Gzip.decompress(bytes) { try take($0, besides: compressed) }
    memory.give(back: compressed, of: user)
    taken -= compressed
  }

  private func take(_ count: Int, besides others: Int = 0) throws(RequestError) {
    guard count <= ProtocolLimits.requestBytes - (taken - others) else { throw Self.tooLarge }
    guard memory.take(count, for: user) else {
      throw RequestError(.unavailable, "The server has too much to read now.")
    }
    taken += count
  }

  /// Releases the bytes after they were parsed. At most `rest` of them still count.
  func shrink(to rest: Int) {
    bytes = []
    memory.give(back: max(0, taken - rest), of: user)
    taken = min(taken, rest)
  }

  func release() { shrink(to: 0) }
}
