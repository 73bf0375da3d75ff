// Objects that the server itself writes: memberships into home queues, members into their queues.

import SyncProtocol
import WireFormat

extension StoredQueue {
  /// Writes an object with the next revision, or its tombstone if `live` is nil. Does nothing if the object is the same
  /// already, whatever its times.
  mutating func put(_ live: ObjectState.Live?, as object: UUIDValue, _ work: inout UnitOfWork) throws {
    let before = try work.object(object)
    if let live, let old = before?.live, live.says(as: old) { return }
    if live == nil, before?.live == nil { return }
    if let before { digest.remove(before) }
    head += 1
    var live = live
    if let new = live?.system {
      live?.system = .changed(before?.live?.system, by: new.createdBy, at: next(new.updatedAt))
      live?.system.createdBy = new.createdBy
    }
    let after = ObjectState(id: object, revision: head, live: live)
    digest.add(after)
    work.write(.object(after))
  }

  /// The time of the next change of an object: now, or later than that of every change before it. So times ascend as
  /// revisions do, also within one commit, and where the commit that was asked for first comes second.
  mutating func next(_ now: Timestamp) -> Timestamp {
    newest = max(now, Timestamp(millisecondsSince1970: newest.millisecondsSince1970 + 1))
    return newest
  }

  /// Writes the object that stands for a member, so that devices know who is in the queue. Nil deletes it.
  mutating func put(
    _ membership: StoredMembership?, of user: UserID, at time: Timestamp, _ work: inout UnitOfWork
  ) throws {
    let live = try membership.map { membership in
      ObjectState.Live(
        type: MemberRecord.type,
        content: try MemberRecord(user: user, role: membership.role, since: membership.since).encoded(),
        // No number, so that a first load brings the content before the members.
        newestBy: nil, system: SystemFields(createdBy: membership.by, at: time))
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

extension ObjectState.Live {
  /// Whether the two differ in times at most.
  fileprivate func says(as other: Self) -> Bool {
    var same = self
    same.system.createdAt = other.system.createdAt
    same.system.updatedAt = other.system.updatedAt
    return same == other
  }
}

extension SystemFields {
  /// Those of an object after a change: `before` with a new time, or those of an object that the user has just made.
  static func changed(_ before: Self?, by user: UserID, at time: Timestamp) -> Self {
    guard var after = before else { return Self(createdBy: user, at: time) }
    after.updatedAt = time
    return after
  }
}
