// Outcomes as JSON, and the codes of rejections.

package import JSON

extension OperationOutcome: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    let code = try reader.optional("code", .string)
    self.init(
      operation: try reader.required("operation", .id()),
      status: try reader.required("status", .name { Status(name: $0, code: code) }),
      at: try reader.required("at", .revision),
      time: try reader.required("time", .timestamp),
      attempt: try reader.optional("attempt", .attempt) ?? 0)
  }

  package var json: JSONValue {
    [
      "operation": .id(operation), "status": .string(status.name), "code": status.code.map { .string($0) } ?? .null,
      "at": .int64(at), "time": .time(time), "attempt": .count(attempt),
    ]
  }
}

extension OperationOutcome.Status {
  /// Nil for an unknown name, and for a rejection without a code.
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

/// The reasons why an operation is rejected. A newer server may send others, which a client reports as they are.
package enum RejectionCode {
  /// The sender's role does not allow it.
  package static let forbidden = "forbidden"
  /// The queue would have members but no owner.
  package static let lastOwner = "lastOwner"
  /// The changes are malformed or do not fit the object, or a new object's id is not bound to the queue.
  package static let invalid = "invalid"
  /// The object did not meet the change's condition.
  package static let conditionFailed = "conditionFailed"
  /// An object would exceed `ProtocolLimits.objectBytes`, or the operation exceeds another limit.
  package static let tooLarge = "tooLarge"
  /// The sender has already taken in as many strangers today as one user may.
  package static let tooManyInvitations = "tooManyInvitations"
  /// The link is not there, or no longer.
  package static let linkEnded = "linkEnded"
  /// The queue or the sender has no room for what the operation adds.
  package static let quotaExceeded = "quotaExceeded"
}
