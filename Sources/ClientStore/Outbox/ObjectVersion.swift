// The state of one object on this device.

import SyncProtocol
import WireFormat

/// An object as it is on disk, or as replaying pending operations makes it.
struct ObjectVersion: Hashable {
  var queue: QueueID?
  var type: String
  var content: [UInt8]
  /// Nil if the store's user created it: an object that is only in the outbox, or never leaves the device.
  var createdBy: UserID?
}

extension ObjectVersion {
  init(_ live: ObjectState.Live, in queue: QueueID) {
    self.init(queue: queue, type: live.type, content: live.content, createdBy: live.createdBy)
  }
}
