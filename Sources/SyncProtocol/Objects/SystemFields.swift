// What the server notes of an object, besides the bytes.

public import WireFormat

/// Who made an object, and when: noted by the server, so unlike a field it cannot be forged.
///
/// An object that the server has not confirmed yet has this user, and the times of this device's clock. Those of an object
/// that never leaves the device stay. In a schema they are `$creator`, `$created` and `$updated`.
public struct SystemFields: Hashable, Sendable {
  /// The user whose create put the object there.
  public var createdBy: UserID
  /// When it was put there.
  public var createdAt: Timestamp
  /// When it last changed; the time of the create if it never did.
  public var updatedAt: Timestamp

  /// Those of an object that is made at this time.
  public init(createdBy: UserID, at time: Timestamp) {
    self.init(createdBy: createdBy, createdAt: time, updatedAt: time)
  }

  package init(createdBy: UserID, createdAt: Timestamp, updatedAt: Timestamp) {
    self.createdBy = createdBy
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}
