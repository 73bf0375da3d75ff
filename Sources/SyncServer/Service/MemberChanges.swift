// What a mutation makes of the members of a queue: checked, not written.

import SyncProtocol
import WireFormat

struct MemberChanges {
  /// The members before, where the mutation changes any.
  private(set) var before: [UUIDValue: StoredMembership] = [:]
  /// Who has another role afterwards, nil for who is no member any more; in the order of the mutation.
  private(set) var changed: [(user: UUIDValue, role: QueueRole?)] = []
  private let isHome: Bool

  var hasEffect: Bool { !changed.isEmpty }

  init(
    _ changes: OperationChanges, in queue: UUIDValue, by user: UUIDValue, _ snapshot: any QueueSnapshot,
    _ budget: inout ChangedMembers
  ) throws(Rejection) {
    isHome = queue == SyncID.homeQueue(ofUser: user)
    guard !changes.follow.isEmpty || !changes.unfollow.isEmpty || !changes.roles.isEmpty else { return }
    let count = changes.follow.count + changes.unfollow.count + changes.roles.count
    guard count <= ProtocolLimits.memberChanges else { throw .code(RejectionCode.tooLarge) }
    guard budget.take(count) else { throw .noRoom }
    let members = try Rejection.storing { try snapshot.members(of: queue) }
    before = Dictionary(members.map { ($0.user, $0.membership) }) { first, _ in first }
    var roles = before.mapValues(\.role)
    for member in changes.follow where roles[member] == nil { roles[member] = .writer }
    for member in changes.unfollow { roles[member] = nil }
    for change in changes.roles where roles[change.user] != nil { roles[change.user] = change.role }
    var seen: Set<UUIDValue> = []
    for member in changes.follow + changes.unfollow + changes.roles.map(\.user) where seen.insert(member).inserted {
      if roles[member] != before[member]?.role { changed.append((member, roles[member])) }
    }
    hasRoom = roles.count <= max(before.count, ProtocolLimits.members)
    hasOwner = roles.isEmpty || roles.values.contains(.owner)
  }

  private var hasOwner = true
  private var hasRoom = true

  /// A queue with members has an owner, and a home queue has its user alone.
  func check() throws(Rejection) {
    if !hasRoom { throw .code(RejectionCode.tooLarge) }
    if !hasOwner || isHome && hasEffect { throw .code(RejectionCode.forbidden) }
  }
}

/// What a commit may still change of members: each change is written to a home queue too, and to one of nobody where an
/// id was made up.
struct ChangedMembers {
  private var rest = ProtocolLimits.memberChanges

  /// What follows on what had no room has none either, so that members change in the order of the mutations.
  mutating func take(_ changes: Int) -> Bool {
    rest -= changes
    return rest >= 0
  }
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
