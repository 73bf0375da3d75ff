// An operation as sync sends it to the server.

package import WireFormat

/// The part of a pending operation that is sent.
package struct OutgoingOperation: Hashable, Sendable {
  package var id: OperationID
  package var changes: [UInt8]
  /// The newest time of the server that was known when it was first sent.
  package var firstSent: Timestamp?
  /// How often the user has tried it again.
  package var attempt: Int
  /// Whether it was taken back after it was sent. It is then sent again with the same id, to be voided.
  package var isVoided: Bool
}

extension OutgoingOperation {
  init(_ operation: OutboxEntry) {
    self.init(
      id: operation.id, changes: operation.bytes, firstSent: operation.firstSent, attempt: operation.attempt,
      isVoided: operation.isVoided)
  }
}
