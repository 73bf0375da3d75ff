// What an app has to be told: operations that did not happen.

public import ModelTypes
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
