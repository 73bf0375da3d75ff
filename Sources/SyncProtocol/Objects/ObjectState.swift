// An object as the server knows it.

package import WireFormat

/// The newest state of one object of a queue, as a delta brings it.
package struct ObjectState: Hashable, Sendable {
  package var id: UUIDValue
  /// The queue's number for this state. It grows with every change of any object of the queue.
  package var revision: Int64
  /// The type and the bytes; nil for an object that was deleted.
  package var live: Live?

  package init(id: UUIDValue, revision: Int64, live: Live?) {
    self.id = id
    self.revision = revision
    self.live = live
  }

  /// The type and the bytes of an object that is not deleted.
  package struct Live: Hashable, Sendable {
    /// The name of its model, or of a type that sync itself uses; see `ProtocolLimits.isTypeName`.
    package var type: String
    /// Its blob, at most `ProtocolLimits.objectBytes`.
    package var content: [UInt8]
    /// The number by which new devices load the newest objects first.
    package var newestBy: Int64?
    /// What the server notes of it.
    package var system: SystemFields

    package init(type: String, content: [UInt8], newestBy: Int64? = nil, system: SystemFields) {
      self.type = type
      self.content = content
      self.newestBy = newestBy
      self.system = system
    }
  }
}
