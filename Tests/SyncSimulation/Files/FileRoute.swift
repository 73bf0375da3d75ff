// HEAD, PATCH, GET and POST of files at the server, as the route of modelserver serves them.

import Determinism
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

/// `@unchecked Sendable`: a world and everything in it runs on one thread.
struct FileRoute: @unchecked Sendable {
  let files: FileService
  let environment: RuntimeEnvironment
  unowned let world: World

  func answer(_ request: FileExchange, by user: UserID) async -> FileReply {
    do { return try await result(of: request, by: user) } catch let error as RequestError {
      return .refused(error.code)
    } catch { return .trouble }
  }

  private func result(of request: FileExchange, by user: UserID) async throws -> FileReply {
    switch request.call {
    case .state:
      let status = try await files.status(of: request.place, by: user)
      return .arrived(status.offset, isComplete: status.isComplete)
    case .copy(let source):
      return .arrived(try await files.copy(request.place, from: source, by: user), isComplete: true)
    case .range(let range): return try await download(request, range, by: user)
    case .part(let sent): return try await result(of: request, sent, by: user)
    }
  }

  private func result(of request: FileExchange, _ sent: FilePartBody, by user: UserID) async throws -> FileReply {
    switch try await files.begin(request.place, at: sent.offset, by: user) {
    case .complete(let size): return .arrived(size, isComplete: true)
    case .elsewhere(let offset): return .elsewhere(offset)
    case .part(var part):
      var rest = sent.bytes.prefix(sent.cutAfter ?? sent.bytes.count)
      while !rest.isEmpty {
        if !world.isQuiet { try await environment.sleep(milliseconds: Int64(world.random.below(120))) }
        if request.isBroken { throw FileExchange.Broken() }
        let chunk = Array(rest.prefix(1 + world.random.below(40)))
        try await files.append(chunk, to: &part)
        rest = rest.dropFirst(chunk.count)
      }
      if sent.cutAfter != nil { throw FileExchange.Broken() }
      world.count("parts of files")
      if sent.isLast { try await files.finish(part) }
      return .arrived(part.offset, isComplete: sent.isLast)
    }
  }

  private func download(_ request: FileExchange, _ range: Range<Int64>, by user: UserID) async throws -> FileReply {
    let download = try await files.download(request.place, by: user)
    guard range.lowerBound < download.size else { return .unsatisfiable(download.size) }
    let end = min(range.upperBound, download.size)
    var bytes: [UInt8] = []
    while range.lowerBound + Int64(bytes.count) < end {
      if !world.isQuiet { try await environment.sleep(milliseconds: Int64(world.random.below(120))) }
      if request.isBroken { throw FileExchange.Broken() }
      let offset = range.lowerBound + Int64(bytes.count)
      let count = world.isQuiet ? Int(end - offset) : min(1 + world.random.below(40), Int(end - offset))
      let piece = try await files.read(download, at: offset, count: count)
      world.server.referee.noteReading()
      // The file was removed meanwhile, so the connection ends.
      guard !piece.isEmpty else { throw FileExchange.Broken() }
      bytes += piece
    }
    return .bytes(bytes, of: download.size)
  }
}
