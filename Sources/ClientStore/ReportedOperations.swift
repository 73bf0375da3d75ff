// Operations as an app can show them: pending ones, and those that did not happen.

public import ModelTypes
package import SyncProtocol
public import WireFormat

/// An operation that did not happen, for the app to show or to repeat.
public struct FailedOperation: Sendable, Identifiable {
  /// The operation's id.
  public var id: OperationID
  /// `model.operation`.
  public var name: String
  /// The parameters as bytes; the `fieldTable` of the operation's type describes them.
  public var parameters: [UInt8]
  /// The changes that were worked out before it failed; none where their bytes are damaged.
  package var changes: OperationChanges
  /// Nil for objects that never leave the device, and where no change was worked out.
  public var queue: QueueID?
  /// By the device's clock.
  public var performedAt: Timestamp
  /// The operations that it was declared to come after.
  package var dependencies: [OperationID] = []
  /// The server time at which it was first sent; nil if it never was.
  package var firstSent: Timestamp?
  /// How often it was tried again before.
  package var attempt = 0
  /// The error that kept it from happening: a code, and words for a person.
  public var reason: StoreError
}

extension FailedOperation {
  /// Reads the parameters into an operation. Returns false if that has another name, or they cannot be read.
  ///
  /// Generated operations have an initializer that calls it: `Photo.Label(item)`.
  public func read(into operation: inout some ModelOperation) -> Bool {
    guard type(of: operation).operationName == name else { return false }
    return (try? operation.readFields(parameters)) != nil
  }
}

extension FailedOperation {
  /// Whether `ModelStore.retry` can perform it again. False if nobody knows whether it has happened, if its queue has
  /// ended, if its bytes are damaged, and if this device did not perform it, but for a right that the user lacked.
  public var canRetry: Bool {
    guard queue != nil, !changes.isEmpty else { return false }
    switch reason.code {
    case .forbidden, .lastOwner, .linkEnded, .conditionFailed, .rejected, .noEffect, .dependency, .revoked,
      .membershipLost, .diskFull, .locked:
      return true
    default: return false
    }
  }
}

extension FailedOperation: CustomStringConvertible {
  /// The operation and the reason, without what the user has written: fit for a log.
  public var description: String { "\(name) \(id): \(reason.message)" }
}

/// A pending operation: performed, and not yet known to be part of confirmed state.
public struct PendingOperation: Sendable, Identifiable {
  /// To wait for the operation, to take it back, or to name it in `after:`.
  public var handle: OperationHandle
  /// `model.operation`.
  public var name: String
  /// The parameters as bytes; the `fieldTable` of the operation's type describes them.
  public var parameters: [UInt8]
  /// The changes as they were worked out when it was performed; they are sent as they are.
  package var changes: OperationChanges
  /// Nil for objects that never leave the device.
  public var queue: QueueID?
  /// By the device's clock.
  public var performedAt: Timestamp
  /// How far it had come when this value was read: `performed`, `saved` or `sent`. `handle.state` is the newest.
  public var state: OperationState
  /// Taken back after it was sent: hidden until the server says whether that came in time.
  public var isVoided: Bool
  /// Whether its changes can still be applied; false if an object that it changes is not there
  /// any more.
  public var applies: Bool
  /// The server's decision; nil while this device does not know it.
  package var outcome: OperationOutcome?
}

extension FailedOperation {
  /// The ids of the objects that it was to change; none where no change was worked out.
  public var objects: [UUIDValue] { changes.objects.map(\.object) }
  /// The files that were to be on the server before it.
  public var files: [ContentHash] { changes.files }
}

extension PendingOperation {
  /// The operation's id.
  public var id: OperationID { handle.id }
  /// The ids of the objects that it changes.
  public var objects: [UUIDValue] { changes.objects.map(\.object) }
  /// The files that have to be on the server before it.
  public var files: [ContentHash] { changes.files }
}

extension PendingOperation: CustomStringConvertible {
  /// The operation and its state, without what the user has written: fit for a log.
  public var description: String { "\(name) \(id): \(isVoided ? "taken back" : "\(state)")" }
}
