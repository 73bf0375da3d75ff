// A transaction that notes what is put; it reads as the recording snapshot does.

import SyncProtocol
import SyncServer
import WireFormat

struct RecordingTransaction: QueueTransaction {
  let inner: any QueueTransaction
  let record: TransactionRecord
  let history: ServerHistory
  let faults: ServerFaults

  private var snapshot: RecordingSnapshot { RecordingSnapshot(inner: inner, history: history) }

  private func note(_ put: TransactionRecord.Put) throws {
    record.puts.append(put)
    try faults.whileWriting()
  }

  func put(_ queue: StoredQueue, as id: UUIDValue) throws {
    try inner.put(queue, as: id)
    try note(.queue(queue, id))
  }

  func put(_ object: ObjectState, in queue: UUIDValue) throws {
    try inner.put(object, in: queue)
    try note(.object(object, queue))
  }

  func put(_ outcome: OperationOutcome, in queue: UUIDValue) throws {
    try inner.put(outcome, in: queue)
    try note(.outcome(outcome, queue))
  }

  func put(_ membership: StoredMembership?, of user: UUIDValue, in queue: UUIDValue) throws {
    try inner.put(membership, of: user, in: queue)
    try note(.membership(membership, user, queue))
  }

  func removeTombstones(in queue: UUIDValue, upTo revision: Int64) throws {
    try inner.removeTombstones(in: queue, upTo: revision)
    try note(.tombstonesGone(queue, revision))
  }

  func removeOutcomes(in queue: UUIDValue, before time: Timestamp) throws {
    try inner.removeOutcomes(in: queue, before: time)
    try note(.outcomesGone(queue, time))
  }

  func refer(to file: ContentHash, from object: UUIDValue, in queue: UUIDValue) throws {
    try inner.refer(to: file, from: object, in: queue)
  }
  func addDuty(_ user: UUIDValue, _ queue: UUIDValue) throws { try inner.addDuty(user, queue) }
  func removeDuty(_ duty: HomeDuty) throws { try inner.removeDuty(duty) }

  func queue(_ id: UUIDValue) throws -> StoredQueue? { try inner.queue(id) }
  func membership(of user: UUIDValue, in queue: UUIDValue) throws -> StoredMembership? {
    try inner.membership(of: user, in: queue)
  }
  func members(of queue: UUIDValue) throws -> [(user: UUIDValue, membership: StoredMembership)] {
    try inner.members(of: queue)
  }
  func object(_ id: UUIDValue, in queue: UUIDValue) throws -> ObjectState? { try inner.object(id, in: queue) }
  func outcomes(of operations: [UUIDValue], in queue: UUIDValue) throws -> [OperationOutcome] {
    try inner.outcomes(of: operations, in: queue)
  }
  func forEachChange(in queue: UUIDValue, after cursor: Int64, _ body: (ObjectState) throws -> Bool) throws {
    try inner.forEachChange(in: queue, after: cursor, body)
  }
  func forEachLive(in queue: UUIDValue, behind place: ScanPlace?, _ body: (ObjectState) throws -> Bool) throws {
    try inner.forEachLive(in: queue, behind: place, body)
  }
  func missing(_ files: [ContentHash], in queue: UUIDValue) throws -> [ContentHash] {
    try snapshot.missing(files, in: queue)
  }
  func duties(after number: Int64, limit: Int) throws -> [HomeDuty] { try inner.duties(after: number, limit: limit) }
}
