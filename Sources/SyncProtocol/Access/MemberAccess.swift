// The rights to change the members of a queue. Server and device use the same code.

package import WireFormat

/// The rights to change the members of a queue. The model of the queue's root gives them.
///
/// The holders are roles and the `creator` of the queue, its founder.
public struct MemberAccess: Hashable, Sendable {
  /// The right to take others in, in no higher role than the own.
  public var invite: [AccessHolder]
  /// The right to give members another role, no higher than the own.
  public var role: [AccessHolder]
  /// The right to take members out.
  public var remove: [AccessHolder]
  /// The right to take out the founder or lower the founder's role. It is needed on top of the right to do so to others.
  /// The founder does not need it.
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

/// A member whom a change is about.
package struct MemberStanding {
  /// Nil if it is not known, or there is no such member.
  package var role: QueueRole?
  /// Whether the member gave birth to the queue: then nobody else has taken this one in.
  package var isFounder: Bool

  package init(role: QueueRole?, isFounder: Bool) { (self.role, self.isFounder) = (role, isFounder) }
}

extension MemberAccess {
  /// Whether a member may make the change of another member, or of the own membership.
  package func allows(
    _ change: MemberChange, by user: UserID, _ role: QueueRole, isFounder: Bool, to target: MemberStanding
  ) -> Bool {
    func holds(_ right: [AccessHolder]) -> Bool {
      right.contains { $0.isHeld(as: role, isCreator: isFounder) == true }
    }
    let mayTouch = target.role.map(role.covers) ?? true
    let mayLower = !target.isFounder || change.user == user || holds(creator)
    return switch change.action {
    case .unfollow where change.user == user: true
    case .follow(let given): holds(invite) && role.covers(given)
    case .role(let given):
      holds(self.role) && role.covers(given) && mayTouch && (target.role.map(given.covers) ?? true || mayLower)
    case .unfollow: holds(remove) && mayTouch && mayLower
    }
  }
}

extension MemberAccess {
  /// Whether a member may open a link, or close one.
  package func allows(_ change: LinkChange, as role: QueueRole, isFounder: Bool) -> Bool {
    guard invite.contains(where: { $0.isHeld(as: role, isCreator: isFounder) == true }) else { return false }
    if case .open(let given, _, _) = change.action { return role.covers(given) }
    return true
  }
}

extension QueueRole {
  /// Whether this role is that one or a higher one.
  package func covers(_ other: QueueRole) -> Bool { number <= other.number }
}
