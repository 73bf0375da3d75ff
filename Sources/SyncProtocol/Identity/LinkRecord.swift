// A link by which people join a queue, as an object that the server writes into the queue.

package import WireFormat

/// The content of an object of type `LinkRecord.type`.
package struct LinkRecord: Hashable, Sendable {
  /// The hash of the secret.
  package var link: ContentHash
  /// The role of those who join by it; nil for a role of a newer version, by which nobody joins.
  package var role: QueueRole?
  /// How many people may join by it yet.
  package var uses: Int32
  /// Until when, by the server's clock.
  package var until: Timestamp

  /// No model of a schema can have this name, and no client may write an object of this type.
  package static let type = "sync.link"

  package init(_ link: ContentHash, role: QueueRole?, uses: Int32, until: Timestamp) {
    (self.link, self.role, self.uses, self.until) = (link, role, uses, until)
  }

  /// The field table of the content, for readers that do not have this type.
  package static var fieldTable: FieldTable { LinkMessage.fieldTable }

  /// The content of such an object, as the server writes it.
  package func encoded() throws(WireError) -> [UInt8] {
    try LinkMessage(link: link, role: role?.number ?? 0, uses: uses, until: until).encoded()
  }

  /// Reads the content of such an object. Throws where the bytes are no message.
  package init(content: [UInt8]) throws(WireError) {
    var message = LinkMessage()
    try message.merge(content)
    self.init(message.link, role: QueueRole(number: message.role), uses: message.uses, until: message.until)
  }
}

private struct LinkMessage: WireMessage {
  var link = ContentHash.zero
  var role: Int32 = 0
  var uses: Int32 = 0
  var until = Timestamp.zero
  var unknownFields = UnknownFields.none

  static let fieldTable = FieldTable(
    "sync.link", unknownFields: \Self.unknownFields, Field(1, "link", \Self.link), Field(2, "role", \Self.role),
    Field(3, "uses", \Self.uses), Field(4, "until", \Self.until))
}
