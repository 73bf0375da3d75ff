// A member of a queue, as an object that the server writes into the queue. It syncs like any other data.

public import WireFormat

/// The content of an object of type `QueueMember.type`.
public struct QueueMember: Hashable, Sendable {
  public var user: UUIDValue
  /// Nil for a role of a newer version, which counts as reader.
  public var role: QueueRole?
  /// When the user joined, by the server's clock.
  public var since: Timestamp

  /// No model of a schema can have this name, and no client may write an object of this type.
  public static let type = "sync.member"

  public init(user: UUIDValue, role: QueueRole?, since: Timestamp) {
    self.user = user
    self.role = role
    self.since = since
  }

  /// The field table of the content, for readers that do not have this type.
  package static var fieldTable: FieldTable { MemberMessage.fieldTable }

  /// The content of such an object, as the server writes it.
  public func encoded() throws(WireError) -> [UInt8] {
    try MemberMessage(user: user, role: role?.number ?? 0, since: since).encoded()
  }

  /// Reads the content of such an object. Throws where the bytes are no message.
  public init(content: [UInt8]) throws(WireError) {
    var message = MemberMessage()
    try message.merge(content)
    self.init(user: message.user, role: QueueRole(number: message.role), since: message.since)
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
