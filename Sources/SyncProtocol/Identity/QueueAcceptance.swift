// Acceptances: objects by which a user accepts a membership that another user has given.

package import WireFormat

/// The content of an object of type `QueueAcceptance.type`. Devices write these objects, while the server writes
/// memberships.
package struct QueueAcceptance: Hashable, Sendable {
  package var queue: QueueID
  /// The grant of the accepted membership.
  package var grant: GrantID
  /// The server's history in which the membership was accepted. In another history the user may have another grant.
  package var history: HistoryID

  /// No model of a schema can have this name.
  package static let type = "home.acceptance"
  /// The largest number, so that a first load brings acceptances before memberships.
  package static let newestBy = Int64.max

  package init(queue: QueueID, grant: GrantID, history: HistoryID) {
    (self.queue, self.grant, self.history) = (queue, grant, history)
  }

  /// Reads the content of such an object. Throws where the bytes are no message.
  package init(content: [UInt8]) throws(WireError) {
    var message = AcceptanceMessage()
    try message.merge(content)
    self.init(
      queue: QueueID(message.queue), grant: GrantID(message.grant), history: HistoryID(message.history))
  }

  /// The field table of the content, for readers that do not have this type.
  package static var fieldTable: FieldTable { AcceptanceMessage.fieldTable }

  /// The change that creates the acceptance in the user's home queue, or updates an earlier one of the same queue.
  package func change(inHome home: QueueID) throws(WireError) -> ObjectChange {
    var patch = PatchBuilder()
    patch.set(AcceptanceMessage.queueTag, queue.rawValue)
    patch.set(AcceptanceMessage.grantTag, grant.rawValue)
    patch.set(AcceptanceMessage.historyTag, history.rawValue)
    return ObjectChange(
      SyncID.acceptance(of: queue, inHome: home), .create(type: Self.type, try patch.patch()),
      newestBy: Self.newestBy)
  }
}

private struct AcceptanceMessage: WireMessage {
  static let (queueTag, grantTag, historyTag) = (1, 2, 3)

  var queue = UUIDValue.zero
  var grant = UUIDValue.zero
  var history = UUIDValue.zero
  var unknownFields = UnknownFields.none

  static let fieldTable = FieldTable(
    "home.acceptance", unknownFields: \Self.unknownFields,
    Field(queueTag, "queue", \Self.queue), Field(grantTag, "grant", \Self.grant),
    Field(historyTag, "history", \Self.history))
}
