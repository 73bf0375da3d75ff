// An answer before it is HTTP: a status, fields and bytes, with the version of the protocol in each.

import HTTPTypes
import Hummingbird
import SyncProtocol
import SyncServer

struct Answer: Sendable {
  var head: HTTPResponse
  var bytes: [UInt8] = []
  /// What the body takes of the memory for bodies, until it was written or its connection has gone.
  var held: BodyMemory.Held?
  /// Where the body comes piece by piece: how much, and how.
  var stream: (count: Int, write: @Sendable (inout any ResponseBodyWriter) async throws -> Void)?
  /// What the metrics know of it.
  var call = "none"
  var codes: [String] = []

  /// How much of a body is with the connection at once, about: what it passes on before it makes the writer wait.
  private static let piece = 1 << 16

  init(status: HTTPResponse.Status, _ fields: HTTPFields = [:], bytes: [UInt8] = []) {
    head = HTTPResponse(status: status, headerFields: fields)
    head.headerFields[.syncProtocolVersion] = "\(ProtocolVersion.current)"
    self.bytes = bytes
  }

  init(_ error: RequestError) {
    self.init(
      status: HTTPResponse.Status(code: error.code.status), [.contentType: "application/json"],
      bytes: error.json.encoded)
    codes = [error.code.rawValue]
    switch error.code {
    case .unauthenticated: head.headerFields[.wwwAuthenticate] = "Bearer"
    case .tooManyRequests, .unavailable: head.headerFields[.retryAfter] = "1"
    default: break
    }
  }

  /// The answer to HEAD has no body, and says nothing of one.
  func response(to method: HTTPRequest.Method) -> Response {
    guard method != .head else { return Response(status: head.status, headers: head.headerFields) }
    return Response(status: head.status, headers: head.headerFields, body: body)
  }

  private var body: ResponseBody {
    let held = held
    if let stream {
      return ResponseBody(contentLength: stream.count) { writer in
        defer { withExtendedLifetime(held) {} }
        try await stream.write(&writer)
      }
    }
    guard !bytes.isEmpty else { return ResponseBody() }
    let bytes = bytes
    return ResponseBody(contentLength: bytes.count) { writer in
      defer { withExtendedLifetime(held) {} }
      // Each piece waits until those before it have nearly gone, which also shows that somebody reads.
      for start in stride(from: 0, to: bytes.count, by: Self.piece) {
        try await writer.write(ByteBuffer(bytes: bytes[start..<min(start + Self.piece, bytes.count)]))
      }
      try await writer.finish(nil)
    }
  }
}

extension HTTPField.Name {
  // Constants that are valid names.
  static let syncProtocolVersion = Self(ProtocolVersion.field)!
  static let syncServer = Self(ServerIdentity.field)!
  static let uploadOffset = Self("Upload-Offset")!
  static let uploadComplete = Self("Upload-Complete")!
}
