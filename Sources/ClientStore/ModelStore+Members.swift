// Lists the members of a queue, online or offline.

public import SyncProtocol
public import WireFormat

/// A member of a queue, as the user sees it.
public struct QueueMember: Hashable, Sendable, Identifiable {
  /// The user who is a member, or whom this user has just added.
  public var user: UserID
  /// A role that this version does not know counts as `reader`.
  public var role: QueueRole
  /// When the user joined, by the server's clock; nil while only this device knows of it.
  public var since: Timestamp?

  /// The user's id: a user is a member of a queue at most once.
  public var id: UserID { user }
}

extension ModelStore {
  /// The members of a queue in the order in which they joined; those whom this user has just added come last.
  ///
  /// In the user's home queue, and while the queue is not on this device, only pending additions of this user are
  /// listed. Reads on a connection of its own, beside other work. Throws a `StoreError` if the store cannot be read.
  public func members(of queue: QueueID) throws -> [QueueMember] {
    try checkReadable()
    let scan = try reader.scan()
    let changes: [MemberChange]? = try memory.holding {
      try scan.begin()
      return memory.withLock { $0.outbox.ending.contains(queue) ? nil : $0.outbox.memberChanges(in: queue) }
    }
    guard let changes else { return [] }
    var members: [QueueMember] = []
    try scan.forEachObject(type: MemberRecord.type, in: .queue(queue)) { _, content in
      // Skips an object that cannot be read: a mistake of the server, or of a newer version.
      guard let member = try? MemberRecord(content: [UInt8](content)) else { return }
      members.append(QueueMember(user: member.user, role: member.role ?? .reader, since: member.since))
    }
    members.sort { ($0.since ?? .zero, $0.user) < ($1.since ?? .zero, $1.user) }
    for change in changes { members.apply(change) }
    return members
  }
}

extension Outbox {
  /// The changes of members by the pending operations of a queue, in order, except those taken back or failed.
  func memberChanges(in queue: QueueID) -> [MemberChange] {
    (queues[queue]?.numbers ?? []).compactMap { operations[$0] }.filter(\.isShown).flatMap(\.changes.members)
  }
}

extension [QueueMember] {
  fileprivate mutating func apply(_ change: MemberChange) {
    let user = change.user
    let index = firstIndex { $0.user == user }
    switch (change.action, index) {
    case (.follow(let role), nil): append(QueueMember(user: user, role: role))
    case (.role(let role), let index?): self[index].role = role
    case (.unfollow, let index?): remove(at: index)
    case (.follow, _?), (.role, nil), (.unfollow, nil): break
    }
  }
}
