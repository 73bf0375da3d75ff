// Carries requests to the service in the same process.

import GraphQL
import ModelSupport
import SyncProtocol
import SyncServer
import Synchronization

final class PreviewTransport: SyncTransport, FileTransport {
  let network = Mutex(PreviewNetwork.online)
  private let server: PreviewServer
  private let user: UserID

  init(_ server: PreviewServer, _ user: UserID) {
    (self.server, self.user) = (server, user)
  }

  func post(
    _ body: [UInt8], timeoutMilliseconds: Int64, didMove: @escaping @Sendable () -> Void
  ) async throws -> TransportAnswer {
    if let status = try await leave() { return answer(status, []) }
    let response = await server.service.answer(body, by: user)
    try arrive()
    didMove()
    return answer(response.status, response.body)
  }

  func send(_ request: FileRequest) async throws -> FileAnswer {
    if let status = try await leave() { return FileAnswer(answer(status, [])) }
    let reply: FileAnswer
    do {
      reply = try await serve(request)
    } catch let error as RequestError {
      reply = FileAnswer(answer(error.code.status, []))
    }
    try arrive()
    return reply
  }

  func refreshCredentials() async throws {
    if case .refuses(status: 401) = now { throw SyncError(.signedOut, "The server refuses the token.") }
  }

  private var now: PreviewNetwork { network.withLock { $0 } }

  /// The way to the server. Returns the status of a refusal; nil if the request arrives.
  private func leave() async throws -> Int? {
    switch now {
    case .online, .losesAnswers: return nil
    case .offline: throw PreviewNetwork.Broken()
    case .slow(let milliseconds):
      try await server.clock.sleep(milliseconds)
      return nil
    case .refuses(let status): return status
    }
  }

  /// The way back.
  private func arrive() throws {
    if now == .losesAnswers || now == .offline { throw PreviewNetwork.Broken() }
  }

  private func answer(_ status: Int, _ body: [UInt8]) -> TransportAnswer {
    TransportAnswer(
      status: status, protocolVersion: "\(ProtocolVersion.current)", server: server.identity,
      history: server.service.history.current, body: body)
  }
}

extension PreviewNetwork {
  /// The connection was lost.
  struct Broken: Error, CustomStringConvertible {
    var description: String { "There is no connection to the preview server." }
  }
}

// Files, as the routes of modelserver serve them.
extension PreviewTransport {
  private func serve(_ request: FileRequest) async throws -> FileAnswer {
    let (files, file, user) = (server.files, request.file, user)
    switch request.call {
    case .state:
      let status = try await files.status(of: file, by: user)
      return FileAnswer(answer(204, []), offset: status.offset, isComplete: status.isComplete)
    case .copy(let source):
      return FileAnswer(answer(204, []), offset: try await files.copy(file, from: source, by: user), isComplete: true)
    case .part(let slice, let offset, let isLast):
      switch try await files.begin(file, at: offset, by: user) {
      case .complete(let size): return FileAnswer(answer(204, []), offset: size, isComplete: true)
      case .elsewhere(let expected):
        return FileAnswer(answer(RequestError.Code.offsetMismatch.status, []), offset: expected)
      case .part(var part):
        try await files.append(slice?.bytes() ?? [], to: &part)
        if isLast { try await files.finish(part) }
        return FileAnswer(answer(204, []), offset: part.offset, isComplete: isLast)
      }
    case .range(let range):
      let download = try await files.download(file, by: user)
      let part = range.clamped(to: 0..<download.size)
      guard !part.isEmpty else { throw RequestError(.rangeNotSatisfiable, "The file has \(download.size) bytes.") }
      let bytes = try await files.read(download, at: part.lowerBound, count: part.count)
      return FileAnswer(answer(206, bytes), total: download.size)
    }
  }
}
