// A transaction that records what is put. Its reads go to the real one.

import SyncProtocol
import SyncServer
import WireFormat

struct RecordingTransaction: RecordedReads, QueueTransaction {
  let inner: any QueueTransaction
  let record: TransactionRecord
  let faults: ServerFaults

  var snapshot: any QueueSnapshot { inner }

  private func note(_ put: TransactionRecord.Put) throws {
    record.puts.append(put)
    try faults.whileWriting()
  }

  func put(_ queue: StoredQueue, as id: QueueID) throws {
    try inner.put(queue, as: id)
    try note(.queue(queue, id))
  }

  func put(_ object: ObjectState, in queue: QueueID) throws {
    try inner.put(object, in: queue)
    try note(.object(object, queue))
  }

  func put(_ outcome: OperationOutcome, of user: UserID, in queue: QueueID) throws {
    try inner.put(outcome, of: user, in: queue)
    try note(.outcome(outcome, queue))
  }

  func put(_ membership: StoredMembership?, of user: UserID, in queue: QueueID) throws {
    try inner.put(membership, of: user, in: queue)
    try note(.membership(membership, user, queue))
  }

  func put(_ invitations: Invitations, by user: UserID, on day: Int64) throws {
    try inner.put(invitations, by: user, on: day)
  }

  func removeTombstones(in queue: QueueID, upTo revision: Int64) throws {
    try inner.removeTombstones(in: queue, upTo: revision)
    try note(.tombstonesGone(queue, revision))
  }

  func removeOutcomes(in queue: QueueID, before time: Timestamp) throws {
    try inner.removeOutcomes(in: queue, before: time)
    try note(.outcomesGone(queue, time))
  }

  func removeMembers(of queue: QueueID) throws {
    try inner.removeMembers(of: queue)
    try note(.membersGone(queue))
  }

  func removeObjects(of queue: QueueID, rows: Int) throws -> Bool {
    let isEmpty = try inner.removeObjects(of: queue, rows: rows)
    if !isEmpty { record.leavesObjects = true }
    try faults.whileWriting()
    return isEmpty
  }

  func refer(to files: [ContentHash], from object: UUIDValue, tag: Int, in queue: QueueID) throws {
    try inner.refer(to: files, from: object, tag: tag, in: queue)
    record.named += files
  }
  func removeReferences(from object: UUIDValue, tag: Int, in queue: QueueID) throws {
    try inner.removeReferences(from: object, tag: tag, in: queue)
  }
  func addDuty(_ user: UserID, _ queue: QueueID, of schema: String) throws -> HomeDuty {
    let duty = try inner.addDuty(user, queue, of: schema)
    record.newDuties.append(duty)
    return duty
  }
  func removeDuty(_ duty: HomeDuty) throws -> Bool {
    record.doneDuty = duty
    return try inner.removeDuty(duty)
  }
  func removeOutcomes(_ operations: [OperationID], in queue: QueueID) throws {
    try inner.removeOutcomes(operations, in: queue)
    record.outcomesGone += operations
  }
  func put(_ file: StoredFile?, as hash: ContentHash, in queue: QueueID) throws {
    try inner.put(file, as: hash, in: queue)
    record.files.append((hash, file))
    try faults.whileWriting()
  }
  func put(part: StoredPart?, as hash: ContentHash, in queue: QueueID) throws {
    try inner.put(part: part, as: hash, in: queue)
    try faults.whileWriting()
  }
  func put(_ mark: QueueMark, of queue: QueueID) throws {
    try inner.put(mark, of: queue)
    record.mark = mark
  }
  func removeMarks(of queue: QueueID, upTo time: Timestamp) throws {
    try inner.removeMarks(of: queue, upTo: time)
    record.marksGone = time
  }
  func removeUnusedTypes() throws { try inner.removeUnusedTypes() }
  func put(newestTime time: Timestamp) throws {
    try inner.put(newestTime: time)
    record.notedTime = time
  }
  func put(_ seen: SyncServer.SeenVersion, on day: Int64) throws { try inner.put(seen, on: day) }
  func removeSeenVersions(before day: Int64) throws { try inner.removeSeenVersions(before: day) }
}
