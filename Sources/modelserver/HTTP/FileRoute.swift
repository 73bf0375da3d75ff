// HEAD, PATCH, POST and GET of /files/{queue}/{sha256}: resumable uploads, copies, and downloads of ranges.

import HTTPTypes
import Hummingbird
import SyncProtocol
import SyncServer
import WireFormat

struct FileRoute {
  let parts: ServerParts
  let place: FileKey
  let user: UserID

  /// Memory that a download takes, in chunks of `FileService.chunk`: the one that is read, and those that wait to go out. Measured: 2,000
  /// downloads that nobody reads take 0.45 MB each.
  private static let chunksHeld: Int64 = 4

  func answer(_ request: Request, _ connection: Connection) async throws -> Answer {
    switch request.method {
    case .head: try await state()
    case .patch: try await upload(request, connection)
    case .post: try await copy(request)
    default: try await download(request, connection)
    }
  }

  private func state() async throws -> Answer {
    let status = try await parts.files.status(of: place, by: user)
    return uploaded(status.offset, isComplete: status.isComplete)
  }

  private func copy(_ request: Request) async throws -> Answer {
    guard let source = request.headers[.copyFrom].flatMap({ QueueID($0) }) else {
      throw RequestError(.badRequest, "`Copy-From` has to name the queue that has the file.")
    }
    return uploaded(try await parts.files.copy(place, from: source, by: user), isComplete: true)
  }

  private func uploaded(_ offset: Int64, isComplete: Bool) -> Answer {
    Answer(uploaded: offset, isComplete: isComplete, atMost: parts.fileBytes)
  }

  private func upload(_ request: Request, _ connection: Connection) async throws -> Answer {
    guard MediaTypes.type(request.headers[.contentType]) == MediaTypes.partialUpload else {
      throw RequestError(.unsupportedMediaType, "The body has to be \(MediaTypes.partialUpload).")
    }
    let fields = try UploadFields(request.headers)
    let (offset, length) = (fields.offset, fields.length ?? 0)
    let announced = request.headers[.contentLength].flatMap { Int64($0) }
    // A sum that is too large for a number is refused below.
    let whole = fields.isLast ? announced.map { offset &+ $0 } : fields.length
    switch try await parts.files.begin(place, at: offset, of: whole, by: user) {
    case .complete(let size): return uploaded(size, isComplete: true)
    case .elsewhere(let expected): return Answer(uploadExpectedAt: expected, notAt: offset)
    case .part(var part):
      // Refused before any byte of a file that is too large is kept.
      let announced = announced ?? 0
      guard announced <= parts.fileBytes - offset, length <= parts.fileBytes else { return tooLarge }
      try part.checkRoom(for: max(length, offset + announced))
      connection.wantBody()
      do {
        for try await chunk in request.body {
          guard part.offset + Int64(chunk.readableBytes) <= parts.fileBytes else { return tooLarge }
          parts.metrics.received(chunk.readableBytes)
          try await parts.files.append(Array(chunk.readableBytesView), to: &part)
        }
      } catch {
        // A connection that breaks: the client goes on behind what has come.
        try? await parts.files.pause(part)
        throw error
      }
      if fields.isLast { try await parts.files.finish(part) } else { try await parts.files.pause(part) }
      var answer = uploaded(part.offset, isComplete: fields.isLast)
      // This part has made the upload, which goes on at this path.
      if offset == 0, !fields.isLast { answer.head.headerFields[.location] = "/files/\(place.queue)/\(place.hash)" }
      return answer
    }
  }

  private var tooLarge: Answer {
    var answer = Answer(RequestError(.tooLarge, "A file has at most \(parts.fileBytes) bytes here."))
    answer.head.headerFields[.uploadLimit] = "max-size=\(parts.fileBytes)"
    return answer
  }

  private func download(_ request: Request, _ connection: Connection) async throws -> Answer {
    let file = try await parts.files.download(place, by: user)
    let size = file.size
    // Cuts the connection when the membership ends, so that bytes that wait there for a slow client do not go out
    // either.
    file.onEnd { [weak connection] in connection?.cut() }
    let tag = "\"\(place.hash)\""
    var fields: HTTPFields = [
      .contentType: "application/octet-stream", .eTag: tag, .cacheControl: "private, immutable",
      .acceptRanges: "bytes", .xContentTypeOptions: "nosniff",
    ]
    if Self.names(request.headers[.ifNoneMatch], tag) {
      return Answer(status: .notModified, [.eTag: tag, .cacheControl: "private, immutable"])
    }
    // A range is of no use to a client that has another version.
    let isSame = request.headers[.ifRange].map { $0 == tag } ?? true
    switch ByteRange(isSame ? request.headers[.range] : nil, size: size) {
    case .whole: return try stream(file, .ok, fields, 0..<size)
    case .part(let range):
      fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
      return try stream(file, .partialContent, fields, range)
    case .unsatisfiable:
      var answer = Answer(RequestError(.rangeNotSatisfiable, "The file has \(size) bytes."))
      answer.head.headerFields[.contentRange] = "bytes */\(size)"
      return answer
    }
  }

  /// Whether a list of tags has `tag`, weak or not (RFC 9110, section 13.1.2). A tag may contain a comma but no
  /// quotation mark, so the list can be split at commas.
  private static func names(_ field: String?, _ tag: String) -> Bool {
    let tags = (field ?? "").split(separator: ",").map(\.trimmed)
    return tags == ["*"] || tags.contains { $0 == tag || $0 == "W/\(tag)" }
  }

  private func stream(
    _ file: FileDownload, _ status: HTTPResponse.Status, _ fields: HTTPFields, _ range: Range<Int64>
  ) throws(RequestError) -> Answer {
    var answer = Answer(status: status, fields)
    let chunk = Int64(parts.files.chunk)
    guard let memory = parts.memory.hold(Int(min(Self.chunksHeld * chunk, Int64(range.count))), for: user) else {
      throw RequestError(.unavailable, "The server has too much to send now.")
    }
    answer.held = [memory, file]
    let (files, metrics) = (parts.files, parts.metrics)
    answer.stream = (
      Int(range.count),
      { writer in
        var offset = range.lowerBound
        while offset < range.upperBound {
          let count = Int(min(chunk, range.upperBound - offset))
          let bytes = try await files.read(file, at: offset, count: count)
          // The file was removed meanwhile. The error closes the connection, so that the client notices that the answer
          // is too short.
          guard !bytes.isEmpty else { throw StorageError(.inputOutput, "A file disappeared while it was sent.") }
          try await writer.write(ByteBuffer(bytes: bytes))
          metrics.sent(bytes.count)
          offset += Int64(bytes.count)
        }
        try await writer.finish(nil)
      }
    )
    return answer
  }
}
