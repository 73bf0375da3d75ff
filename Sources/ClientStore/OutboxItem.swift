// Operations as an app can show them: those on their way, and those that did not happen.

public import ModelTypes
public import SyncProtocol
public import WireFormat

/// An operation that did not happen, for the app to show or to repeat.
public struct AttentionItem: Sendable, Identifiable {
  /// The operation's id.
  public var id: UUIDValue
  /// `model.operation`.
  public var name: String
  /// The parameters as `OperationName.fieldTable` describes them.
  public var parameters: [UInt8]
  public var changes: OperationChanges
  public var queue: QueueID?
  public var performedAt: Timestamp
  public var reason: StoreError
}

/// An operation on its way: performed, and not yet known to be part of confirmed state.
public struct OutboxItem: Sendable, Identifiable {
  /// The operation's id.
  public var id: UUIDValue
  /// `model.operation`.
  public var name: String
  /// The parameters as `OperationName.fieldTable` describes them.
  public var parameters: [UInt8]
  public var changes: OperationChanges
  public var queue: QueueID?
  public var performedAt: Timestamp
  public var state: OperationState
  /// Taken back after it was sent: hidden until the server says whether that came in time.
  public var isVoided: Bool
  /// Whether it can still do what it says; not if others have deleted an object that it changes.
  public var applies: Bool
  /// The decision of the server; nil while nobody knows it.
  public var outcome: OperationOutcome?
}
