// Outcomes as they travel.

extension OperationOutcome: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    let code = try reader.optional("code", .string)
    self.init(
      operation: try reader.required("operation", .uuid),
      status: try reader.required("status", .name { Status(name: $0, code: code) }),
      at: try reader.required("at", .revision),
      time: try reader.required("time", .timestamp))
  }

  package var json: JSONValue {
    [
      "operation": .id(operation), "status": .string(status.name), "code": status.code.map { .string($0) } ?? .null,
      "at": .int64(at), "time": .time(time),
    ]
  }
}

extension OperationOutcome.Status {
  /// Nil for another name, and for a rejection without a code.
  fileprivate init?(name: String, code: String?) {
    switch (name, code) {
    case ("APPLIED", _): self = .applied
    case ("NO_EFFECT", _): self = .noEffect
    case ("REJECTED", let code?): self = .rejected(code)
    case ("VOIDED", _): self = .voided
    case ("UNKNOWN", _): self = .unknown
    default: return nil
    }
  }

  fileprivate var name: String {
    switch self {
    case .applied: "APPLIED"
    case .noEffect: "NO_EFFECT"
    case .rejected: "REJECTED"
    case .voided: "VOIDED"
    case .unknown: "UNKNOWN"
    }
  }

  fileprivate var code: String? {
    if case .rejected(let code) = self { code } else { nil }
  }
}

/// Why an operation was rejected. A newer server may give others, which a client reports as they are.
public enum RejectionCode {
  /// The sender's role does not allow it.
  public static let forbidden = "forbidden"
  /// The queue would have members and no owner.
  public static let lastOwner = "lastOwner"
  /// The changes are malformed, or contradict what the object is.
  public static let invalid = "invalid"
  /// The object was not as the change demands.
  public static let conditionFailed = "conditionFailed"
  /// An object would have grown beyond `ProtocolLimits.objectBytes`.
  public static let tooLarge = "tooLarge"
  /// The sender has taken in as many strangers today as one user may.
  public static let tooManyInvitations = "tooManyInvitations"
}
