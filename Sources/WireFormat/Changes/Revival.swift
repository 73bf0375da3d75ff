// Tells for a create whether its author knew of a delete of the object.

/// Decides whether a create puts an object where a tombstone is (docs/formats/sync-protocol.md, "What changes do").
public struct Revival: Hashable, Sendable {
  /// The state of the queue that was on the screen when the create was performed; nil where nothing of it was.
  public var seen: SeenPlace?
  /// A delete of the object was still in the outbox.
  public var isReviving: Bool

  /// Nothing was seen, and no delete was on its way: a tombstone wins.
  public static let none = Self()

  public init(seen: SeenPlace? = nil, isReviving: Bool = false) {
    self.seen = seen
    self.isReviving = isReviving
  }

  /// Whether the object comes back over a tombstone with this revision, in a queue with this epoch.
  ///
  /// A delete that its author had seen does not stop a create; of another epoch, revisions say nothing, and the last
  /// intention wins.
  public func overcomes(tombstone revision: Int64, epoch: UUIDValue?) -> Bool {
    guard !isReviving, let seen else { return isReviving }
    return seen.epoch != epoch || revision <= seen.cursor
  }
}

/// How far a queue had been read and shown.
public struct SeenPlace: Hashable, Sendable {
  /// The queue's epoch at that time; in another one the cursor says nothing.
  public var epoch: UUIDValue
  /// Every change up to here was on the screen; more than 0.
  public var cursor: Int64

  public init(epoch: UUIDValue, cursor: Int64) {
    self.epoch = epoch
    self.cursor = cursor
  }
}

/// `Seen` as it lies in the bytes of an operation.
struct SeenMessage: WireStruct {
  var epoch = UUIDValue.zero
  var cursor: Int64 = 0
  var unknownFields = UnknownFields.none

  static var zero: Self { Self() }

  static let fieldTable = FieldTable(
    "seen", unknownFields: \Self.unknownFields, Field(1, "epoch", \Self.epoch), Field(2, "cursor", \Self.cursor))
}

extension SeenMessage {
  init(_ place: SeenPlace) {
    self.init(epoch: place.epoch, cursor: place.cursor)
  }

  func value() throws(WireError) -> SeenPlace {
    guard unknownFields.isEmpty, cursor > 0 else { throw WireError(.invalidPatch, at: 0) }
    return SeenPlace(epoch: epoch, cursor: cursor)
  }
}
