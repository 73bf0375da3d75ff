// The sender of a request: a user, and the schema of the app that asks.

package import SyncProtocol
package import WireFormat

/// The sender of a request. In each app a user has other queues, and those of one app do not exist for another.
package struct Asker: Hashable, Sendable {
  package let user: UserID
  /// The name of the app's schema; empty if the request names none.
  package let schema: String
  /// The version of that schema; nil if the request names none.
  package let version: SchemaVersion?

  package init(_ user: UserID, schema: String, version: SchemaVersion? = nil) {
    (self.user, self.schema, self.version) = (user, schema, version)
  }

  /// The queue that has the user's memberships in this app.
  var home: QueueID { SyncID.homeQueue(ofUser: user, schema: schema) }

  /// Whether the user may ask for a queue at all. A home queue is only for its own user, and the zero id stands for data
  /// that never leaves a device.
  func mayAsk(for queue: QueueID) -> Bool { queue != .zero && (!queue.isMarkedAsHome || queue == home) }
}
