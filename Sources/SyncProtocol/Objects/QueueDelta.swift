// What changed in a queue after a cursor.

public import WireFormat

/// One catch-up of a queue: all of its pages together.
public struct QueueDelta: Hashable, Sendable {
  public var queue: UUIDValue
  /// The newest state of each changed object, each once.
  public var objects: [ObjectState]
  /// How far the queue has been read with this delta.
  public var cursor: Int64
  /// Of the operations that were awaited.
  public var outcomes: [OperationOutcome]

  public init(queue: UUIDValue, objects: [ObjectState], cursor: Int64, outcomes: [OperationOutcome] = []) {
    self.queue = queue
    self.objects = objects
    self.cursor = cursor
    self.outcomes = outcomes
  }
}
