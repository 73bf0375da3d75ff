// An operation between the moment it is performed and the moment its effect has come back.

import ModelTypes
import SyncProtocol
import WireFormat

/// An entry of the outbox. What was performed never changes; how far it has come does.
struct PendingOperation {
  /// Its place in the order in which the user acted.
  let number: Int64
  /// Random, for life.
  let id: UUIDValue
  /// Nil where its objects never leave the device.
  let queue: QueueID?
  let name: String
  let parameters: [UInt8]
  let changes: OperationChanges
  /// `changes` as they are stored and sent.
  let bytes: [UInt8]
  let performedAt: Timestamp
  /// What the one who performed it may ask later.
  let record: OperationRecord

  /// On disk, and so able to survive a power cut.
  var isSaved = false
  /// It may have left the device.
  var isSent = false
  /// Taken back after it was sent: hidden, until the server says whether it came too late.
  var isVoided = false
  var outcome: OperationOutcome?

  /// Whether it still counts in what the user sees.
  var isShown: Bool { !isVoided && outcome?.isFailure != true }
}

extension OperationOutcome {
  /// The operation did not happen, and will not.
  var isFailure: Bool {
    switch status {
    case .applied, .noEffect: false
    case .rejected, .voided, .unknown: true
    }
  }
}
