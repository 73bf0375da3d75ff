// Checks the changes that a mutation makes to the members of a queue; writes nothing.

import SyncProtocol
import WireFormat

struct MemberChanges {
  /// The users whose role differs after the mutation, in its order. A `role` of nil means that the user has left.
  let changed: [Changed]
  /// What the sender gives to new members; nothing without a limit.
  private(set) var given = Invitations()

  struct Changed {
    var user: UserID
    /// Nil if the user was no member.
    var before: StoredMembership?
    var role: QueueRole?
  }

  var hasEffect: Bool { !changed.isEmpty }

  /// Throws a rejection if one of the changes may not be made.
  init(
    _ changes: [MemberChange], by user: UserID, _ access: AccessTable, _ work: UnitOfWork, _ room: RoomLimit,
    _ budget: inout CommitBudget, _ invitations: inout InvitationCount
  ) throws(Rejection) {
    guard !changes.isEmpty else {
      changed = []
      return
    }
    guard changes.count <= ProtocolLimits.memberChanges else { throw .code(RejectionCode.tooLarge) }
    guard budget.take(memberChanges: changes.count) else { throw .noRoom }
    let before = try Rejection.reading { try work.members() }
    let root = try Rejection.reading { try work.object(work.queueID.root)?.live }
    var roles = JudgedRoles(before, root.map { access[$0.type].members } ?? MemberAccess())
    for change in changes { try roles.make(change, by: user) }
    changed = roles.changed
    // The user is the only member of a home queue.
    if hasEffect, work.queueID.isMarkedAsHome { throw .code(RejectionCode.forbidden) }
    guard roles.count <= max(before.count, ProtocolLimits.members) else { throw .code(RejectionCode.tooLarge) }
    given = try invitations.given(to: people, work)
    try room.check(membersToBe: people, work)
  }

  /// The users who become members.
  var people: [UserID] { changed.filter { $0.before == nil }.map(\.user) }
}

/// The roles after the changes so far, by which the next change is judged.
private struct JudgedRoles {
  private let before: [UserID: StoredMembership]
  private let access: MemberAccess
  /// Only of users whose role has changed, because a queue may have thousands of members.
  private var roles: [UserID: QueueRole?] = [:]
  private var named: Set<UserID> = []
  private var order: [UserID] = []
  private(set) var count: Int
  private var owners: Int

  init(_ before: [UserID: StoredMembership], _ access: MemberAccess) {
    self.before = before
    self.access = access
    count = before.count
    owners = before.count { $0.value.role == .owner }
  }

  mutating func make(_ change: MemberChange, by user: UserID) throws(Rejection) {
    if named.insert(change.user).inserted { order.append(change.user) }
    let old = role(of: change.user)
    let target = MemberStanding(role: old, isFounder: isFounder(change.user))
    guard let own = role(of: user), access.allows(change, by: user, own, isFounder: isFounder(user), to: target) else {
      throw .code(RejectionCode.forbidden)
    }
    let new: QueueRole? =
      switch change.action {
      case .follow(let role): old ?? role
      case .role(let role): old.map { _ in role }
      case .unfollow: nil
      }
    guard new != old else { return }
    count += (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
    owners += (new == .owner ? 1 : 0) - (old == .owner ? 1 : 0)
    if owners == 0, count > 0 { throw .code(RejectionCode.lastOwner) }
    roles[change.user] = .some(new)
  }

  private func isFounder(_ user: UserID) -> Bool { before[user]?.by == user }

  private func role(of user: UserID) -> QueueRole? { roles[user] ?? before[user]?.role }

  /// The users whose role differs in the end. A member who leaves and comes back in one mutation has not left.
  var changed: [MemberChanges.Changed] {
    order.compactMap { user in
      let (before, role) = (before[user], role(of: user))
      return before?.role == role ? nil : MemberChanges.Changed(user: user, before: before, role: role)
    }
  }
}
