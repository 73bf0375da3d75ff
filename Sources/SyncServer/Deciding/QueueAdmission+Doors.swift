// Lets in who comes by a mutation: by the create of the root of a queue with an identity, or by a link.

import Determinism
import SyncProtocol
import WireFormat

/// A mutation without a final outcome that may let its sender into the queue.
struct QueueDoor {
  var mutation: CommitRequest.Mutation
  var kind: Kind

  enum Kind {
    /// It creates the root of a queue whose identity names the sender.
    case identity
    case link(LinkSecret)
  }
}

extension QueueAdmission {
  /// The first mutation of a commit that may let the user in. One with a final outcome does not, so no late copy takes in
  /// again who has left since. A queue with an identity has no links, and all others no identity.
  func undecidedDoor(in commit: DecodedCommit, _ access: AccessTable, _ work: UnitOfWork) throws -> QueueDoor? {
    for (mutation, changes) in zip(commit.request.mutations, commit.changes) {
      guard let changes, let kind = door(changes, access, work.queueID) else { continue }
      let outcome = try work.outcome(of: mutation.operation)
      if outcome?.isFinal(forAttempt: mutation.attempt) != true { return QueueDoor(mutation: mutation, kind: kind) }
    }
    return nil
  }

  private func door(_ changes: OperationChanges, _ access: AccessTable, _ queue: QueueID) -> QueueDoor.Kind? {
    if queue.rawValue.isVersion4 { return changes.join.map { .link($0) } }
    guard queue.isDerived, let change = changes.objects.first(where: { $0.object == queue.root }),
      let type = change.createdType,
      access[type].proves(user, by: change, rootOf: queue, of: asker.schema)
    else { return nil }
    return .identity
  }

  /// Lets the user into a queue that is there, as the door says. What does not let in whom is no member is decided here, so
  /// that no late copy does. Returns false if the user has no room for one more queue.
  mutating func come(
    to before: StoredQueue, by door: QueueDoor, _ access: AccessTable, at time: Timestamp, _ room: RoomLimit,
    _ environment: RuntimeEnvironment, _ work: inout UnitOfWork
  ) throws -> Bool {
    let member = try work.membership(of: user)
    let (mutation, isTooOld) = (door.mutation, door.mutation.firstSent < before.retention)
    if isTooOld || mutation.isVoid {
      guard member == nil else { return true }
      try decide(mutation, isTooOld ? .unknown : .voided, in: before, at: time, room, &work)
      return true
    }
    switch door.kind {
    case .identity:
      if let member, member.role == .owner, member.by == user { return true }
      guard try room.allowsQueue(of: user, work) else { return member != nil }
      _ = try letIn(member, to: before, at: time, environment, &work)
    case .link(let secret):
      guard member == nil else { return true }
      do throws(Rejection) {
        try join(before, by: secret, access, at: time, room, environment, &work)
      } catch {
        switch error {
        case .code(let code): try decide(mutation, .rejected(code), in: before, at: time, room, &work)
        case .noRoom: break
        case .notRead(let error): throw error
        }
      }
    }
    return true
  }

  /// Stores the outcome of a mutation whose sender is no member.
  private func decide(
    _ mutation: CommitRequest.Mutation, _ status: OperationOutcome.Status, in queue: StoredQueue, at time: Timestamp,
    _ room: RoomLimit, _ work: inout UnitOfWork
  ) throws {
    try room.checkOutcomes(of: user, work)
    work.write(.outcome(QueueCommit.outcome(of: mutation, status, at: queue.head, time), of: user))
    work.write(.queue(queue))
  }

  private mutating func join(
    _ before: StoredQueue, by secret: LinkSecret, _ access: AccessTable, at time: Timestamp, _ room: RoomLimit,
    _ environment: RuntimeEnvironment, _ work: inout UnitOfWork
  ) throws(Rejection) {
    let (link, role, maker) = try openLink(secret, access, at: time, work)
    try room.check(membersToBe: [user], work)
    guard try Rejection.reading({ try work.members().count }) < ProtocolLimits.members else {
      throw .code(RejectionCode.tooLarge)
    }
    var (queue, rest) = (before, link)
    rest.uses -= 1
    let member = StoredMembership(role: role, grant: environment.randomID(), by: maker, since: time)
    do {
      try put(member, in: &queue, at: time, &work)
      let left = rest.uses == 0 ? nil : try ObjectState.Live(rest, by: maker, at: time)
      try queue.put(left, as: SyncID.link(secret.hash, inQueue: work.queueID), &work)
    } catch { throw .notRead(error) }
    work.write(.queue(queue))
  }

  /// The link with this secret, its role, and who has made it: a member who could make it now. So nobody comes back by a
  /// link of one's own, and no queue without members gets any, nor one that has ended.
  private func openLink(
    _ secret: LinkSecret, _ access: AccessTable, at time: Timestamp, _ work: UnitOfWork
  ) throws(Rejection) -> (LinkRecord, QueueRole, maker: UserID) {
    let object = SyncID.link(secret.hash, inQueue: work.queueID)
    guard let live = try Rejection.reading({ try work.object(object)?.live }), live.type == LinkRecord.type,
      let link = try? LinkRecord(content: live.content), link.link == secret.hash, let role = link.role,
      link.uses > 0, link.until >= time
    else { throw .code(RejectionCode.linkEnded) }
    let by = live.system.createdBy
    let (maker, root) = try Rejection.reading {
      (try work.membership(of: by), try work.object(work.queueID.root)?.live)
    }
    let rights = root.map { access[$0.type].members } ?? MemberAccess()
    let change = LinkChange(link.link, .open(role, uses: link.uses, until: link.until))
    guard let maker, rights.allows(change, as: maker.role, isFounder: maker.by == by) else {
      throw .code(RejectionCode.linkEnded)
    }
    return (link, role, by)
  }
}
