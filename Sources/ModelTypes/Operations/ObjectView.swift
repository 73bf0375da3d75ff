// The objects that an operation reads when it is evaluated.

public import WireFormat

/// The objects as the user sees them: confirmed state with everything performed on top of it.
public protocol ObjectView {
  /// Nil where there is no such object; throws where it cannot be read.
  func object(_ id: UUIDValue, type: String) throws -> ViewedObject?

  /// How far the queue has been read and shown; nil if nothing of it is shown.
  func seen(in queue: QueueID) -> SeenPlace?
}

extension ObjectView {
  public func seen(in _: QueueID) -> SeenPlace? { nil }
}

/// An object as the user sees it, as bytes.
public struct ViewedObject: Hashable, Sendable {
  /// Nil for an object that never leaves the device.
  public var queue: QueueID?
  /// The object's blob, as the store would give it to `Model.init(id:blob:)`.
  public var content: [UInt8]

  public init(queue: QueueID?, content: [UInt8]) {
    self.queue = queue
    self.content = content
  }
}
