// An operation on its way to the server.

package import WireFormat

/// A pending operation, as it is sent.
package struct OutgoingOperation: Hashable, Sendable {
  package var id: UUIDValue
  package var changes: [UInt8]
  /// The newest time of the server that was known when it was first sent, or an earlier one.
  package var firstSent: Timestamp?
  /// Taken back after it was sent: the same id, to be voided.
  package var isVoided: Bool
}

extension OutgoingOperation {
  init(_ operation: PendingOperation) {
    self.init(
      id: operation.id, changes: operation.bytes, firstSent: operation.firstSent,
      isVoided: operation.isVoided)
  }
}
