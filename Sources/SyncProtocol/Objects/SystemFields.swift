// What the server notes of an object, besides the bytes.

public import WireFormat

/// The user who made an object, and the times of its making and of its last change. The server notes them, so nobody can
/// forge them as a field could be forged.
///
/// Until the server has confirmed an object, they are this user and the clock of this device. An object that never leaves
/// the device keeps those. In a schema they are `$creator`, `$created` and `$updated`.
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
