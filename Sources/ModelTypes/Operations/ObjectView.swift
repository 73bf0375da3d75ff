// The objects that an operation reads when it is evaluated.

package import SyncProtocol
package import WireFormat

/// The objects as the user sees them: confirmed state with everything performed on top of it.
package protocol ObjectView {
  /// Nil where there is no such object; throws where it cannot be read.
  func object(_ id: UUIDValue, type: String) throws -> ViewedObject?

  /// How far the queue has been read and shown; nil if nothing of it is shown.
  func seen(in queue: QueueID) -> SeenVersion?
}

extension ObjectView {
  package func seen(in _: QueueID) -> SeenVersion? { nil }
}

/// An object as the user sees it, as bytes.
package struct ViewedObject: Hashable, Sendable {
  /// Nil for an object that never leaves the device.
  package var queue: QueueID?
  /// The object's blob, as the store would give it to `Model.init(id:blob:)`.
  package var content: [UInt8]

  package init(queue: QueueID?, content: [UInt8]) {
    self.queue = queue
    self.content = content
  }
}
