// Failed requests of a queue, as they are stored and shown.

package import WireFormat

/// Requests of a queue, or transfers of a file, that have failed in a row.
package struct QueueFailure: Hashable, Sendable {
  package var attempts: Int
  /// When the next attempt is due, by the device's clock.
  package var retryAt: Timestamp
  /// The last error, for a person.
  package var message: String

  package init(attempts: Int, retryAt: Timestamp, message: String) {
    self.attempts = attempts
    self.retryAt = retryAt
    self.message = message
  }
}
