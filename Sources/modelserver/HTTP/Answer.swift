// An answer before it becomes an HTTP response: a status, fields and bytes. Each names the version of the protocol.

import HTTPTypes
import Hummingbird
import JSON
import SyncProtocol
import SyncServer

struct Answer: Sendable {
  var head: HTTPResponse
  var bytes: [UInt8] = []
  /// Kept until the body has gone out or the connection has closed: the memory of the body, and its file.
  var held: [any Sendable] = []
  /// A body that is written piece by piece: its size in bytes, and the closure that writes it.
  var stream: (count: Int, write: @Sendable (inout any ResponseBodyWriter) async throws -> Void)?
  /// The call that this answers, for the metrics.
  var call = "none"
  var codes: [String] = []

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
    case .unsupportedMediaType: head.headerFields[.acceptEncoding] = Gzip.coding
    case .tooManyRequests, .unavailable: head.headerFields[.retryAfter] = "1"
    default: break
    }
  }

  /// The HTTP response. That to HEAD has the fields of a body, but no body.
  func response(to method: HTTPRequest.Method) -> Response {
    guard method != .head else {
      var fields = head.headerFields
      fields[.contentLength] = "\(stream?.count ?? bytes.count)"
      return Response(status: head.status, headers: fields)
    }
    if let stream {
      return Response(
        status: head.status, headers: head.headerFields,
        body: ResponseBody(contentLength: stream.count) { writer in try await stream.write(&writer) })
    }
    return Response(
      status: head.status, headers: head.headerFields,
      body: bytes.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}

extension HTTPField.Name {
  // These names are valid, so that no force unwrap can fail.
  static let syncProtocolVersion = Self(ProtocolVersion.field)!
  static let syncServer = Self(ServerIdentity.field)!
  static let syncHistory = Self(ServerIdentity.historyField)!
  static let syncOldestWriter = Self(OldestWriter.field)!
  static let copyFrom = Self("Copy-From")!
}
