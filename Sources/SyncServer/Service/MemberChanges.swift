// What a mutation makes of the members of a queue: checked, not written.

import SyncProtocol
import WireFormat

struct MemberChanges {
  /// Who has another role afterwards, nil for who is no member any more; in the order of the mutation.
  private(set) var changed: [Changed] = []
  private let isHome: Bool

  struct Changed {
    var user: UUIDValue
    /// Nil for who was no member.
    var before: StoredMembership?
    var role: QueueRole?
  }

  var hasEffect: Bool { !changed.isEmpty }

  init(
    _ changes: OperationChanges, in queue: UUIDValue, by user: UUIDValue, _ snapshot: any QueueSnapshot,
    _ known: inout CommitMembers
  ) throws(Rejection) {
    isHome = queue == SyncID.homeQueue(ofUser: user)
    guard !changes.follow.isEmpty || !changes.unfollow.isEmpty || !changes.roles.isEmpty else { return }
    let count = changes.follow.count + changes.unfollow.count + changes.roles.count
    guard count <= ProtocolLimits.memberChanges else { throw .code(RejectionCode.tooLarge) }
    guard known.take(count) else { throw .noRoom }
    let before = try Rejection.storing { try known.members(of: queue, snapshot) }
    var named: Set<UUIDValue> = []
    let order = (changes.follow + changes.unfollow + changes.roles.map(\.user)).filter { named.insert($0).inserted }
    // Only of those whom the mutation names: a queue has thousands of others.
    var roles: [UUIDValue: QueueRole] = [:]
    for member in order { roles[member] = before[member]?.role }
    for member in changes.follow where roles[member] == nil { roles[member] = .writer }
    for member in changes.unfollow { roles[member] = nil }
    for change in changes.roles where roles[change.user] != nil { roles[change.user] = change.role }
    for member in order where roles[member] != before[member]?.role {
      changed.append(Changed(user: member, before: before[member], role: roles[member]))
    }
    let membersAfter = before.count - order.count { before[$0] != nil } + roles.count
    hasRoom = membersAfter <= max(before.count, ProtocolLimits.members)
    hasOwner =
      membersAfter == 0 || roles.values.contains(.owner)
      || before.contains { $0.value.role == .owner && !named.contains($0.key) }
  }

  private var hasOwner = true
  private var hasRoom = true

  /// A queue with members has an owner, and a home queue has its user alone.
  func check() throws(Rejection) {
    if !hasRoom { throw .code(RejectionCode.tooLarge) }
    if !hasOwner || isHome && hasEffect { throw .code(RejectionCode.forbidden) }
  }
}

/// The members of a commit's queue: read once, however many mutations change some.
struct CommitMembers {
  private var known: [UUIDValue: StoredMembership]?
  /// What the commit may still change: each change is written to a home queue too, and to one of nobody where an id was
  /// made up.
  private var rest = ProtocolLimits.memberChanges

  /// What follows on what had no room has none either, so that members change in the order of the mutations.
  mutating func take(_ changes: Int) -> Bool {
    rest -= changes
    return rest >= 0
  }

  mutating func members(
    of queue: UUIDValue, _ snapshot: any QueueSnapshot
  ) throws -> [UUIDValue: StoredMembership] {
    if let known { return known }
    let read = try snapshot.members(of: queue)
    let members = Dictionary(read.map { ($0.user, $0.membership) }) { first, _ in first }
    known = members
    return members
  }

  /// A mutation behind this one sees it.
  mutating func put(_ membership: StoredMembership?, of user: UUIDValue) { known?[user] = membership }
}

extension QueueRole {
  /// Whether a member with this role may do this; nil stands for what cannot be read.
  func allows(_ changes: OperationChanges?, of user: UUIDValue) -> Bool {
    switch self {
    case .owner: return true
    case .writer: return changes.map { $0.roles.isEmpty && $0.unfollow.allSatisfy { $0 == user } } ?? true
    case .reader:
      guard let changes else { return false }
      let isOnlyLeaving = changes.objects.isEmpty && changes.follow.isEmpty && changes.roles.isEmpty
      return isOnlyLeaving && changes.files.isEmpty && changes.unfollow.allSatisfy { $0 == user }
    }
  }
}
