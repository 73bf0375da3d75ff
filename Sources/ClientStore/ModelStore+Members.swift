// The members of a queue, with or without a connection.

public import ModelTypes
import SyncProtocol
public import WireFormat

/// A member of a queue, as the user sees it.
public struct MemberItem: Hashable, Sendable, Identifiable {
  public var user: UserID
  /// A role of a newer version counts as `reader`.
  public var role: QueueRole
  /// When the user joined, by the server's clock; nil while only this device knows of it.
  public var since: Timestamp?

  public var id: UserID { user }
}

extension ModelStore {
  /// The members of a queue, the one who joined first at the front, those whom this user has just taken in at the end.
  ///
  /// Empty where nothing of the queue is here, and in the user's own home queue. Reads beside whatever else goes on.
  /// Throws a `StoreError` where the store cannot be read.
  public func members(of queue: QueueID) throws -> [MemberItem] {
    let scan = try reader.scan()
    let changes: [MemberChange]? = try memory.holding {
      try scan.begin()
      return memory.withLock { $0.isEnding(queue) ? nil : $0.outbox.memberChanges(in: queue) }
    }
    guard let changes else { return [] }
    var members: [MemberItem] = []
    try scan.forEachObject(type: QueueMember.type, in: .queue(queue)) { _, _, content in
      // One that cannot be read is the server's mistake, or of a newer version.
      guard let member = try? QueueMember(content: [UInt8](content)) else { return }
      members.append(MemberItem(user: UserID(member.user), role: member.role ?? .reader, since: member.since))
    }
    members.sort { ($0.since ?? .zero, $0.user.rawValue) < ($1.since ?? .zero, $1.user.rawValue) }
    for change in changes { members.apply(change) }
    return members
  }

  /// The members of a queue, at once and again after every change.
  public func memberLists(of queue: QueueID) -> MemberLists { MemberLists(store: self, queue: queue) }
}

/// The members of one queue, as they become visible: what the user does at once, what others do when it arrives.
///
/// A slow consumer gets the newest list and misses those between. Ends only when its task is cancelled; throws a
/// `StoreError` where the store cannot be read.
public struct MemberLists: AsyncSequence, Sendable {
  let store: ModelStore
  let queue: QueueID

  public func makeAsyncIterator() -> Iterator {
    Iterator(store: store, queue: queue, changes: store.changes(of: queue.rawValue).makeAsyncIterator())
  }

  public struct Iterator: AsyncIteratorProtocol {
    let store: ModelStore
    let queue: QueueID
    var changes: AsyncStream<Void>.Iterator

    public mutating func next() async throws -> [MemberItem]? {
      guard await changes.next() != nil else { return nil }
      return try store.members(of: queue)
    }
  }
}

extension Outbox {
  /// The changes of members by pending operations of a queue, in order.
  func memberChanges(in queue: QueueID) -> [MemberChange] {
    (queues[queue]?.numbers ?? []).compactMap { operations[$0] }.filter(\.isShown).flatMap(\.changes.members)
  }
}

extension [MemberItem] {
  fileprivate mutating func apply(_ change: MemberChange) {
    let user = UserID(change.user)
    let index = firstIndex { $0.user == user }
    switch (change.action, index) {
    case (.follow(let role), nil): append(MemberItem(user: user, role: role))
    case (.role(let role), let index?): self[index].role = role
    case (.unfollow, let index?): remove(at: index)
    case (.follow, _?), (.role, nil), (.unfollow, nil): break
    }
  }
}
