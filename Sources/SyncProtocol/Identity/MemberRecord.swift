// A member of a queue, as an object that the server writes into the queue. It syncs like any other data.

package import WireFormat

/// The content of an object of type `MemberRecord.type`.
package struct MemberRecord: Hashable, Sendable {
  package var user: UserID
  /// Nil for a role of a newer version, which counts as reader.
  package var role: QueueRole?
  /// When the user joined, by the server's clock.
  package var since: Timestamp

  /// No model of a schema can have this name, and no client may write an object of this type.
  package static let type = "sync.member"

  package init(user: UserID, role: QueueRole?, since: Timestamp) {
    self.user = user
    self.role = role
    self.since = since
  }

  /// The field table of the content, for readers that do not have this type.
  package static var fieldTable: FieldTable { MemberMessage.fieldTable }

  /// The content of such an object, as the server writes it.
  package func encoded() throws(WireError) -> [UInt8] {
    try MemberMessage(user: user.rawValue, role: role?.number ?? 0, since: since).encoded()
  }

  /// Reads the content of such an object. Throws where the bytes are no message.
  package init(content: [UInt8]) throws(WireError) {
    var message = MemberMessage()
    try message.merge(content)
    self.init(user: UserID(message.user), role: QueueRole(number: message.role), since: message.since)
  }
}

private struct MemberMessage: WireMessage {
  var user = UUIDValue.zero
  var role: Int32 = 0
  var since = Timestamp.zero
  var unknownFields = UnknownFields.none

  static let fieldTable = FieldTable(
    "sync.member", unknownFields: \Self.unknownFields, Field(1, "user", \Self.user), Field(2, "role", \Self.role),
    Field(3, "since", \Self.since))
}
