// The header fields of uploads (draft-ietf-httpbis-resumable-upload; docs/formats/sync-protocol.md).

import HTTPTypes
import JSON
import SyncProtocol

/// The header fields of a request with a part of an upload.
struct UploadFields {
  var offset: Int64
  var isLast: Bool
  /// Bytes of the whole file; nil if the client does not say.
  var length: Int64?

  init(_ fields: HTTPFields) throws(RequestError) {
    guard let offset = Self.item(fields[.uploadOffset]).flatMap(Self.count) else {
      throw RequestError(.badRequest, "`Upload-Offset` has to say where the part begins.")
    }
    self.offset = offset
    switch Self.item(fields[.uploadComplete]) {
    case "?1": isLast = true
    case "?0", nil: isLast = false
    default: throw RequestError(.badRequest, "`Upload-Complete` is `?1` or `?0`.")
    }
    guard let length = Self.item(fields[.uploadLength]) else { return }
    self.length = Self.count(length)
    if self.length == nil {
      throw RequestError(.badRequest, "`Upload-Length` is the number of bytes of the whole file.")
    }
  }

  /// A structured field (RFC 9651) without its parameters, which have no meaning here.
  private static func item(_ field: String?) -> Substring? {
    field.map { $0.prefix { $0 != ";" }.trimmed }
  }

  private static func count(_ text: Substring) -> Int64? {
    guard text.first?.isNumber == true, let count = Int64(text) else { return nil }
    return count
  }
}

extension Answer {
  init(uploaded offset: Int64, isComplete: Bool, atMost limit: Int64) {
    self.init(
      status: .noContent,
      [
        .uploadOffset: "\(offset)", .uploadComplete: isComplete ? "?1" : "?0", .uploadLimit: "max-size=\(limit)",
        .cacheControl: "no-store",
      ])
    if isComplete { head.headerFields[.uploadLength] = "\(offset)" }
  }

  /// The answer to a part at a wrong offset. Its body is an error of the protocol, and a problem (RFC 9457) for clients
  /// that know only the draft.
  init(uploadExpectedAt expected: Int64, notAt provided: Int64) {
    let error = RequestError(.offsetMismatch, "The upload continues at another offset.")
    self.init(error)
    let problem: JSONValue = [
      "type": "https://iana.org/assignments/http-problem-types#mismatching-upload-offset",
      "title": .string(error.message), "expected-offset": .number("\(expected)"),
      "provided-offset": .number("\(provided)"), "errors": error.json["errors"] ?? .null,
    ]
    bytes = problem.encoded
    head.headerFields[.contentType] = "application/problem+json"
    head.headerFields[.uploadOffset] = "\(expected)"
    head.headerFields[.uploadComplete] = "?0"
  }
}

extension HTTPField.Name {
  // These names are valid, so that no force unwrap can fail.
  static let uploadOffset = Self("Upload-Offset")!
  static let uploadComplete = Self("Upload-Complete")!
  static let uploadLength = Self("Upload-Length")!
  static let uploadLimit = Self("Upload-Limit")!
}
