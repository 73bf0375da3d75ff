// The state of one object on this device.

import SyncProtocol
import WireFormat

/// An object as it is on disk, or as replaying pending operations makes it.
struct ObjectVersion: Hashable {
  var queue: QueueID?
  var type: String
  var content: [UInt8]
  var system: StoredSystemFields
}

/// The system fields of an object as its row has them.
struct StoredSystemFields: Hashable {
  /// Nil if the store's user created it: an object that is only in the outbox, or never leaves the device.
  var createdBy: UserID?
  var createdAt: Timestamp
  var updatedAt: Timestamp

  /// Those of an object that the store's user makes at this time.
  init(at time: Timestamp) { (createdBy, createdAt, updatedAt) = (nil, time, time) }

  init(createdBy: UserID?, createdAt: Timestamp, updatedAt: Timestamp) {
    (self.createdBy, self.createdAt, self.updatedAt) = (createdBy, createdAt, updatedAt)
  }

  init(_ fields: SystemFields) {
    self.init(createdBy: fields.createdBy, createdAt: fields.createdAt, updatedAt: fields.updatedAt)
  }

  /// Takes in a change by the store's user. The clock of the device may be behind that of the server.
  mutating func update(at time: Timestamp) { updatedAt = max(updatedAt, time) }

  /// `user` is the store's.
  func fields(of user: UserID) -> SystemFields {
    SystemFields(createdBy: createdBy ?? user, createdAt: createdAt, updatedAt: updatedAt)
  }
}

extension ObjectVersion {
  init(_ live: ObjectState.Live, in queue: QueueID) {
    self.init(queue: queue, type: live.type, content: live.content, system: StoredSystemFields(live.system))
  }
}
