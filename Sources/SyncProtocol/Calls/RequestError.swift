// Why a whole request was not served: the codes that travel in `errors[].extensions.code`.

package import JSON
public import WireFormat

/// An error that the server answered with.
public struct RequestError: Error, Hashable, Sendable {
  /// The kind of error, for a program; it decides the HTTP status too.
  public var code: Code
  /// For people; a program looks at the code only.
  public var message: String
  /// With `historyChanged`: the server time back to which the server may have lost what it acknowledged.
  public var since: Timestamp?

  /// For a server of your own that answers by this protocol, and for tests.
  public init(_ code: Code, _ message: String, since: Timestamp? = nil) {
    self.code = code
    self.message = message
    self.since = since
  }

  /// The raw values are sent. A name that is not in this list, from a newer server, is read as `internalServerError`.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// 400. The body is not JSON or no GraphQL request, or a header has a value that is not allowed.
    case badRequest = "BAD_REQUEST"
    /// 400. The document is not GraphQL.
    case parseFailed = "GRAPHQL_PARSE_FAILED"
    /// 400. The document does not fit the server's schema, or exceeds its limits.
    case validationFailed = "GRAPHQL_VALIDATION_FAILED"
    /// 400. A variable or argument is not of its type or out of its bounds, such as a page's `limit`.
    case badUserInput = "BAD_USER_INPUT"
    /// 400. The server does not serve this version of the protocol: the app has to be updated.
    case unsupportedVersion = "UNSUPPORTED_VERSION"
    /// 401. There is no token, or it is wrong, expired or of another user. Ask again with a new one.
    case unauthenticated = "UNAUTHENTICATED"
    /// 403. The user is not a member of the queue, or may not write. Asking again does not help while that is so.
    case forbidden = "FORBIDDEN"
    /// 403. The app's schema is too old to change anything on this server; it may read. The app has to be updated.
    case outdated = "OUTDATED"
    /// 404. There is no such route, or the server does not have the file yet.
    case notFound = "NOT_FOUND"
    /// 405. The route does not take this HTTP method; the header `Allow` names those that it takes.
    case methodNotAllowed = "METHOD_NOT_ALLOWED"
    /// 406. `Accept` names no media type in which the server can answer.
    case notAcceptable = "NOT_ACCEPTABLE"
    /// 408. The head or the body of the request did not arrive in time. Ask again.
    case requestTimeout = "REQUEST_TIMEOUT"
    /// 409. An upload continues at another offset than the server's: go on from its `Upload-Offset`.
    case offsetMismatch = "OFFSET_MISMATCH"
    /// 412. The request names another history than that of the server, which may have lost something since. Ask again
    /// with the new one.
    case historyChanged = "HISTORY_CHANGED"
    /// 410. The place in the queue is of another history or too old: drop what was read, and read from the beginning.
    case reset = "RESET"
    /// 413. A request, its answer or a file is larger than the server allows. Send or ask for less at once.
    case tooLarge = "TOO_LARGE"
    /// 415. The body has another `Content-Type`, or a `Content-Encoding` other than gzip.
    case unsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE"
    /// 416. A download begins behind the end of the file: begin again.
    case rangeNotSatisfiable = "RANGE_NOT_SATISFIABLE"
    /// 422. The uploaded bytes do not match the file's hash. The server has deleted them: begin again.
    case hashMismatch = "HASH_MISMATCH"
    /// 429. The user has too many requests, polls or connections. Ask again after `Retry-After`.
    case tooManyRequests = "TOO_MANY_REQUESTS"
    /// 500. The server made a mistake, which its log has. Also every code that this version does not know.
    case internalServerError = "INTERNAL_SERVER_ERROR"
    /// 503. The server shuts down, is short of memory, or cannot read or write now. Ask again after `Retry-After`.
    case unavailable = "UNAVAILABLE"
    /// 507. The queue or the user has no room left on the server. Tell the user; other requests succeed.
    case quotaExceeded = "QUOTA_EXCEEDED"
  }
}

extension RequestError.Code {
  /// The HTTP status of an answer that has nothing but this error.
  public var status: Int {
    switch self {
    case .badRequest, .parseFailed, .validationFailed, .badUserInput, .unsupportedVersion: 400
    case .unauthenticated: 401
    case .forbidden, .outdated: 403
    case .notFound: 404
    case .methodNotAllowed: 405
    case .notAcceptable: 406
    case .requestTimeout: 408
    case .offsetMismatch: 409
    case .reset: 410
    case .historyChanged: 412
    case .tooLarge: 413
    case .unsupportedMediaType: 415
    case .rangeNotSatisfiable: 416
    case .hashMismatch: 422
    case .tooManyRequests: 429
    case .internalServerError: 500
    case .unavailable: 503
    case .quotaExceeded: 507
    }
  }
}

extension RequestError {
  /// The body, on every route, of an answer that has nothing but this error.
  package var json: JSONValue {
    let extensions = [JSONValue.Member("code", .string(code.rawValue))] + details
    return ["errors": [["message": .string(message), "extensions": .object(extensions)]]]
  }

  /// What a program reads of the error beside its code.
  package var details: [JSONValue.Member] { since.map { [JSONValue.Member("since", .time($0))] } ?? [] }

  /// The error of an answer without a body, as to HEAD: the first code with its status, or `internalServerError`.
  package init(status: Int) {
    let code = Code.allCases.first { $0.status == status } ?? .internalServerError
    self.init(code, "The answer has the status \(status).")
  }

  /// The first error of an answer; nil where it has none.
  package init?(answer: JSONValue) {
    guard case .array(let errors)? = answer["errors"], let first = errors.first else { return nil }
    var message = ""
    if case .string(let text)? = first["message"] { message = text }
    var code = Code.internalServerError
    if case .string(let name)? = first["extensions"]?["code"] { code = Code(rawValue: name) ?? code }
    let since = first["extensions"]?["since"].flatMap { try? MessageField.timestamp.read($0) }
    self.init(code, message, since: since)
  }
}
