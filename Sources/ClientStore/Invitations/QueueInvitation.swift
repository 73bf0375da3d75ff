// Queues that others have taken the user into: asked about first, where the app wants that.

public import ModelTypes
import SyncProtocol
public import WireFormat

/// About which queues a user is asked first, of those into which others take the user in.
public enum InvitationPolicy: Hashable, Sendable {
  /// None: all are shown at once.
  case all
  /// Those of people with whom the user shares no queue yet.
  case known
  /// Each of them.
  case ask
}

/// A queue that another user has added this user to, without an answer yet.
public struct QueueInvitation: Hashable, Sendable, Identifiable {
  public var queue: QueueID
  /// The member that took the user in.
  public var by: UserID
  /// The role of the user in the queue.
  public var role: QueueRole
  /// When that was, by the server's clock.
  public var since: Timestamp
  /// Of the membership.
  let grant: UUIDValue

  public var id: QueueID { queue }
}

/// A membership as the home queue has it.
struct HomeMembership: Hashable, Sendable {
  var queue: QueueID
  var role: QueueRole
  var grant: UUIDValue
  /// The member that took the user in; nil where no object says so.
  var by: UUIDValue?
  var since: Timestamp

  init(_ said: QueueMembership, by: UUIDValue?, since: Timestamp = .zero) {
    queue = QueueID(said.queue)
    role = said.role ?? .reader
    grant = said.grant
    self.by = by
    self.since = since
  }
}
