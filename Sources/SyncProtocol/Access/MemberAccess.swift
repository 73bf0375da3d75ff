// The rights to change the members of a queue. Server and device use the same code.

package import WireFormat

/// Who may change the members of a queue. It stands in the access of the queue's root.
///
/// The holders are roles and the `creator` of the root, the founder.
public struct MemberAccess: Hashable, Sendable {
  /// The right to take others in, up to the own role.
  public var invite: [AccessHolder]
  /// The right to give members another role, up to the own one.
  public var role: [AccessHolder]
  /// The right to take members out.
  public var remove: [AccessHolder]
  /// The right to take out the founder or lower that role, on top of the right to do so to others. The founder needs it
  /// not.
  public var creator: [AccessHolder]

  public init(
    invite: [AccessHolder] = [.writer], role: [AccessHolder] = [.owner], remove: [AccessHolder] = [.owner],
    creator: [AccessHolder] = []
  ) {
    self.invite = invite
    self.role = role
    self.remove = remove
    self.creator = creator
  }
}

/// Judges changes of members of one queue.
package struct MemberJudge {
  private let access: MemberAccess
  private let user: UserID
  private let queue: QueueID
  /// The creator of the root; nil if there is no root.
  private let founder: UserID?

  /// `founder` is the creator of the root, and `access` that of its type; nil if there is no root.
  package init(of user: UserID, in queue: QueueID, founder: UserID?, _ access: MemberAccess?) {
    self.user = user
    self.queue = queue
    self.founder = founder
    self.access = access ?? MemberAccess()
  }

  /// Whether the user may make the change with this role. `target` is the role of the member who is changed; nil if it
  /// is not known, or there is none.
  package func allows(_ change: MemberChange, as role: QueueRole, to target: QueueRole?) -> Bool {
    func holds(_ right: [AccessHolder]) -> Bool {
      AccessStanding(of: user, as: role, to: queue.root, in: queue, content: [], creator: founder).holds(right)
    }
    var mayTouch: Bool { target.map(role.covers) ?? true }
    var maySink: Bool { change.user != founder || change.user == user || holds(access.creator) }
    return switch change.action {
    case .unfollow where change.user == user: true
    case .follow(let given): holds(access.invite) && role.covers(given)
    case .role(let given):
      holds(access.role) && role.covers(given) && mayTouch && (target.map(given.covers) ?? true || maySink)
    case .unfollow: holds(access.remove) && mayTouch && maySink
    }
  }
}

extension QueueRole {
  /// Whether this role is that one or a higher one.
  package func covers(_ other: QueueRole) -> Bool { number <= other.number }
}
