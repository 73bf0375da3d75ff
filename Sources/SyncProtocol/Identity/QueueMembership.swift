// A membership, as an object that the server writes into the user's home queue. It syncs like any other data.

package import WireFormat

/// The content of an object of type `QueueMembership.type`.
package struct QueueMembership: Hashable, Sendable {
  package var queue: QueueID
  /// Nil for a role of a newer version, which counts as reader.
  package var role: QueueRole?
  /// New each time the user joins.
  package var grant: GrantID

  /// No model of a schema can have this name, and no client may write an object of this type.
  package static let type = "sync.membership"

  package init(queue: QueueID, role: QueueRole?, grant: GrantID) {
    self.queue = queue
    self.role = role
    self.grant = grant
  }

  /// The field table of the content, for readers that do not have this type.
  package static var fieldTable: FieldTable { MembershipMessage.fieldTable }

  /// The content of such an object, as the server writes it.
  package func encoded() throws(WireError) -> [UInt8] {
    try MembershipMessage(queue: queue.rawValue, role: role?.number ?? 0, grant: grant.rawValue).encoded()
  }

  /// Reads the content of such an object. Throws where the bytes are no message.
  package init(content: [UInt8]) throws(WireError) {
    var message = MembershipMessage()
    try message.merge(content)
    self.init(
      queue: QueueID(message.queue), role: QueueRole(number: message.role), grant: GrantID(message.grant))
  }
}

private struct MembershipMessage: WireMessage {
  var queue = UUIDValue.zero
  var role: Int32 = 0
  var grant = UUIDValue.zero
  var unknownFields = UnknownFields.none

  static let fieldTable = FieldTable(
    "sync.membership", unknownFields: \Self.unknownFields,
    Field(1, "queue", \Self.queue), Field(2, "role", \Self.role), Field(3, "grant", \Self.grant))
}
