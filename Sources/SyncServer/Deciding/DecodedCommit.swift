// A commit with its changes decoded, and the rows that deciding about it reads.

import SyncProtocol
import WireFormat

/// Made before the transaction, which others wait for.
struct DecodedCommit: Sendable {
  let request: CommitRequest
  /// Those of each mutation; nil where they cannot be decoded.
  let changes: [OperationChanges?]

  init(_ request: CommitRequest) {
    self.request = request
    changes = request.mutations.map { try? OperationChanges(bytes: $0.changes) }
  }

  /// Whether a mutation creates the object that is the queue, also if it is void.
  var makesRoot: Bool {
    changes.contains { changes in
      changes?.objects.contains { $0.object == request.queue.root && $0.createdType != nil } ?? false
    }
  }

  /// The rows that say whether the asker is admitted, and which mutations are still to be decided.
  func keys(admitting asker: Asker) -> [RowKey] {
    [.queue, .membership(of: asker.user, in: request.queue)] + request.mutations.map { .outcome($0.operation) }
  }

  /// The rows that the decision reads most likely after that, in the order in which it does. Of those that a client can name many
  /// of, none is missing: each missing one would cost a decision.
  func keys(for asker: Asker, at time: Timestamp, _ limit: InvitationLimit, _ room: RoomLimit) -> [RowKey] {
    var keys: [RowKey] = []
    if makesRoot { keys.append(.object(SyncID.member(asker.user, inQueue: request.queue))) }
    if makesRoot, room.userQueues != nil { keys.append(.queueCount(of: asker.user)) }
    if room.userRows != nil || room.userBytes != nil { keys.append(.usageBy(asker.user)) }
    if room.queueRows != nil || room.queueBytes != nil { keys.append(.usage) }
    for changes in changes { keys += changes?.keys(in: request.queue) ?? [] }
    let followers = changes.flatMap { $0?.members.filter(\.isFollow).map(\.user) ?? [] }
    if followers.isEmpty { return keys }
    if limit != .none { keys.append(.invitations(by: asker.user, day: InvitationLimit.day(of: time))) }
    if limit.perDay != nil { keys += followers.map { .sharing(asker.user, $0) } }
    if room.userQueues != nil { keys += followers.map { .queueCount(of: $0) } }
    return keys
  }
}

extension OperationChanges {
  fileprivate func keys(in queue: QueueID) -> [RowKey] {
    var keys = files.map { RowKey.file($0) }
    for change in objects {
      keys.append(.object(change.object))
      if change.touchesReferences(waitingFor: files.count) { keys.append(.references(from: change.object)) }
    }
    if !members.isEmpty || objects.contains(where: { $0.object == queue.root && $0.isDelete }) { keys.append(.members) }
    if isAboutMembers { keys.append(.object(queue.root)) }
    keys += (links.map(\.link) + (join.map { [$0.hash] } ?? [])).map { .object(SyncID.link($0, inQueue: queue)) }
    return keys + members.map { .object(SyncID.member($0.user, inQueue: queue)) }
  }
}

extension MemberChange {
  fileprivate var isFollow: Bool {
    if case .follow = action { true } else { false }
  }
}
