// An answer before it is HTTP: a status, fields and bytes, with the version of the protocol in each.

import HTTPTypes
import Hummingbird
import SyncProtocol
import SyncServer

struct Answer: Sendable {
  var head: HTTPResponse
  var bytes: [UInt8] = []
  /// Held until the body has gone out, or its connection has: the memory that it takes, the file that it is of.
  var held: [any Sendable] = []
  /// Where the body comes piece by piece: how much, and how.
  var stream: (count: Int, write: @Sendable (inout any ResponseBodyWriter) async throws -> Void)?
  /// The call that it answers, for the metrics.
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
    case .tooManyRequests, .unavailable: head.headerFields[.retryAfter] = "1"
    default: break
    }
  }

  /// The answer to HEAD has the fields of a body, and none.
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
  // Constants that are valid names.
  static let syncProtocolVersion = Self(ProtocolVersion.field)!
  static let syncServer = Self(ServerIdentity.field)!
  static let syncHistory = Self(ServerIdentity.historyField)!
  static let copyFrom = Self("Copy-From")!
}
