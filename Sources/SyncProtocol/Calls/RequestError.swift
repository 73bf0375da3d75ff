// Why a whole request was not served: the codes that travel in `errors[].extensions.code`.

/// An error that the server answered with.
public struct RequestError: Error, Hashable, Sendable {
  public var code: Code
  /// For people; a program looks at the code only.
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The raw values are sent. A name that is not in this list, from a newer server, is read as `internalServerError`.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    case badRequest = "BAD_REQUEST"
    case parseFailed = "GRAPHQL_PARSE_FAILED"
    case validationFailed = "GRAPHQL_VALIDATION_FAILED"
    case badUserInput = "BAD_USER_INPUT"
    case unsupportedVersion = "UNSUPPORTED_VERSION"
    case unauthenticated = "UNAUTHENTICATED"
    case forbidden = "FORBIDDEN"
    case notFound = "NOT_FOUND"
    case methodNotAllowed = "METHOD_NOT_ALLOWED"
    case notAcceptable = "NOT_ACCEPTABLE"
    case requestTimeout = "REQUEST_TIMEOUT"
    case offsetMismatch = "OFFSET_MISMATCH"
    case historyChanged = "HISTORY_CHANGED"
    case reset = "RESET"
    case tooLarge = "TOO_LARGE"
    case unsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE"
    case rangeNotSatisfiable = "RANGE_NOT_SATISFIABLE"
    case hashMismatch = "HASH_MISMATCH"
    case tooManyRequests = "TOO_MANY_REQUESTS"
    case internalServerError = "INTERNAL_SERVER_ERROR"
    case unavailable = "UNAVAILABLE"
    case quotaExceeded = "QUOTA_EXCEEDED"
  }
}

extension RequestError.Code {
  /// The HTTP status of an answer that has nothing but this error.
  public var status: Int {
    switch self {
    case .badRequest, .parseFailed, .validationFailed, .badUserInput, .unsupportedVersion: 400
    case .unauthenticated: 401
    case .forbidden: 403
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
    ["errors": [["message": .string(message), "extensions": ["code": .string(code.rawValue)]]]]
  }

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
    self.init(code, message)
  }
}
