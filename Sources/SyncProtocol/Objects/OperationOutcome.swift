// The outcome of an operation: the server's decision.

package import WireFormat

/// How an operation ended. The server remembers it under the operation's id, for ever but for a refusal: when the user
/// tries the operation again, the server decides again.
package struct OperationOutcome: Hashable, Sendable {
  package var operation: OperationID
  package var status: Status
  /// The queue's head right after the operation. A client that has read that far has seen the effect.
  package var at: Int64
  /// The server's clock when it was decided.
  package var time: Timestamp
  /// The mutation's `attempt` that was decided.
  package var attempt: Int

  package init(operation: OperationID, status: Status, at: Int64, time: Timestamp = .zero, attempt: Int = 0) {
    self.operation = operation
    self.status = status
    self.at = at
    self.time = time
    self.attempt = attempt
  }

  /// Whether the outcome settles this attempt. One that has changed nothing is for its attempt and those before it, all
  /// else for ever.
  package func isFinal(forAttempt attempt: Int) -> Bool {
    switch status {
    case .rejected, .noEffect: attempt <= self.attempt
    case .applied, .voided, .unknown: true
    }
  }

  /// How the operation ended.
  package enum Status: Hashable, Sendable {
    case applied
    /// All changes came too late: the objects were deleted or are not there, or the members need no change.
    case noEffect
    /// Refused in this attempt and those before it, with the server's code.
    case rejected(String)
    /// Withdrawn by its sender before it was applied.
    case voided
    /// The operation may have been applied and forgotten, because the server keeps outcomes for a limited time.
    case unknown
  }
}
