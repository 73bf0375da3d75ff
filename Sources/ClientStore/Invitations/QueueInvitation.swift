// Invitations: queues to which other users have added this user, and which an app may hide until the user accepts.

public import SyncProtocol
public import WireFormat

/// The queues that the user must accept before they are shown, among those to which others add the user.
public enum InvitationPolicy: Hashable, Sendable {
  /// No queues: all are shown at once.
  case all
  /// Every queue.
  case ask
}

/// An invitation without an answer: a queue to which another user has added this user.
public struct QueueInvitation: Hashable, Sendable, Identifiable {
  /// The queue to which the user was added.
  public var queue: QueueID
  /// The user who has added this user.
  public var by: UserID
  /// The role of the user in the queue.
  public var role: QueueRole
  /// When the user was added, by the server's clock.
  public var since: Timestamp
  /// The grant of the membership: another one after the user has left and was added again.
  let grant: GrantID

  /// The queue's id: a queue has at most one invitation.
  public var id: QueueID { queue }
}

/// A membership, as an object of the home queue says it.
struct HomeMembership: Hashable, Sendable {
  var queue: QueueID
  var role: QueueRole
  var grant: GrantID
  /// The user who has added this user; nil if the object names nobody.
  var by: UserID?
  var since: Timestamp

  init(_ said: QueueMembership, by: UserID?, since: Timestamp = .zero) {
    queue = said.queue
    role = said.role ?? .reader
    grant = said.grant
    self.by = by
    self.since = since
  }
}
