// Lists invitations for an app, and takes the answers of its user.

public import ModelTypes
import SyncProtocol
import WireFormat

extension ModelStore {
  /// The invitations without an answer, the newest first. Throws a `StoreError` if the store cannot be read.
  ///
  /// `SyncClient(invitations:)` decides which queues are invitations. Their objects stay hidden until the user accepts.
  /// A declined invitation is not listed, and comes back if the server rejects the decline.
  public func invitations() throws -> [QueueInvitation] {
    try checkReadable()
    let queues = memory.withLock { memory in
      memory.sync.invited.filter { !memory.outbox.memberChanges(in: $0).contains(.unfollow(user)) }
    }
    let invitations = try queues.compactMap { queue -> QueueInvitation? in
      guard let membership = try reader.membership(membershipID(queue)), let by = membership.by else { return nil }
      return QueueInvitation(
        queue: queue, by: by, role: membership.role, since: membership.since, grant: membership.grant)
    }
    return invitations.sorted { ($1.since, $1.queue) < ($0.since, $0.queue) }
  }

  /// Shows the queue from now on, on all devices of the user.
  @discardableResult
  public func accept(_ invitation: QueueInvitation) -> OperationHandle {
    accept(invitation.queue, or: invitation.grant)
  }

  /// Accepts the membership that the home queue names now; `grant` if it names none.
  @discardableResult
  func accept(_ queue: QueueID, or grant: GrantID = .zero) -> OperationHandle {
    let membership = try? reader.membership(membershipID(queue))
    return accept([queue], [queue: membership?.grant ?? grant])
  }

  /// Leaves the queue, on all devices of the user. If somebody adds the user again, that is a new invitation. The only
  /// owner cannot leave: the operation fails with `lastOwner`, and the invitation comes back.
  @discardableResult
  public func decline(_ invitation: QueueInvitation) -> OperationHandle {
    submit("invitation.decline") { context in
      context.put(OperationChanges(members: [.unfollow(user)]), in: invitation.queue)
    }
  }

  private func membershipID(_ queue: QueueID) -> UUIDValue {
    SyncID.membership(of: queue, inHome: homeQueueID)
  }

  /// The objects of an invitation that are on this device: the newest ones, at most one page. Empty while too many
  /// other invitations have a page on this device. Reads all rows of the queue, and throws as `objects` does.
  public func preview<Object: Model>(
    _: Object.Type, of invitation: QueueInvitation, orderedBy order: ObjectOrder<Object> = .byID
  ) throws -> [Object] {
    try checkReadable()
    guard invited.contains(invitation.queue) else { return [] }
    let scan = try reader.scan()
    try scan.begin()
    var objects: [Object] = []
    try scan.forEachObject(type: Object.modelName, in: .queue(invitation.queue)) { head, content in
      guard let object = try Object(stored: ObjectID(head.id), [UInt8](content), in: head.queue) else { return }
      objects.append(object)
    }
    return order.sorted(objects)
  }

  /// Submits the acceptances as operations of the home queue, and shows the queues at once. A change has about 150
  /// bytes, so an operation has room for thousands.
  func accept(_ grants: [QueueID: GrantID]) {
    let queues = grants.keys.sorted()
    for start in stride(from: 0, to: queues.count, by: Self.acceptedTogether) {
      accept(queues[start..<min(start + Self.acceptedTogether, queues.count)], grants)
    }
  }

  @discardableResult
  private func accept(_ queues: some Collection<QueueID>, _ grants: [QueueID: GrantID]) -> OperationHandle {
    defer { tellLiveValues() }
    return memory.holding {
      let handle = submit("invitation.accept") { context in
        let home = homeQueueID
        let history = place(of: home).history ?? .zero
        let changes = try queues.map { queue in
          try QueueAcceptance(queue: queue, grant: grants[queue] ?? .zero, history: history)
            .change(inHome: home)
        }
        context.put(OperationChanges(objects: changes), in: home)
      }
      if case .failed = handle.state { return handle }
      memory.withLock { $0.setInvited(Dictionary(uniqueKeysWithValues: queues.map { ($0, false) })) }
      return handle
    }
  }

  private static let acceptedTogether = 500
}
