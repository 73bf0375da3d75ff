// Changes of the links by which people join a queue.

package import WireFormat

/// Opens a link, or closes one (docs/formats/operation-format.md).
package struct LinkChange: Hashable, Sendable {
  /// The hash of the link's secret.
  package var link: ContentHash
  package var action: Action

  package enum Action: Hashable, Sendable {
    /// People who join by the link get this role. It lets in `uses` people, and nobody after `until` by the server's clock.
    case open(QueueRole, uses: Int32, until: Timestamp)
    case close
  }

  package init(_ link: ContentHash, _ action: Action) { (self.link, self.action) = (link, action) }

  /// How many people may join by one link.
  package static let uses: ClosedRange<Int32> = 1...10_000
}

/// The encoded form of a `LinkChange`.
struct LinkChangeMessage: WireStruct {
  var link: ContentHash?
  var role: Int32?
  var uses: Int32?
  var until: Timestamp?
  var close: Bool?
  var unknownFields = UnknownFields.none

  static var zero: Self { Self() }

  static let fieldTable = FieldTable(
    "linkChange", unknownFields: \Self.unknownFields, Field(1, "link", \Self.link), Field(2, "role", \Self.role),
    Field(3, "uses", \Self.uses), Field(4, "until", \Self.until), Field(5, "close", \Self.close))
}

extension LinkChangeMessage {
  init(_ change: LinkChange) {
    self.init(link: change.link)
    switch change.action {
    case .open(let role, let uses, let until): (self.role, self.uses, self.until) = (role.number, uses, until)
    case .close: close = true
    }
  }

  func value() throws(WireError) -> LinkChange {
    guard unknownFields.isEmpty, let link, let action else { throw WireError(.invalidPatch, at: 0) }
    return LinkChange(link, action)
  }

  private var action: LinkChange.Action? {
    switch (role, uses, until, close) {
    case (let number?, let uses?, let until?, nil) where LinkChange.uses.contains(uses):
      QueueRole(number: number).map { .open($0, uses: uses, until: until) }
    case (nil, nil, nil, true?): .close
    default: nil
    }
  }
}
