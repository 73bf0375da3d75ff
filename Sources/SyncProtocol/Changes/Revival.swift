// What the author of a create knew of an earlier delete of the object.

package import WireFormat

/// Tells whether a create brings back an object that was deleted (docs/formats/sync-server.md, "What changes do").
package struct Revival: Hashable, Sendable {
  /// How far the author had read and seen the queue when the create was performed; nil if not at all.
  package var seen: SeenVersion?
  /// Whether a delete of the object was still in the author's outbox.
  package var isReviving: Bool

  /// The author had seen nothing and had no delete in the outbox, so a tombstone wins.
  package static let none = Self()

  package init(seen: SeenVersion? = nil, isReviving: Bool = false) {
    self.seen = seen
    self.isReviving = isReviving
  }

  /// Whether the create wins over a tombstone with this revision, in this history of the server.
  ///
  /// A delete that the author had seen does not stop the create. In another history revisions cannot be compared, and
  /// the create wins.
  package func overcomes(tombstone revision: Int64, history: HistoryID?) -> Bool {
    if isReviving { return true }
    guard let seen else { return false }
    return seen.history != history || revision <= seen.cursor
  }
}

/// How far a queue had been read and shown.
package struct SeenVersion: Hashable, Sendable {
  /// The server's history at that time. In another history the cursor means nothing.
  package var history: HistoryID
  /// Every change up to this revision was on the screen. Always above 0.
  package var cursor: Int64

  package init(history: HistoryID, cursor: Int64) {
    self.history = history
    self.cursor = cursor
  }
}

/// The encoded form of a `SeenVersion`.
struct SeenMessage: WireStruct {
  var history = UUIDValue.zero
  var cursor: Int64 = 0
  var unknownFields = UnknownFields.none

  static var zero: Self { Self() }

  static let fieldTable = FieldTable(
    "seen", unknownFields: \Self.unknownFields, Field(1, "history", \Self.history), Field(2, "cursor", \Self.cursor))
}

extension SeenMessage {
  init(_ place: SeenVersion) {
    self.init(history: place.history.rawValue, cursor: place.cursor)
  }

  func value() throws(WireError) -> SeenVersion {
    guard unknownFields.isEmpty, cursor > 0 else { throw WireError(.invalidPatch, at: 0) }
    return SeenVersion(history: HistoryID(history), cursor: cursor)
  }
}
