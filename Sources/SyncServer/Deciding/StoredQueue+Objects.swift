// Objects that the server itself writes: memberships into home queues, members into their queues.

import SyncProtocol
import WireFormat

extension StoredQueue {
  /// Writes an object with the next revision, or its tombstone if `live` is nil. Does nothing if the object is the same
  /// already.
  mutating func put(_ live: ObjectState.Live?, as object: UUIDValue, _ work: inout UnitOfWork) throws {
    let before = try work.object(object)
    guard live != before?.live else { return }
    if let before, let content = before.live?.content {
      digest.remove(id: object, revision: before.revision, content: content)
    }
    head += 1
    let after = ObjectState(id: object, revision: head, live: live)
    digest.add(after)
    work.write(.object(after))
  }

  /// Writes the object that stands for a member, so that devices know who is in the queue. Nil deletes it.
  mutating func put(_ membership: StoredMembership?, of user: UserID, _ work: inout UnitOfWork) throws {
    let live = try membership.map { membership in
      ObjectState.Live(
        type: MemberRecord.type,
        content: try MemberRecord(user: user, role: membership.role, since: membership.since).encoded(),
        // No number, so that a first load brings the content before the members.
        newestBy: nil, createdBy: membership.by)
    }
    try put(live, as: SyncID.member(user, inQueue: work.queueID), &work)
  }

  /// Adds a duty: the home queue of a user has to show a membership that has changed.
  func addDuty(_ user: UserID, _ work: inout UnitOfWork) -> HomeDuty {
    let duty = HomeDuty(user: user, queue: work.queueID, head: head, schema: schema)
    work.write(.duty(duty))
    return duty
  }
}
