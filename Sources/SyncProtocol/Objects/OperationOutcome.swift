// The outcome of an operation: the server's decision.

package import WireFormat

/// The one answer that an operation ever gets. The server remembers it under the operation's id.
package struct OperationOutcome: Hashable, Sendable {
  package var operation: OperationID
  package var status: Status
  /// The queue's head right after the operation. A client that has read that far has seen the effect.
  package var at: Int64
  /// The server's clock when it was decided.
  package var time: Timestamp

  package init(operation: OperationID, status: Status, at: Int64, time: Timestamp = .zero) {
    self.operation = operation
    self.status = status
    self.at = at
    self.time = time
  }

  /// How the operation ended.
  package enum Status: Hashable, Sendable {
    case applied
    /// All changes came too late: the objects were deleted or are not there, or the members need no change.
    case noEffect
    /// Refused for ever, with the server's code.
    case rejected(String)
    /// Withdrawn by its sender before it was applied.
    case voided
    /// The operation may have been applied and forgotten, because the server keeps outcomes for a limited time.
    case unknown
  }
}
